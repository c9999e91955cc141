-- Datasets from lists, and others with the same columns: cf.dataset, data:filter, data:with_roles.
local native = require "crossfold.native"
local options = require "crossfold.options"

local dataset = {}

local role_names = { "target", "weights", "groups", "time", "folds", "strata" }

-- `declared` with the options that say what columns are for; `or_type` is another type that they may have.
function dataset.declare_roles(declared, or_type)
  local more = or_type and "|" .. or_type or ""
  for _, name in ipairs(role_names) do declared[name] = { "string" .. more } end
  declared.row_costs, declared.costs = { "table" .. more }, { "table" }
  return declared
end

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

-- cf.dataset{ name =, columns = { { name =, values =, type =, levels = }, ... }, target =, ... }
function dataset.new(given)
  local o = options.check("dataset", given, dataset.declare_roles {
    name = { "string", "dataset" }, columns = { "table!" }, drop_missing = { "table" },
  })
  for i, column in ipairs(options.list("dataset: option 'columns'", o.columns)) do
    local c = options.check(("dataset: column %d"):format(i), column, {
      name = { "string!" }, values = { "table!" }, type = { "string|table" }, levels = { "table" },
    })
    if type(c.type) == "table" then
      check_levels(c)
    elseif c.type and c.type ~= "categorical" then
      native.fail(("dataset: column '%s': type = '%s' is none of categorical; other types follow from "
        .. "the values"):format(c.name, c.type))
    end
  end
  return dataset.with_costs(native.dataset(o.name, o.columns, o), o)
end

-- data:with_roles{ target =, groups = false, ... }: the same rows and columns with other roles; those that
-- are not named stay, false takes one away.
local function with_roles(data, given)
  options.dataset("with_roles", data)
  local o = options.check("with_roles", given, dataset.declare_roles({}, "boolean"))
  for _, name in ipairs(options.sorted_keys(o)) do
    if o[name] == true then
      native.fail(("with_roles: option '%s' is true; name a column, or say false for none"):format(name))
    end
    if o[name] == false then o[name] = name == "row_costs" and {} or "" end
  end
  return dataset.with_costs(native.with_roles(data, o), o)
end

-- data:filter(function(row, id) ... end): the rows for which the function returns true, as data:select
-- gives them. row.column is an entry as data:column shows it; `row` stands for one row after another.
local function filter(data, keep)
  options.dataset("filter", data)
  if type(keep) ~= "function" then
    native.fail(("filter: expected a function of a row, got a %s; write function(row) return ... end")
      :format(type(keep)))
  end
  local columns, kept, place = {}, {}, nil
  local row = setmetatable({}, {
    __index = function(_, name)
      if not columns[name] then columns[name] = data:column(name) end
      return columns[name][place]
    end,
    __newindex = function(_, name)
      native.fail(("filter: cannot set '%s': a dataset never changes"):format(tostring(name)))
    end,
  })
  for i, id in ipairs(data:row_ids()) do
    place = i
    local answer = keep(row, id)
    if type(answer) ~= "boolean" then
      native.fail(("filter: the function returned a %s for row %d; return true or false"):format(
        type(answer), id))
    end
    if answer then kept[#kept + 1] = i end
  end
  return data:select(kept)
end

native.add_data_method("filter", native.entry(filter))
native.add_data_method("with_roles", native.entry(with_roles))

return dataset
