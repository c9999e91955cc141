-- Computes statistics of columns over all rows, to recognise them where they must not be.
local native = require "crossfold.native"

local statistics = {}

-- A number with fewer digits may be anyone's constant.
local fewest_digits = 7
local most_columns = 500

local function has_digits(x)
  if x ~= x or x == 0 or x - x ~= 0 then return false end
  local digits = native.format_number(math.abs(x)):gsub("[eE].*", ""):gsub("%.", ""):gsub("^0+", "")
  return #digits >= fewest_digits
end

-- { mean =, ["standard deviation"] =, ... } of the numbers of a list; nil without two of them.
local function describe(values)
  local n, sum, squares, low, high = 0, 0.0, 0.0, math.huge, -math.huge
  for _, x in ipairs(values) do
    if type(x) == "number" then
      n, sum, low, high = n + 1, sum + x, math.min(low, x), math.max(high, x)
    end
  end
  if n < 2 then return nil end
  local mean = sum / n
  for _, x in ipairs(values) do
    if type(x) == "number" then squares = squares + (x - mean) * (x - mean) end
  end
  return {
    mean = mean, ["standard deviation"] = math.sqrt(squares / (n - 1)),
    ["standard deviation (n)"] = math.sqrt(squares / n), variance = squares / (n - 1),
    ["variance (n)"] = squares / n, sum = sum, minimum = low, maximum = high, range = high - low,
  }
end

local names = { "mean", "standard deviation", "standard deviation (n)", "variance", "variance (n)",
  "sum", "minimum", "maximum", "range" }

local function agree(a, b) return math.abs(a - b) <= 1e-12 * math.max(math.abs(a), math.abs(b)) end

local function table_of(data)
  local list = {}
  local columns = data:features()
  if data:task() == "regression" then columns[#columns + 1] = data:roles().target end
  for i, name in ipairs(columns) do
    if i > most_columns then break end
    local described = describe(data:column(name))
    if described then list[#list + 1] = { column = name, values = described } end
  end
  return list
end

-- The statistic and the column that `x` is over all rows and not over the training rows of a place; nil
-- if it is none.
function statistics.of_all_rows(context, place, x)
  if not has_digits(x) then return nil end
  context.statistics = context.statistics or table_of(context.data)
  place.statistics = place.statistics or table_of(context.splits:train(place.split))
  local of_training = {}
  for _, entry in ipairs(place.statistics) do of_training[entry.column] = entry.values end
  for _, entry in ipairs(context.statistics) do
    local other = of_training[entry.column]
    for _, name in ipairs(names) do
      if agree(x, entry.values[name]) and not (other and agree(x, other[name])) then
        return name, entry.column
      end
    end
  end
end

-- Ranks of numbers, ties with their mean.
function statistics.ranks(values)
  local order, rank = {}, {}
  for i = 1, #values do order[i] = i end
  table.sort(order, function(a, b) return values[a] < values[b] end)
  local i = 1
  while i <= #order do
    local j = i
    while j < #order and values[order[j + 1]] == values[order[i]] do j = j + 1 end
    for k = i, j do rank[order[k]] = (i + j) / 2 end
    i = j + 1
  end
  return rank
end

-- Their correlation; nil if one does not vary.
function statistics.correlation(a, b)
  local n, mean_a, mean_b, aa, bb, ab = #a, 0.0, 0.0, 0.0, 0.0, 0.0
  for i = 1, n do mean_a, mean_b = mean_a + a[i] / n, mean_b + b[i] / n end
  for i = 1, n do
    local x, y = a[i] - mean_a, b[i] - mean_b
    aa, bb, ab = aa + x * x, bb + y * y, ab + x * y
  end
  return aa > 0 and bb > 0 and ab / math.sqrt(aa * bb) or nil
end

return statistics
