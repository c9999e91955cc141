-- A report: one HTML file about an evaluation and a learning curve.
--###begin report
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local iris = cf.read(here .. "/../data/iris.csv", { target = "class" })
local learners = { naive_bayes = "naive_bayes", knn = cf.learner("knn", { k = 7 }), floor = "featureless" }

local result = cf.evaluate {
  data = iris, learners = learners, metrics = { "accuracy", "log_loss" }, keep = "probabilities",
  splitter = cf.splitter("kfold", { folds = 10, stratify = true }), seed = 42,
}
local curve = cf.learning_curve {
  data = iris, learners = learners, metrics = "accuracy", sizes = { 10, 20, 40, 80 }, trials = 5,
}

local file = os.tmpname()
cf.report { result, curve, title = "Iris", file = file }
--###end report

-- What is in the file, in short.
local page = io.open(file):read("a")
os.remove(file)
for heading in page:gmatch("<h2[^>]*>([^<]*)</h2>") do print(heading) end
local _, figures = page:gsub("<svg", "")
print(("%d figures"):format(figures))
print(result:report { title = "Iris" } == result:report { title = "Iris" } and "the same bytes"
  or "other bytes")
