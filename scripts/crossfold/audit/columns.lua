-- Checks for columns that reveal the target.
local native = require "crossfold.native"
local number_text = require "crossfold.text.number_text"
local encoded = require "crossfold.audit.encoded"
local made_columns = require "crossfold.audit.made_columns"
local run = require "crossfold.run"
local splitter = require "crossfold.splitter"
local statistics = require "crossfold.audit.statistics"

local columns = {}

-- Maximum number of rows that are examined, and of columns by one rule.
local most_rows, most_rules = 20000, 200
-- A pattern counts as proof if its chance in random order is at most e^-20.
local proof = -20

local function log_factorial(n)
  local sum = 0.0
  for i = 2, n do sum = sum + math.log(i) end
  return sum
end

-- ---- values that stand for the target one by one -----------------------------------------------------

-- Whether the values of a list and the classes are the same but for their names; missing counts as a
-- value.
local function is_one_to_one(values, target)
  local class_of, value_of = {}, {}
  for i, value in ipairs(values) do
    local class = target[i]
    if (class_of[value] or class) ~= class or (value_of[class] or value) ~= value then return false end
    class_of[value], value_of[class] = class, value
  end
  return true
end

-- log of the chance that a random order of values fits classes of these sizes one to one.
local function log_chance(target)
  local sizes, list, n = {}, {}, #target
  for _, class in ipairs(target) do sizes[class] = (sizes[class] or 0) + 1 end
  for _, size in pairs(sizes) do list[#list + 1] = size end
  table.sort(list)  -- the order of pairs must not reach the sum
  local log = log_factorial(#list) - log_factorial(n)
  for _, size in ipairs(list) do log = log + log_factorial(size) end
  return log
end

-- The missing entries of a list as a list of booleans; nil if there are none.
local function missing_of(values)
  local missing, any = {}, false
  for i, value in ipairs(values) do
    missing[i] = value == native.null
    any = any or missing[i]
  end
  return any and missing or nil
end

local function add_copy(context, name, cause, message)
  context.findings:add {
    severity = "leak", kind = "target_copy", stage = "data", columns = { name }, cause = cause,
    message = message,
  }
end

-- Whether column `name` is a copy of the classes.
local function check_class_copy(context, name, values, target)
  if is_one_to_one(values, target) then
    add_copy(context, name, "names", ("column '%s' is the target under other names: each of its "
      .. "values belongs to one class, and each class to one value; leave it out"):format(name))
    return true
  end
  local missing = missing_of(values)
  if missing and is_one_to_one(missing, target) then
    add_copy(context, name, "missing", ("column '%s' is missing in all rows of one class and there "
      .. "only; leave it out, or find out when it is filled in"):format(name))
    return true
  end
  return false
end

-- The rows where both are numbers.
local function number_pairs(values, target)
  local a, b = {}, {}
  for i, value in ipairs(values) do
    if type(value) == "number" then a[#a + 1], b[#b + 1] = value, target[i] end
  end
  return a, b
end

local function check_number_copy(context, name, values, target)
  local a, b = number_pairs(values, target)
  if #a < 20 or #a < 0.5 * #values then return false end
  local r = statistics.correlation(a, b)
  if r and 1 - math.abs(r) < 1e-9 then
    add_copy(context, name, "unit", ("column '%s' is the target in another unit: their correlation "
      .. "is %s; leave it out"):format(name, number_text.fixed(r)))
    return true
  end
  local of_ranks = statistics.correlation(statistics.ranks(a), statistics.ranks(b))
  if of_ranks and 1 - math.abs(of_ranks) < 1e-9 then
    add_copy(context, name, "order", ("column '%s' puts the rows into the order of the target: their rank "
      .. "correlation is %s; leave it out"):format(name, number_text.fixed(of_ranks)))
    return true
  end
  return false
end

-- ---- one column that knows nearly all ----------------------------------------------------------------

-- Accuracy of a small tree on one column each, in cross-validation; nil where there is none.
local function rule_accuracies(context, data, names)
  local learner = native.pipeline { native.spec("learner", "decision_tree", { max_depth = 6 }) }
  local splits = native.split(splitter.default_folds(data, 5), data,
    native.seed(context.seed, "audit", "rules"))
  local accuracy, cells, tasks = {}, {}, {}
  for i, name in ipairs(names) do
    local one = native.with_features(data, { name }, {})
    cells[i] = { learner = learner, splits = native.splits_over(splits, one), split = 1,
      count = #splits, seed = context.seed, metrics = { native.spec("metric", "accuracy") },
      keep = "none" }
  end
  tasks[1] = function()
    local outcomes = run.run(cells)
    for i = 1, #names do
      local sum, count = 0.0, 0
      for s = 1, #splits do
        local k = (i - 1) * #splits + s
        local value = outcomes:ok(k) and outcomes:score(k, 1)
        if value then sum, count = sum + value, count + 1 end
      end
      accuracy[i] = count > 0 and sum / count or nil
    end
  end
  run.parallel(tasks, context.how)
  return accuracy
end

-- A column that predicts (nearly) every class by itself, where no other does.
local function check_rules(context, data, copies)
  local names = {}
  for _, name in ipairs(data:features()) do
    if not copies[name] and #names < most_rules then names[#names + 1] = name end
  end
  if data:task() ~= "classification" or #data < 50 or #names < 2 then
    return context.findings:check("one column alone", nil, "it needs classes, 50 rows and two columns")
  end
  local ok, accuracy = native.attempt(rule_accuracies, context, data, names)
  if not ok then return context.findings:check("one column alone", nil, tostring(accuracy)) end
  local best, second = nil, -1
  for i = 1, #names do
    local value = accuracy[i] or -1
    if not best or value > (accuracy[best] or -1) then
      second = best and accuracy[best] or second
      best = i
    elseif value > second then
      second = value
    end
  end
  context.findings:check("one column alone")
  if (accuracy[best] or 0) < 0.99 or second >= 0.95 then return end
  context.findings:add {
    severity = "risk", kind = "target_predictor", stage = "data", columns = { names[best] },
    message = ("column '%s' alone predicts %s of the classes, the next best column %s; make sure "
      .. "that it is known before the target is"):format(names[best],
      number_text.share(accuracy[best]), second < 0 and "none" or number_text.share(second)),
  }
end

-- ---- the order of the rows ----------------------------------------------------------------------------

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
local function check_order(context)
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

-- Adds what is found about single columns. context = { data, seed, how, findings }.
function columns.check(context)
  local data, copies = context.data, {}
  if #data > most_rows then
    data = data:select(native.draw(#data, most_rows, false, native.seed(context.seed, "audit", "rows")))
    context.findings:check(("columns, on %d of %d rows"):format(#data, #context.data))
  else
    context.findings:check("columns")
  end
  local target, classes = data:target(), data:task() == "classification"
  local provable = not classes or log_chance(target) < proof
  for _, name in ipairs(provable and data:features() or {}) do
    local check = classes and check_class_copy or check_number_copy
    copies[name] = check(context, name, data:column(name), target) or nil
  end
  local known = {}
  for name in pairs(copies) do known[name] = true end
  for _, name in ipairs(data:features()) do
    if not copies[name] then known[name] = made_columns.check(context, data, name) end
  end
  encoded.check(context, known)
  check_rules(context, data, copies)
  check_order(context)
end

return columns
