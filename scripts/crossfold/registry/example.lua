-- Makes a short script that uses a component on data of its own, by the component's kind and what it accepts.
local example = {}

local petals = [[
local data = cf.dataset { -- every fifth flower of Fisher's iris data
  columns = {
    { name = "petal length", values = {
      1.4, 1.7, 1.5, 1.5, 1.7, 1.6, 1.6, 1.2, 1.3, 1.4, 4.7, 4.5, 3.5, 4.4, 4.8, 4.4, 3.8, 4.5, 4.4, 4.2,
      6.0, 6.6, 5.1, 5.3, 5.7, 6.0, 6.1, 6.1, 5.6, 5.2 } },
    { name = "petal width", values = {
      0.2, 0.4, 0.2, 0.4, 0.2, 0.2, 0.2, 0.2, 0.3, 0.3, 1.4, 1.3, 1.0, 1.4, 1.8, 1.4, 1.1, 1.6, 1.2, 1.2,
      2.5, 2.1, 2.0, 2.3, 2.3, 1.8, 1.9, 2.3, 2.4, 2.3 } },
]]

local species = [[
    { name = "species", values = {
      "setosa", "setosa", "setosa", "setosa", "setosa", "setosa", "setosa", "setosa", "setosa", "setosa",
      "versicolor", "versicolor", "versicolor", "versicolor", "versicolor", "versicolor", "versicolor",
      "versicolor", "versicolor", "versicolor", "virginica", "virginica", "virginica", "virginica",
      "virginica", "virginica", "virginica", "virginica", "virginica", "virginica" } },
  },
  target = "species",
}
]]

local is_large = [[
    { name = "large", values = {
      "no", "no", "no", "no", "no", "no", "no", "no", "no", "no", "no", "no", "no", "no", "yes", "no", "no",
      "no", "no", "no", "yes", "yes", "yes", "yes", "yes", "yes", "yes", "yes", "yes", "yes" } },
  },
  target = "large",
}
]]

local weather = [[
local data = cf.dataset { -- Quinlan's weather data
  columns = {
    { name = "outlook", values = { "sunny", "sunny", "overcast", "rainy", "rainy", "rainy", "overcast",
      "sunny", "sunny", "rainy", "sunny", "overcast", "overcast", "rainy" } },
    { name = "windy", values = { "no", "yes", "no", "no", "no", "yes", "yes", "no", "no", "no", "yes", "yes",
      "no", "yes" } },
    { name = "play", values = { "no", "no", "yes", "yes", "yes", "no", "yes", "no", "yes", "yes", "yes", "yes",
      "yes", "no" } },
  },
  target = "play",
}
]]

local width = '  },\n  target = "petal width",\n}\n'

local function has(list, word)
  for _, each in ipairs(list) do
    if each == word then return true end
  end
  return false
end

-- The lines that make the data, a metric for them, and whether they have classes; nil = there are none for it.
local function data_for(component)
  local tasks, accepts = component.tasks, component.accepts
  local any_features = #accepts == 0
  if not any_features and not has(accepts, "numeric") then
    if has(accepts, "categorical") and has(tasks, "binary") then return weather, "accuracy", true end
    return nil
  end
  if #tasks == 0 or has(tasks, "multiclass") then return petals .. species, "accuracy", true end
  if has(tasks, "binary") then return petals .. is_large, "accuracy", true end
  if has(tasks, "regression") then return petals .. width, "rmse", false end
  return nil
end

local function evaluation(learners, metric, has_classes)
  return ([[
local result = cf.evaluate {
  data = data,
  learners = { %s },
  splitter = cf.splitter("kfold", { folds = 5%s }),
  metrics = "%s",
  seed = 1,
}
print(result)
]]):format(learners, has_classes and ', stratify = "as far as possible"' or "", metric)
end

local uses = {
  learner = function(id, metric, has_classes) return evaluation(('"%s"'):format(id), metric, has_classes) end,
  transform = function(id, metric, has_classes)
    return evaluation(('cf.pipeline { cf.transform("%s"), "knn" }, "knn"'):format(id), metric, has_classes)
  end,
  metric = function(id, _, has_classes) return evaluation('"knn"', id, has_classes) end,
  splitter = function(id)
    return ([[
local splits = cf.split(cf.splitter("%s"), data, { seed = 1 })
print(#splits .. " splits")
for s = 1, math.min(#splits, 5) do
  local train, test = splits:rows(s)
  print(("split %%d: %%d rows to train, %%d rows to test"):format(s, #train, #test))
end
]]):format(id)
  end,
}

-- The script for a component, as `crossfold plugin describe --json` has it; or nil and why there is none.
function example.code(component)
  local use = uses[component.kind]
  if not use then return nil, ("A %s needs a file of its own format."):format(component.kind) end
  local data, metric, has_classes = data_for(component)
  if not data then return nil, "No data of the examples are such that it accepts them." end
  return 'local cf = require "crossfold"\n' .. data .. "\n" .. use(component.id, metric, has_classes)
end

return example
