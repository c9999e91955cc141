-- Are many learners better than one? Voting and stacking join different learners, bagging and a random
-- forest join many trees. An ensemble is a learner, so it goes wherever a learner goes.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local wine = cf.read(here .. "/../data/wine.csv", { target = "class" })

local members = {
  cf.learner("decision_tree"),
  cf.learner("naive_bayes"),
  cf.pipeline { cf.transform("standardize"), cf.learner("knn", { k = 5 }) },
}

local result = cf.evaluate {
  data     = wine,
  learners = {
    tree     = members[1],
    bayes    = members[2],
    knn      = members[3],
    -- One vote each, or the mean of their probabilities.
    majority = cf.voting { learners = members },
    mean     = cf.voting { learners = members, vote = "probabilities" },
    -- A learner decides, from what the members predict of rows that they were not fitted on.
    stacking = cf.stacking {
      learners = members,
      combiner = cf.learner("logistic_regression"),
      splitter = cf.splitter("kfold", { folds = 5, stratify = true }),
    },
    -- One learner on many samples; the forest also draws the features at every node.
    bagging  = cf.bagging { learner = members[1], n = 25 },
    forest   = cf.learner("random_forest", { trees = 25 }),
  },
  splitter = cf.splitter("kfold", { folds = 10, stratify = true }),
  metrics  = "accuracy",
  seed     = 42,
}
print(result)
