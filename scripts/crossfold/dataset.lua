-- Makes datasets from lists, and others with the same columns: cf.dataset, data:filter, data:with_roles.
local native = require "crossfold.native"
local options = require "crossfold.options"

local dataset = {}

-- The options that say what columns are for.
dataset.roles = {
  target = { "string", doc = "The column to predict." },
  weights = { "string", doc = "The column with the weight of each row." },
  groups = { "string", doc = "The column of groups; rows of one group stay together in splits." },
  time = { "string", doc = "The column of times, which are numbers or dates." },
  folds = { "string", doc = "The column with the fold of each row, for the splitter \"predefined\"." },
  strata = { "string", doc = "The column of strata, whose shares stratified splits keep; default the classes." },
  coordinates = { "table", is = "string[]",
    doc = "The columns with the coordinates of each row, for the splitter \"spatial_blocks\"." },
  row_costs = { "table", is = "table<string, string>",
    doc = "For each class the column of what predicting it costs in a row." },
  costs = { "table", is = "costs", doc = "The costs of wrong predictions, rows by truth." },
  positive = { "string",
    doc = "The class that metrics, thresholds and curves of one class are of; default the second of two." },
}

-- `data` with the cost matrix that the options name.
function dataset.with_costs(data, o)
  return o.costs and data:with_costs(o.costs) or data
end

-- Raises unless the type of a column is a list of its levels, which it then has from there only.
local function check_levels(column)
  local what = ("dataset: column '%s'"):format(column.name)
  if #options.list(what .. ": the levels in 'type'", column.type) == 0 then
    native.fail(what .. ": the list of levels in 'type' is empty; name all levels in their order")
  end
  if column.levels then
    native.fail(what .. ": 'type' has the levels in their order; leave 'levels' out")
  end
end

dataset.drop_missing = { "table", is = "string[]",
  doc = "Columns or roles; rows without an entry in one of them are left out." }

dataset.infinite = { "string", words = { "refuse", "missing", "keep" },
  doc = "What becomes of infinite numbers; default \"refuse\"." }

local declared = options.declare("dataset", options.joined(dataset.roles, {
  name = { "string", "dataset", doc = "The name of the dataset in results." },
  columns = { "table!", is = "crossfold.ColumnOptions[]", doc = "The columns." },
  drop_missing = dataset.drop_missing,
  infinite = dataset.infinite,
}))
local column_options = options.declare("ColumnOptions", {
  name = { "string!", doc = "The name of the column." },
  values = { "table!", is = "any[]", doc = "Its entries; cf.null and NaN are missing." },
  type = { "string|table", names = { "categorical" }, is = "string[]",
    doc = "How entries are read: \"categorical\" for numbers that are classes; a list has all levels in their order." },
  levels = { "table", is = "string[]", doc = "All levels of a category without an order." },
})

function dataset.new(given)
  local o = options.check("dataset", given, declared)
  for i, column in ipairs(options.list("dataset: option 'columns'", o.columns)) do
    local c = options.check(("dataset: column %d"):format(i), column, column_options)
    if type(c.type) == "table" then
      check_levels(c)
    elseif c.type and c.type ~= "categorical" then
      native.fail("dataset: column '%s': type = '%s' is not one of categorical; other types follow from the values",
        c.name, c.type)
    end
  end
  return dataset.with_costs(native.dataset(o.name, o.columns, o), o)
end

local other_roles = {}
for name, one in pairs(dataset.roles) do
  other_roles[name] = name == "costs" and one
    or { one[1] .. "|boolean", is = (one.is or one[1]) .. "|false", doc = one.doc }
end
options.declare("Dataset:with_roles", other_roles)

-- data:with_roles{ target =, groups = false, ... }: the same rows and columns with other roles; those that
-- are not named stay, false takes one away.
function dataset.with_roles(data, given)
  options.dataset("with_roles", data)
  local o = options.check("with_roles", given, other_roles)
  for _, name in ipairs(options.sorted_keys(o)) do
    if o[name] == true then
      native.fail("with_roles: option '%s' is true; name a %s, or use false for none", name,
        name == "positive" and "class" or "column")
    end
    if o[name] == false then o[name] = (name == "row_costs" or name == "coordinates") and {} or "" end
  end
  return dataset.with_costs(native.with_roles(data, o), o)
end

-- data:filter(function(row, id) ... end): the rows for which the function returns true, as data:select
-- gives them. row.column is an entry as data:column shows it; `row` stands for one row after another.
function dataset.filter(data, keep)
  options.dataset("filter", data)
  if type(keep) ~= "function" then
    native.fail("filter: expected a function of a row, got a %s; write function(row) return ... end", type(keep))
  end
  local columns, kept, place = {}, {}, nil
  local row = setmetatable({}, {
    __index = function(_, name)
      if not columns[name] then columns[name] = data:column(name) end
      return columns[name][place]
    end,
    __newindex = function(_, name)
      native.fail("filter: cannot set '%s': a dataset never changes", tostring(name))
    end,
  })
  for i, id in ipairs(data:row_ids()) do
    place = i
    local answer = keep(row, id)
    if type(answer) ~= "boolean" then
      native.fail("filter: the function returned a %s for row %d; return true or false", type(answer), id)
    end
    if answer then kept[#kept + 1] = i end
  end
  return data:select(kept)
end

return dataset
