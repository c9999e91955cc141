-- Does anything of the test rows reach what is fitted? Three pipelines that look alike, of which two leak.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local cancer = cf.read(here .. "/../data/breast_cancer.csv", { target = "class" })

-- The largest value of each feature, and a transform that divides by it.
local function largest(data)
  local most = {}
  for _, name in ipairs(data:features()) do
    most[name] = math.max(table.unpack(data:column(name)))
  end
  return most
end

local function divide(name, fit)
  return cf.transform {
    name = name, fit = fit,
    apply = function(most, data)
      local columns = {}
      for j, feature in ipairs(data:features()) do
        local values = data:column(feature)
        for i, value in ipairs(values) do values[i] = value / most[feature] end
        columns[j] = { name = feature, values = values }
      end
      return columns
    end,
  }
end

--###begin audit
local audit = cf.audit {
  data     = cancer,
  learners = {
    clean  = cf.pipeline { divide("by_training", largest), "knn" },
    leaky  = cf.pipeline { divide("by_everything", function() return largest(cancer) end), "knn" },
    search = cf.grid_search {
      learner = cf.pipeline { cf.transform("standardize"), "knn" }, grid = { k = { 3, 9, 15 } },
      splitter = cf.splitter("kfold", { folds = 3, stratify = true }), metric = "accuracy",
    },
  },
  splitter = cf.splitter("kfold", { folds = 10, stratify = true }),
  seed     = 42,
}
print(audit)
--###end audit

-- What was done before the split is seen if the audit may do it again.
print()
--###begin prepare
local prepared = cf.audit {
  data     = cancer,
  prepare  = function(data)
    local most, columns = largest(data), {}
    for j, name in ipairs(data:features()) do
      local values = data:column(name)
      for i, value in ipairs(values) do values[i] = value / most[name] end
      columns[j] = { name = name, values = values }
    end
    columns[#columns + 1] = { name = "class", values = data:target() }
    return cf.dataset { name = "scaled", target = "class", columns = columns }
  end,
  learners = { "knn" },
  splitter = cf.splitter("kfold", { folds = 10, stratify = true }),
  seed     = 42,
}
for _, row in ipairs(prepared:findings()) do
  if row.severity == "leak" then print(row.stage .. ": " .. row.message) end
end
--###end prepare
