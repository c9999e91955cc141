-- Checks whether the order of the rows reveals the target.
local statistics = require "crossfold.audit.statistics"

local row_order = {}

-- How the number of runs of equal classes along the rows differs from what a random order has, in
-- standard deviations (A. Wald and J. Wolfowitz 1940; of several classes: A. M. Mood 1940).
local function runs_deviation(target)
  local n, counts, runs = #target, {}, 1
  for i, class in ipairs(target) do
    counts[class] = (counts[class] or 0) + 1
    if i > 1 and class ~= target[i - 1] then runs = runs + 1 end
  end
  local list = {}
  for _, count in pairs(counts) do list[#list + 1] = count end
  table.sort(list)
  if #list < 2 or n < 20 then return nil end
  local squares, cubes = 0, 0
  for _, count in ipairs(list) do squares, cubes = squares + count ^ 2, cubes + count ^ 3 end
  local mean = (n * (n + 1) - squares) / n
  local variance = (squares * (squares + n * (n + 1)) - 2 * n * cubes - n ^ 3) / (n * n * (n - 1))
  if variance <= 0 then return nil end
  return (runs - mean) / math.sqrt(variance)
end

-- Rank correlation of a numeric target with the number of the row, in standard deviations.
local function order_deviation(data)
  local target = data:target()
  if data:task() == "classification" then
    local deviation = runs_deviation(target)
    return deviation and -deviation
  end
  if #target < 20 then return nil end
  local order = {}
  for i = 1, #target do order[i] = i end
  local r = statistics.correlation(statistics.ranks(target), order)
  return r and math.abs(r) * math.sqrt(#target - 1)
end

-- Whether a column of whole numbers, all different, goes up or down with the rows.
local function is_row_number(values)
  local up, down = true, true
  for i = 1, #values do
    if math.type(values[i]) ~= "integer" then return false end
    if i > 1 then
      up, down = up and values[i] > values[i - 1], down and values[i] < values[i - 1]
    end
  end
  return #values > 1 and (up or down)
end

-- Adds what is found about the order. context = { data, findings }.
function row_order.check(context)
  local data = context.data
  local deviation = order_deviation(data)
  if not deviation then
    return context.findings:check("order of the rows", nil, "it needs 20 rows and two classes")
  end
  context.findings:check("order of the rows")
  if deviation < 6 then return end
  local found = false
  for _, name in ipairs(data:features()) do
    if is_row_number(data:column(name)) then
      found = true
      context.findings:add {
        severity = "risk", kind = "id_order", stage = "data", columns = { name }, cause = "id",
        message = ("column '%s' is a number of the row, and the rows are in the order of the target, so "
          .. "that it reveals the target; leave it out"):format(name),
      }
    end
  end
  if not found then
    context.findings:add {
      severity = "note", kind = "sorted", stage = "data",
      message = "the rows are in the order of the target; a splitter that does not shuffle puts other "
        .. "targets into the test rows than into the training rows",
    }
  end
end

return row_order
