local cf = require "crossfold"
local iris = cf.read(os.getenv("HOME") .. "/crossfold/share/crossfold/scripts/data/iris.csv",
  { target = "class" })
print(cf.evaluate {
  data     = iris,
  learners = {
    nearest = cf.learner("org.example.nearest", { k = 3 }),
    floor   = cf.learner("featureless"),
  },
  splitter = cf.splitter("kfold", { folds = 10, stratify = true }),
  metrics  = "accuracy",
  seed     = 1,
})
