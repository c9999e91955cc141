-- Makes short scripts that use a component on data of their own, by the component's kind and what it accepts.
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

local diary = [[
local data = cf.dataset {
  columns = {
    { name = "day", values = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
      23, 24 } },
    { name = "place", values = { 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4 } },
    { name = "x", values = { 5, 3, 8, 1, 9, 4, 7, 2, 6, 5, 8, 3, 9, 1, 4, 7, 2, 6, 3, 8, 5, 9, 1, 7 } },
    { name = "y", values = { 6, 4, 9, 2, 9, 5, 8, 3, 7, 5, 9, 4, 9, 2, 5, 8, 3, 7, 4, 9, 6, 9, 2, 8 } },
  },
  target = "y",
  %s,
}
]]

local function has(list, word)
  for _, each in ipairs(list) do
    if each == word then return true end
  end
  return false
end

-- { lines that make data, a metric for them, whether they have classes }: those that a learner, a transform or a metric
-- may be able to use.
local function data_by_task(component)
  local tasks, accepts, found = component.tasks, component.accepts, {}
  local function takes(task, type)
    return (#tasks == 0 or has(tasks, task)) and (#accepts == 0 or has(accepts, type))
  end
  if takes("multiclass", "numeric") then found[1] = { petals .. species, "accuracy", true } end
  if takes("binary", "numeric") then found[#found + 1] = { petals .. is_large, "accuracy", true } end
  if takes("regression", "numeric") then found[#found + 1] = { petals .. width, "rmse", false } end
  if takes("binary", "categorical") then found[#found + 1] = { weather, "accuracy", true } end
  return found
end

local function data_to_split()
  return { { petals .. species }, { diary:format('groups = "place"') }, { diary:format('time = "day"') } }
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
    return evaluation(('cf.pipeline { cf.transform("%s"), "decision_tree" }, "decision_tree"'):format(id), metric,
      has_classes)
  end,
  metric = function(id, _, has_classes) return evaluation('"decision_tree"', id, has_classes) end,
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

-- Scripts for a component, as `crossfold plugin describe --json` has it, those first that are more likely to work; or
-- nil and why there are none.
function example.scripts(component)
  local use, scripts = uses[component.kind], {}
  if not use then return nil, ("A %s needs a file of its own format."):format(component.kind) end
  local data = component.kind == "splitter" and data_to_split() or data_by_task(component)
  for i, each in ipairs(data) do
    local lines, metric, has_classes = table.unpack(each, 1, 3)
    scripts[i] = 'local cf = require "crossfold"\n' .. lines .. "\n" .. use(component.id, metric, has_classes)
  end
  if #scripts == 0 then return nil, "It does not accept the data of the examples." end
  return scripts
end

return example
