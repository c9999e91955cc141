-- Transforms and splitters along rows, columns and levels.
local cf = require "crossfold"
local data = require "data"

local function transformed(transform, rows)
  local learner = cf.pipeline { transform, "featureless" }
  return function()
    local model = learner:fit(rows)
    return { model, model:predict(rows) }
  end
end

local transforms = {
  discretize = {}, impute = {}, min_max = {}, one_hot = { levels = 10 }, ordinal = { levels = 10 },
  pca = { columns = 2, why_columns = "a covariance matrix" }, power = { to = 100000 }, robust = {},
  select = {}, standardize = {}, oversample = {}, undersample = {},
  smote = { rows = 2, why_rows = "neighbours of the rows of a class", to = 100000 },
}

local splitters = {
  { "kfold", { folds = 10, stratify = true } }, { "holdout", { test_share = 0.3, stratify = true } },
  { "bootstrap", { repeats = 3 } }, { "leave_one_out" },
  { "kfold", { folds = 10 }, groups = true }, { "leave_one_group_out", {}, groups = 100 },
  { "time_series", { folds = 5 }, time = true }, { "blocked", { folds = 5 }, time = true },
}

return function(add)
  local names = {}
  for name in pairs(transforms) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local one = transforms[name]
    add("rows", name, { time = one.rows, why = one.why_rows, to = one.to,
      function(n) return transformed(cf.transform(name), data.of(n, { levels = one.levels })) end })
    add("columns", name, { time = one.columns, memory = one.columns, why = one.why_columns, from = 10, to = 10000,
      function(n) return transformed(cf.transform(name), data.of(200, { columns = n, levels = one.levels })) end })
  end
  add("levels", "one_hot", { from = 10, to = 10000, function(n)
    return transformed(cf.transform("one_hot"), data.of(10000, { columns = 1, levels = n }))
  end })
  for _, one in ipairs(splitters) do
    local name, params = one[1], one[2]
    local groups = one.groups
    add("rows", "split " .. name .. (groups and " of groups" or ""), { to = 10000000, quick = name == "leave_one_out",
      function(n, folder)
        local rows = (groups or one.time or n < 1000000)
          and data.of(n, { columns = 1, groups = groups == true and n // 10 or groups, time = one.time })
          or data.many(n, folder)
        return function() return cf.split(cf.splitter(name, params), rows, { seed = 1 }) end
      end })
  end
end
