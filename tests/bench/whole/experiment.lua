-- Eight learners on the data sets NAME.csv of a folder, by repeated ten-fold cross-validation: which is best?
-- usage: crossfold run experiment.lua FOLDER REPEATS SCORES.csv REPORT.html NAME ...
local cf = require "crossfold"

local here = arg[0]:match("^(.*/)") or "./"
local folder, repeats, scores, report = table.unpack(arg)
local datasets = {}
for i = 5, #arg do
  datasets[arg[i]] = cf.read(("%s/%s.csv"):format(folder, arg[i]),
    { target = "class", types = { class = "categorical" } })
end

local result = cf.evaluate {
  datasets = datasets, learners = dofile(here .. "learners.lua"), metrics = "accuracy", seed = 1,
  splitter = cf.splitter("kfold",
    { folds = 10, repeats = math.tointeger(repeats), stratify = "as far as possible" }),
}
local comparison = cf.compare(result)
print(result)
print(comparison)
result:to { csv = scores }
comparison:report { file = report }
