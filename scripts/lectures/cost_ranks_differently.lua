-- Two models on the same 500 rows and one cost matrix: the more accurate one costs more.
local cf = require "crossfold"

-- How often each model took a true class (first name) for another (second name).
local models = {
  { name = "first", ["+ +"] = 150, ["+ -"] = 40, ["- +"] = 60, ["- -"] = 250 },
  { name = "second", ["+ +"] = 250, ["+ -"] = 45, ["- +"] = 5, ["- -"] = 200 },
}

-- A hit on + earns 1, a missed + costs 100, a false alarm 1. Rows are the truth, in class order.
local classes = { "+", "-" }
local costs = { { -1, 100 }, { 1, 0 } }

-- The rows that the counts stand for.
local function rows_of(model)
  local truth, predicted = {}, {}
  for _, t in ipairs(classes) do
    for _, p in ipairs(classes) do
      for _ = 1, model[t .. " " .. p] do
        truth[#truth + 1], predicted[#predicted + 1] = t, p
      end
    end
  end
  return truth, predicted
end

local total = cf.metric("cost", { total = true })
print("model   accuracy  total cost  cost a row")
for _, model in ipairs(models) do
  local truth, predicted = rows_of(model)
  local score = cf.score {
    truth = truth, predicted = predicted, classes = classes, costs = costs,
    metrics = { "accuracy", total, "cost" },
  }
  print(("%-6s  %8.2f  %10.0f  %10.2f"):format(model.name, score.accuracy, score[tostring(total)],
    score.cost))
end
