-- Puts the features of two datasets into one, whose target says from which of them a row is.
local native = require "crossfold.native"

local old_and_new = {}

local function refuse(old, new, finding)
  native.fail(("cannot compare '%s' with '%s': %s"):format(new:name(), old:name(), finding))
end

-- The features of `old` that are features of `new`, and those that one of them lacks.
local function shared_features(old, new)
  local is_new, is_old, shared, missing = {}, {}, {}, {}
  for _, name in ipairs(new:features()) do is_new[name] = true end
  for _, name in ipairs(old:features()) do
    is_old[name] = true
    table.insert(is_new[name] and shared or missing, name)
  end
  local target = old:roles().target
  for _, name in ipairs(new:features()) do
    if not is_old[name] and name ~= target then missing[#missing + 1] = name end
  end
  return shared, missing
end

local function type_of(values)
  for _, value in ipairs(values) do
    if value ~= native.null then return type(value) end
  end
end

-- The entries of a column of both, old ones first.
local function joined_column(old, new, name)
  local values, more = old:column(name), new:column(name)
  local a, b = type_of(values), type_of(more)
  if a and b and a ~= b then
    refuse(old, new, ("column '%s' has values of type %s in one and %s in the other; read both with the same types")
      :format(name, a, b))
  end
  return table.move(more, 1, #more, #values + 1, values)
end

-- A role column for both: `groups` of the old rows, then of the new ones. A group on both sides is refused, as its
-- rows are old and new at once.
local function joined_groups(old, new)
  local name, other = old:roles().groups, new:roles().groups
  if not name and not other then return nil end
  if not name or not other then
    refuse(old, new, "only one of them names groups; read both with groups = \"<column>\"")
  end
  local groups, more, is_old = old:column(name), new:column(other), {}
  for i, group in ipairs(groups) do is_old[group], groups[i] = true, tostring(group) end
  for i, group in ipairs(more) do
    if is_old[group] then
      refuse(old, new, ("group '%s' is in both, so its rows depend on each other; leave it out of one with data:filter")
        :format(tostring(group)))
    end
    groups[#old + i] = tostring(group)
  end
  return groups
end

-- { columns = of the features of both, old rows first, features = their names, missing = names that one lacks, groups =
-- the group of each row or nil }.
function old_and_new.join(old, new)
  local shared, missing = shared_features(old, new)
  if #shared == 0 then refuse(old, new, "they have no feature in common; name the columns alike") end
  local columns = {}
  for i, name in ipairs(shared) do columns[i] = { name = name, values = joined_column(old, new, name) } end
  return { columns = columns, features = shared, missing = missing, groups = joined_groups(old, new) }
end

-- A name that no column of the list has.
function old_and_new.free_name(columns, name)
  local taken = {}
  for _, column in ipairs(columns) do taken[column.name] = true end
  while taken[name] do name = name .. "_" end
  return name
end

return old_and_new
