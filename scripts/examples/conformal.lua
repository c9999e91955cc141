-- How far off may a prediction be? Intervals and sets of classes that hold the truth of nine new rows of ten.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local diabetes = cf.read(here .. "/../data/diabetes_regr.csv", { target = "target" })

-- The learner, with ten folds whose errors tell how wide an interval has to be.
local learner = cf.conformal { learner = "least_squares", method = "cv_plus" }

-- Keep some rows apart, as new ones.
local splits = cf.split(cf.splitter("holdout", { test_share = 0.3 }), diabetes, { seed = 1 })
local known, new = splits:train(1), splits:test(1)
local model = learner:fit(known, { seed = 1 })

local prediction = model:predict(new, { coverage = 0.9 })
local values, intervals = prediction:values(), prediction:intervals()
for i = 1, 3 do
  print(("row %3d: %5.1f, from %5.1f to %5.1f"):format(prediction:row_ids()[i], values[i], intervals[i].low,
    intervals[i].high))
end
print(prediction:guarantee())

-- Is it true? Also for both sexes, and for all parts of the file?
print()
print(prediction:coverage { by = "sex", blocks = 3 })

-- The three methods on the same outer folds: coverage that was measured, and the width that it costs.
local result = cf.evaluate {
  data = diabetes, splitter = cf.splitter("kfold", { folds = 5 }), metrics = "rmse", seed = 1,
  learners = {
    cv_plus = learner,
    cv_minmax = cf.conformal { learner = "least_squares", method = "cv_minmax" },
    jackknife_plus = cf.conformal { learner = "least_squares", method = "jackknife_plus" },
  },
}
print()
for _, name in ipairs { "cv_plus", "cv_minmax", "jackknife_plus" } do
  local all = result:coverage { learner = name }.lines[1]
  print(("%-14s  coverage %.3f (%.3f to %.3f)  mean width %.1f"):format(name, all.coverage, all.low, all.high,
    all.width))
end

-- Sets of classes. The file of the model has everything that they need.
local soybean = cf.read(here .. "/../data/soybean_weka.csv", { target = "class" })
local halves = cf.split(cf.splitter("holdout", { test_share = 0.3 }), soybean, { seed = 1 })
local file = os.tmpname()
cf.conformal { learner = "naive_bayes", method = "aps" }:fit(halves:train(1), { seed = 1 }):save(file)

local sets = cf.load(file):predict(halves:test(1), { coverage = 0.95 })
os.remove(file)
print()
for i, set in ipairs(sets:sets()) do
  if #set > 1 then
    print(("row %d is one of: %s"):format(sets:row_ids()[i], table.concat(set, ", ")))
    break
  end
end
print(sets:coverage())
