-- Early stopping: rows that neither a transform nor the learner was fitted on decide when it stops.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local data = cf.read(here .. "/../data/breast_cancer.csv", { target = "class" })

--###begin learners
-- A fifth of the training rows of each fold is held out before `standardize` is fitted.
local function network(params)
  params.learning_rate = 0.01
  return cf.pipeline { cf.transform("standardize"), cf.learner("mlp", params) }
end

local learners = {
  all_epochs = network { epochs = 100 },
  stopped    = network { epochs = 100, patience = 5, early_stopping_share = 0.2 },
  all_rounds = cf.learner("adaboost", { rounds = 200 }),
  best_round = cf.learner("adaboost", { rounds = 200, early_stopping_share = 0.2 }),
}
--###end learners

print(cf.evaluate {
  data = data, learners = learners, seed = 1,
  splitter = cf.splitter("kfold", { folds = 5, stratify = true }),
  metrics = { "accuracy", "log_loss" },
})

-- The share is part of what the learner is: of its text, its seeds, its cells in a store and its file.
print(learners.stopped)

-- How many trees the vote of a final model has.
local model = learners.best_round:fit(data, { seed = 1 })
print(select(2, model:export("text"):gsub("round %d+", "")) .. " of 200 rounds were kept")
