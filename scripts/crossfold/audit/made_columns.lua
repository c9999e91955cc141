-- Checks for columns that look as if they were made from all rows, before the split.
local native = require "crossfold.native"

local made_columns = {}

-- Numbers of a list without missing entries, nil if there is anything else in it.
local function numbers_of(values)
  local list = {}
  for _, value in ipairs(values) do
    if type(value) == "number" then
      list[#list + 1] = value
    elseif value ~= native.null then
      return nil
    end
  end
  return list
end

local function mean_and_deviation(list)
  local sum, squares = 0.0, 0.0
  for _, x in ipairs(list) do sum = sum + x end
  local mean = sum / #list
  for _, x in ipairs(list) do squares = squares + (x - mean) * (x - mean) end
  return mean, math.sqrt(squares / #list), math.sqrt(squares / math.max(1, #list - 1))
end

local function counts_of(list)
  local counts, distinct = {}, 0
  for _, x in ipairs(list) do
    if not counts[x] then distinct = distinct + 1 end
    counts[x] = (counts[x] or 0) + 1
  end
  return counts, distinct
end

-- Mean 0 and standard deviation 1 over all rows.
local function is_standardized(list)
  local mean, population, sample = mean_and_deviation(list)
  return math.abs(mean) < 1e-9 and (math.abs(population - 1) < 1e-9 or math.abs(sample - 1) < 1e-9)
end

local function is_between_0_and_1(list, distinct)
  local low, high = math.huge, -math.huge
  for _, x in ipairs(list) do low, high = math.min(low, x), math.max(high, x) end
  return distinct > 10 and low == 0 and high == 1
end

-- The value that stands in several rows and is the mean of all other rows; nil if none.
local function filled_mean(list, counts)
  local sum, frequent, most = 0.0, nil, 2
  for _, x in ipairs(list) do sum = sum + x end
  for i, x in ipairs(list) do
    if counts[x] > most then frequent, most = list[i], counts[x] end
  end
  if not frequent or #list - most < 10 or frequent == math.floor(frequent) then return nil end
  local others = (sum - most * frequent) / (#list - most)
  local _, deviation = mean_and_deviation(list)
  return math.abs(others - frequent) < 1e-9 * deviation and frequent or nil
end

-- Whether each value is the mean of the target (of the share of one class) in the rows that have it.
local function is_target_mean(values, target, distinct)
  if distinct < 3 or distinct > #values / 2 then return false end
  local sums, counts = {}, {}
  for i, value in ipairs(values) do
    if type(value) ~= "number" then return false end
    sums[value] = (sums[value] or 0) + target[i]
    counts[value] = (counts[value] or 0) + 1
  end
  for value, sum in pairs(sums) do
    if math.abs(sum / counts[value] - value) > 1e-9 * math.max(1, math.abs(value)) then return false end
  end
  return true
end

-- The class whose share the values are, or true for a numeric target; nil if they are none.
local function encoded_target(data, values, distinct)
  local target = data:target()
  if data:task() == "regression" then return is_target_mean(values, target, distinct) or nil end
  for _, class in ipairs(data:classes()) do
    local share = {}
    for i, label in ipairs(target) do share[i] = label == class and 1 or 0 end
    if is_target_mean(values, share, distinct) then return class end
  end
end

local function add_made(context, severity, kind, name, message)
  context.findings:add {
    severity = severity, kind = kind, stage = "data", columns = { name }, cause = kind,
    message = message,
  }
end

-- Adds what is found about column `name` of `data`; whether it is an encoding of the target.
-- context = { findings }.
function made_columns.check(context, data, name)
  local values = data:column(name)
  local list = numbers_of(values)
  if not list or #list < 20 then return false end
  local counts, distinct = counts_of(list)
  local class = encoded_target(data, values, distinct)
  if class then
    add_made(context, "leak", "target_encoded", name, ("column '%s' is the mean of the target%s "
      .. "over all rows with the same value, test rows included; encode the target in a transform, "
      .. "which is fitted on training rows only"):format(name,
      class ~= true and (" (the share of '%s')"):format(class) or ""))
    return true
  elseif distinct > 2 and is_standardized(list) then
    return add_made(context, "risk", "scaled_before_split", name, ("column '%s' has mean 0 and standard "
      .. "deviation 1 over all rows, so it was scaled before the split; use "
      .. "cf.transform(\"standardize\") in a pipeline"):format(name))
  elseif is_between_0_and_1(list, distinct) then
    add_made(context, "note", "scaled_before_split", name, ("column '%s' goes from 0 to 1 over all rows; "
      .. "if it was scaled, use cf.transform(\"min_max\") in a pipeline"):format(name))
  end
  local fill = filled_mean(list, counts)
  if fill then
    add_made(context, "risk", "filled_before_split", name, ("column '%s' has the mean of its other rows "
      .. "in %d rows, so missing entries were filled in before the split; use "
      .. "cf.transform(\"impute\") in a pipeline"):format(name, counts[fill]))
  end
  return false
end

return made_columns
