-- Checks for columns that hold the mean of the target in the levels of a column, written with few digits, shrunk
-- towards the mean of all, without the row itself, or under a monotone function.
--
-- A column may also follow the target for a good reason, as years of school do in the levels of a degree.
-- But it cannot know how the targets of these rows happened to fall; so its agreement with the means of
-- these rows is compared with what sampling leaves of it.
local native = require "crossfold.native"
local draws = require "crossfold.audit.draws"

local encoded = {}

-- Maximum number of entries that are read, and the number of levels below which nothing is shown.
local most_entries, fewest_levels, fewest_alike = 10000000, 5, 3
-- An agreement counts as proof if its chance is at most e^-20.
local proof = -20
-- Numbers may have been of single precision.
local single = 2.0 ^ -24

-- ---- levels ------------------------------------------------------------------------------------------

-- The level of each row as a number from 1 on and how many there are; nil if there are more than half
-- as many as rows, or too few.
local function levels_of(values)
  local number, of_row, count, most = {}, {}, 0, #values // 2
  for i, value in ipairs(values) do
    local level = number[value]
    if not level then
      count = count + 1
      if count > most then return nil end
      level = count
      number[value] = level
    end
    of_row[i] = level
  end
  return count >= fewest_levels and { of_row = of_row, count = count } or nil
end

-- Sum, number and variance of `response` in each level.
local function sums_of(levels, response)
  local sums, counts, variances = {}, {}, {}
  for level = 1, levels.count do sums[level], counts[level], variances[level] = 0.0, 0, 0.0 end
  for i, level in ipairs(levels.of_row) do
    sums[level], counts[level] = sums[level] + response[i], counts[level] + 1
  end
  for i, level in ipairs(levels.of_row) do
    local rest = response[i] - sums[level] / counts[level]
    variances[level] = variances[level] + rest * rest / counts[level]
  end
  return { sums = sums, counts = counts, variances = variances }
end

-- The value of each level if all its rows that have one have the same; nil otherwise.
local function value_by_level(values, levels)
  local by_level = {}
  for i, level in ipairs(levels.of_row) do
    local value = values[i]
    if value ~= native.null then
      if (by_level[level] or value) ~= value then return nil end
      by_level[level] = value
    end
  end
  return by_level
end

-- One row for each pair of level and target if the value of a row is a function of both, and falls where
-- the target rises; nil otherwise.
local function rows_by_level_and_target(values, levels, response)
  local first, row_of, rows = {}, {}, {}
  for i, level in ipairs(levels.of_row) do
    local value, y = values[i], response[i]
    if value ~= native.null then
      row_of[level] = row_of[level] or {}
      local known, start = row_of[level][y], first[level]
      if known and values[known] ~= value then return nil end
      if start and (value - values[start]) * (y - response[start]) > 0 then return nil end
      first[level] = start or i
      if not known then
        row_of[level][y] = i
        rows[#rows + 1] = i
      end
    end
  end
  return rows
end

-- ---- agreement to the digits that were written -------------------------------------------------------

-- Digits after the point, and significant ones, of a number's shortest text.
local function digits_of(x)
  local mantissa, exponent = native.format_number(math.abs(x)):match("^([%d.]+)[eE]?([+-]?%d*)$")
  if not mantissa then return 0, 0 end
  local behind = #(mantissa:match("%.(%d*)$") or "")
  local significant = mantissa:gsub("%.", ""):gsub("^0+", "")
  return math.max(0, behind - (tonumber(exponent) or 0)), #significant
end

-- By how much each item's value may differ from what was rounded: items[i].tolerance.
local function set_tolerances(items)
  local behind, significant, largest = 0, 0, 0.0
  for _, item in ipairs(items) do
    local b, s = digits_of(item.value)
    behind, significant = math.max(behind, b), math.max(significant, s)
    largest = math.max(largest, math.abs(item.value))
  end
  for _, item in ipairs(items) do
    local size = math.abs(item.value)
    local last = size > 0 and 10.0 ^ (math.floor(math.log(size, 10)) + 1 - significant) or 0.0
    item.tolerance = 0.5 * math.max(10.0 ^ -behind, last) * 1.000001 + 2 * single * largest
  end
end

-- Whether the differences of all values from the first are multiples of `step`, but for `tolerance`.
local function on_grid(values, step, tolerance)
  for i = 2, #values do
    local steps = (values[i] - values[1]) / step
    if math.abs(steps - math.floor(steps + 0.5)) * step > tolerance then return false end
  end
  return true
end

-- The width of the grid on which the values of the items lie, or a small width if there is none: what lies
-- on a grid meets the means, which are fractions of few rows, more easily.
local function grid_of(items)
  local values, gap, tolerance = {}, math.huge, 0.0
  for i, item in ipairs(items) do
    values[i], tolerance = item.value, math.max(tolerance, 2 * item.tolerance)
  end
  table.sort(values)
  for i = 2, #values do
    local difference = values[i] - values[i - 1]
    if difference > tolerance then gap = math.min(gap, difference) end
  end
  if gap == math.huge then return gap end
  local finest = 20
  for part = 1, finest do
    if gap / part <= tolerance then return tolerance end
    if on_grid(values, gap / part, tolerance) then return gap / part end
  end
  return gap / finest
end

-- The mean of an item, shrunk towards `prior` by the weight of `a` rows.
local function shrunk(item, prior, a) return (item.sum + a * prior) / (item.count + a) end

-- value = alpha + beta * shrunk mean by least squares: alpha, beta, the sum of squares that is left.
local function line(items, prior, a)
  local n, mean_z, mean_v, zz, zv = #items, 0.0, 0.0, 0.0, 0.0
  for _, item in ipairs(items) do
    mean_z, mean_v = mean_z + shrunk(item, prior, a) / n, mean_v + item.value / n
  end
  for _, item in ipairs(items) do
    local z = shrunk(item, prior, a) - mean_z
    zz, zv = zz + z * z, zv + z * (item.value - mean_v)
  end
  if zz <= 1e-18 then return nil end
  local beta = zv / zz
  local alpha, left = mean_v - beta * mean_z, 0.0
  for _, item in ipairs(items) do
    local rest = item.value - alpha - beta * shrunk(item, prior, a)
    left = left + rest * rest
  end
  return alpha, beta, left
end

local function within(items, prior, a, alpha, beta, share)
  for _, item in ipairs(items) do
    local rest = item.value - alpha - beta * shrunk(item, prior, a)
    if math.abs(rest) > share * item.tolerance then return false end
  end
  return true
end

-- log of the chance that a column that is a line of the true means meets those of these rows as exactly,
-- with `free` numbers fitted. A level counts once.
local function log_agreement(items, grid, beta, a, free)
  local logs, seen = {}, {}
  for _, item in ipairs(items) do
    if not seen[item.level] then
      seen[item.level] = true
      local noise = math.abs(beta) * item.deviation * item.count / (item.count + a)
      local width = math.max(2 * item.tolerance, grid)
      logs[#logs + 1] = noise > 0 and math.min(0, math.log(width / (2.5 * noise))) or 0
    end
  end
  table.sort(logs)
  local sum = 0.0
  for i = free + 1, #logs do sum = sum + logs[i] end
  return sum
end

-- The shrinkage between `low` and `high` (logarithms) that leaves least, by golden sections.
local function best_shrinkage(items, prior, low, high)
  local ratio = (math.sqrt(5) - 1) / 2
  local function left_at(t)
    local _, _, left = line(items, prior, math.exp(t))
    return left or math.huge
  end
  local a, b = high - ratio * (high - low), low + ratio * (high - low)
  local at_a, at_b = left_at(a), left_at(b)
  for _ = 1, 60 do
    if at_a <= at_b then
      high, b, at_b = b, a, at_a
      a = high - ratio * (high - low)
      at_a = left_at(a)
    else
      low, a, at_a = a, b, at_b
      b = low + ratio * (high - low)
      at_b = left_at(b)
    end
  end
  return math.exp((low + high) / 2)
end

-- exact_line for means that are shrunk towards `prior`.
local function shrunk_line(items, prior, grid)
  local _, _, least = line(items, prior, 0)
  local best
  for step = -4, 14 do
    local _, _, at = line(items, prior, math.exp(0.5 * step))
    if at and at < least then best, least = 0.5 * step, at end
  end
  if not best then return nil end
  local a = best_shrinkage(items, prior, best - 0.5, best + 0.5)
  local alpha, beta = line(items, prior, a)
  if alpha and within(items, prior, a, alpha, beta, 2) and log_agreement(items, grid, beta, a, 3) <= proof then
    return { beta = beta, shrunk = true }
  end
end

-- { beta =, shrunk = } if the items are a line of their means, as they are or shrunk towards one of
-- `priors`, to the digits that were written, and more exactly than chance allows; nil otherwise.
local function exact_line(items, priors)
  if #items < fewest_levels then return nil end
  set_tolerances(items)
  local grid = grid_of(items)
  for _, beta in ipairs { 1, 100 } do
    if within(items, 0, 0, 0, beta, 1) then
      return log_agreement(items, grid, beta, 0, 0) <= proof and { beta = beta } or nil
    end
  end
  local alpha, beta = line(items, 0, 0)
  if not alpha then return nil end
  -- A fit may be on the other side of the means by the same amount.
  if within(items, 0, 0, alpha, beta, 2) then
    return log_agreement(items, grid, beta, 0, 2) <= proof and { beta = beta } or nil
  end
  for _, prior in ipairs(priors) do
    local found = shrunk_line(items, prior, grid)
    if found then return found end
  end
end

-- What is added to both classes of a level before the logarithm of their ratio is taken.
local usual_additions = { 0.5, 1, 0, 0.1, 0.01, 0.001 }

-- { beta = } if the items are a line of log odds to the digits that were written, more exactly than chance
-- allows; nil otherwise. Needs the tolerances.
local function exact_log_odds(items)
  for _, c in ipairs(usual_additions) do
    local odds = {}
    for _, item in ipairs(items) do
      local yes, no = item.sum + c, item.count - item.sum + c
      if yes > 0 and no > 0 then
        odds[#odds + 1] = {
          level = item.level, value = item.value, tolerance = item.tolerance,
          sum = math.log(yes / no), count = 1,
          deviation = item.deviation * item.count * (1 / yes + 1 / no),
        }
      end
    end
    local alpha, beta = line(odds, 0, 0)
    if #odds >= fewest_levels and alpha and within(odds, 0, 0, alpha, beta, 2)
      and log_agreement(odds, grid_of(odds), beta, 0, 3) <= proof then
      return { beta = beta }
    end
  end
end

local function mean_of(list)
  local sum = 0.0
  for _, x in ipairs(list) do sum = sum + x end
  return sum / #list
end

-- ---- one column against the levels of another --------------------------------------------------------

-- Lowers what sampling is said to do to the means to what it does, as levels of the same number of rows show: the means
-- of matched sets, each with one case, are by design and do not vary. Fewer levels show nothing.
local function limit_deviations(items)
  local by_count = {}
  for _, item in ipairs(items) do
    by_count[item.count] = by_count[item.count] or {}
    table.insert(by_count[item.count], item)
  end
  for _, list in pairs(by_count) do
    if #list >= fewest_alike then
      local means = {}
      for i, item in ipairs(list) do means[i] = item.sum / item.count end
      local sd = native.summary(means).sd
      for _, item in ipairs(list) do item.deviation = math.min(item.deviation, sd) end
    end
  end
end

local function level_items(by_level, totals)
  local items = {}
  for level, count in ipairs(totals.counts) do
    if by_level[level] then
      items[#items + 1] = {
        level = level, value = by_level[level], sum = totals.sums[level], count = count,
        deviation = math.sqrt(totals.variances[level] / count), variance = totals.variances[level],
      }
    end
  end
  limit_deviations(items)
  return items
end

local function row_items(values, rows, levels, response, totals)
  local items = {}
  for _, i in ipairs(rows) do
    local level = levels.of_row[i]
    local count = totals.counts[level]
    if count > 1 then
      items[#items + 1] = {
        level = level, value = values[i], sum = totals.sums[level] - response[i], count = count - 1,
        deviation = math.sqrt(totals.variances[level] / count),
      }
    end
  end
  return items
end

-- What a column is of the means of one response in some levels: { how =, beta = }, nil if nothing.
local function relation(column, levels, response, seed)
  local values = column.values
  if response.sums[levels] == nil then response.sums[levels] = sums_of(levels, response.values) end
  local totals = response.sums[levels]
  local by_level = value_by_level(values, levels)
  if by_level then
    local items = level_items(by_level, totals)
    local found = exact_line(items, response.priors)
    if found then return { how = found.shrunk and "shrunk" or "mean", beta = found.beta } end
    found = response.is_class and exact_log_odds(items)
    if found then return { how = "odds", beta = found.beta } end
    -- Any count that the target rises with has the order of the means in its own levels.
    if levels == column.levels then return nil end
    local beta, draw_count = draws.monotone(items, response.is_class, seed)
    return beta and { how = "monotone", beta = beta, draws = draw_count } or nil
  end
  local rows = rows_by_level_and_target(values, levels, response.values)
  if not rows and response.opposite then
    rows = rows_by_level_and_target(values, levels, response.opposite)
  end
  local found = rows and exact_line(row_items(values, rows, levels, response.values, totals), response.priors)
  return found and { how = "without", beta = found.beta } or nil
end

-- The responses whose means are looked for: the target, or one for each class (one of two).
local function responses_of(data)
  if data:task() == "regression" then
    local values = data:target()
    return { { values = values, priors = { mean_of(values) }, sums = {} } }
  end
  local list, target, classes = {}, data:target(), data:classes()
  for k, class in ipairs(#classes == 2 and { classes[1] } or classes) do
    local values, opposite = {}, {}
    for i, label in ipairs(target) do
      values[i] = label == class and 1 or 0
      opposite[i] = 1 - values[i]
    end
    list[k] = { values = values, opposite = opposite, sums = {}, is_class = true, class = class,
      priors = { mean_of(values), 1 / #classes }, other = #classes == 2 and classes[2] or nil }
  end
  return list
end

local function is_numeric(values)
  for _, value in ipairs(values) do
    if type(value) ~= "number" and value ~= native.null then return false end
  end
  return true
end

-- The columns of `data` that may be encodings, and those that may have been encoded.
local function candidates(data)
  local numeric, named, roles = {}, {}, data:roles()
  local names = data:features()
  for _, role in ipairs { roles.groups, roles.strata } do names[#names + 1] = role end
  for i, name in ipairs(names) do
    local values = data:column(name)
    local column = { name = name, values = values, levels = levels_of(values) }
    local numbers = is_numeric(values)
    if numbers and i <= #data:features() then numeric[#numeric + 1] = column end
    if column.levels and (not numbers or math.type(values[1]) == "integer") then
      named[#named + 1] = column
    end
  end
  return numeric, named
end

-- The first relation of a column to the target in the levels of another, or in its own; nil if none.
local function first_relation(column, named, responses, seed)
  local function by(other)
    for _, response in ipairs(responses) do
      local found = relation(column, other.levels, response, seed)
      if found then
        found.by = other ~= column and other.name or nil
        found.class = response.class
        if response.other and found.beta < 0 then found.class = response.other end
        return found
      end
    end
  end
  for _, other in ipairs(named) do
    local found = other ~= column and by(other)
    if found then return found end
  end
  return column.levels and by(column) or nil
end

local kinds = {
  mean = "is the mean of the target%s %s, to the digits that it is written with, test rows included",
  shrunk = "is the mean of the target%s %s, with every level shrunk towards one number, test rows included",
  odds = "is the weight of evidence (the logarithm of the odds) of the target%s %s, test rows included",
  without = "is the mean of the target%s %s without the row itself, so that it reveals the target of each row",
  monotone = "has the order of the means of the target%s %s, more exactly than in any of %d draws of other "
    .. "targets; if it was made of the target, it knows that of test rows",
}

local function message_of(name, found)
  local share = found.class and (" (the share of '%s')"):format(found.class) or ""
  local where = found.by and ("in the levels of column '%s'"):format(found.by) or "over all rows with the same value"
  return ("column '%s' %s; encode the target in a transform, which is fitted on training rows only")
    :format(name, kinds[found.how]:format(share, where, found.draws))
end

-- Adds what is found about encoded columns of all rows but those in `known` (a set of names), and adds
-- these to `known`. context = { data, seed, findings }.
function encoded.check(context, known)
  local data = context.data
  if #data * #data:features() > most_entries then
    return context.findings:check("target encodings", nil, ("the data have more than %d entries"):format(most_entries))
  end
  local numeric, named = candidates(data)
  local responses = responses_of(data)
  for _, column in ipairs(numeric) do
    local found = not known[column.name]
      and first_relation(column, named, responses, native.seed(context.seed, "audit", "encoded"))
    if found then
      known[column.name] = true
      context.findings:add {
        severity = found.how == "monotone" and "risk" or "leak", kind = "target_encoded", stage = "data",
        columns = { column.name }, cause = found.how, message = message_of(column.name, found),
      }
    end
  end
  context.findings:check("target encodings")
end

return encoded
