-- Measured coverage of intervals and class sets: over all rows, by the levels of a column, and by blocks of rows in
-- their order.
local native = require "crossfold.native"
local options = require "crossfold.options"

local coverage = {}

local most_levels = 50

-- The rows of one prediction, added to `rows`: { id =, covered =, width = }. `regions` is as
-- native.prediction_regions gives it.
local function add_rows(rows, prediction, regions)
  local ids, truth = prediction:row_ids(), prediction:truth()
  for i, id in ipairs(ids) do
    local row = { id = id }
    if regions.sets then
      row.covered, row.width = false, #regions.sets[i]
      for _, class in ipairs(regions.sets[i]) do row.covered = row.covered or class == truth[i] end
    else
      row.covered = truth[i] >= regions.low[i] and truth[i] <= regions.high[i]
      row.width = regions.high[i] - regions.low[i]
    end
    rows[#rows + 1] = row
  end
end

-- Why the rows are not independent, so that there is no interval of the coverage; nil: they are.
local function dependence(rows, data)
  if data and data:roles().groups then return "the rows of a group depend on each other" end
  local seen = {}
  for _, row in ipairs(rows) do
    if seen[row.id] then return "rows were tested repeatedly" end
    seen[row.id] = true
  end
end

-- One line: what is covered of `rows`.
local function measured(kind, name, rows, how)
  local covered, width, infinite = 0, 0.0, 0
  for _, row in ipairs(rows) do
    if row.covered then covered = covered + 1 end
    if row.width == math.huge then infinite = infinite + 1 else width = width + row.width end
  end
  local line = { kind = kind, name = name, rows = #rows, covered = covered, infinite = infinite, undefined = how.why }
  if #rows == 0 then
    line.undefined = "there are no rows"
    return line
  end
  line.coverage = covered / #rows
  if infinite == 0 then line.width = width / #rows end
  if not how.why then
    local interval = native.accuracy_interval(covered, #rows, "wilson", how.confidence)
    line.low, line.high = interval.low, interval.high
  end
  return line
end

-- column[id] = the entry of each row of `data`.
local function entries_of(data, column)
  local entries, ids = {}, data:row_ids()
  for i, entry in ipairs(data:column(column)) do entries[ids[i]] = entry end
  return entries
end

-- One line for every level of the column `by`.
local function by_levels(what, rows, data, by, how)
  local entries, of, names = entries_of(data, by), {}, {}
  for _, row in ipairs(rows) do
    local entry = entries[row.id]
    local name = entry == native.null and "missing" or type(entry) == "number" and native.format_number(entry)
      or tostring(entry)
    if not of[name] then of[name], names[#names + 1] = {}, name end
    table.insert(of[name], row)
  end
  if #names > most_levels then
    native.fail("%s: column '%s' has %d different values, more than %d; use a column with fewer, as ranges of it", what,
      by, #names, most_levels)
  end
  local lines = {}
  for i, name in ipairs(native.order_levels(names)) do lines[i] = measured("by", name, of[name], how) end
  return lines
end

-- The rows in the order of time, if the data have one, else of the file; rows of one time stay in that order.
local function in_order(rows, data)
  local ordered, times = table.move(rows, 1, #rows, 1, {}), {}
  local ids = data and data:roles().time and data:row_ids() or {}
  for i, time in ipairs(#ids > 0 and native.times(data) or {}) do times[ids[i]] = time end
  local place = {}
  for i, row in ipairs(ordered) do place[row] = i end
  table.sort(ordered, function(a, b)
    local x, y = times[a.id] or 0, times[b.id] or 0
    if x ~= y then return x < y end
    if a.id ~= b.id then return a.id < b.id end
    return place[a] < place[b]
  end)
  return ordered
end

-- One line for each of `n` blocks of rows in their order; sizes differ by at most one.
local function by_blocks(what, rows, data, n, how)
  if n < 2 or n > #rows then
    native.fail("%s: blocks = %d is out of range; use 2 to %d, the number of rows", what, n, #rows)
  end
  local lines, ordered, last = {}, in_order(rows, data), 0
  for b = 1, n do
    local to = b * #rows // n
    local of = table.move(ordered, last + 1, to, 1, {})
    lines[b] = measured("block", ("rows %d to %d"):format(of[1].id, of[#of].id), of, how)
    last = to
  end
  return lines
end

local found = options.class "crossfold.Coverage"

local function number(x) return native.format_number(x, 3) end

local function interval_text(line, confidence)
  if not line.low then return "" end
  return (" (%s%% interval %s to %s)"):format(native.format_number(100 * confidence), number(line.low),
    number(line.high))
end

-- Lines of a kind whose coverage is below what was asked for, even if the level is shared by all lines of the kind
-- (Bonferroni), and the lowest of all.
local function below(self, kind)
  local lines, low, lowest = {}, {}, nil
  for _, line in ipairs(self.lines) do
    if line.kind == kind then lines[#lines + 1] = line end
  end
  for _, line in ipairs(lines) do
    if line.coverage and (not lowest or line.coverage < lowest.coverage) then lowest = line end
    if line.low then
      local interval = native.accuracy_interval(line.covered, line.rows, "wilson", 1 - (1 - self.confidence) / #lines)
      if interval.high < self.asked then low[#low + 1] = line.name end
    end
  end
  return low, lowest
end

local function kind_sentence(self, kind, title)
  local low, lowest = below(self, kind)
  if not lowest then return nil end
  local text = ("Lowest %s: %s of %d rows in '%s'."):format(title, number(lowest.coverage), lowest.rows, lowest.name)
  if lowest.undefined then return text end
  if #low == 0 then
    return text .. (" Nothing is below %s by more than chance (Bonferroni)."):format(native.format_number(self.asked))
  end
  return ("%s Below %s by more than chance (Bonferroni): %s. Coverage is guaranteed on average over all rows, not in "
    .. "each part."):format(text, native.format_number(self.asked), table.concat(low, ", "))
end

-- Sentences for people.
function found:sentence()
  local all, list = self.lines[1], {}
  if not all.coverage then return "Nothing was measured: there are no rows." end
  list[1] = ("%s of %d rows are covered%s; %s was asked for%s."):format(number(all.coverage), all.rows,
    interval_text(all, self.confidence), native.format_number(self.asked),
    all.low and (all.high < self.asked and ", which is more" or all.low > self.asked and ", which is less" or "") or "")
  if all.undefined then list[#list + 1] = ("There is no interval of it: %s."):format(all.undefined) end
  list[#list + 1] = kind_sentence(self, "by", ("by '%s'"):format(self.by or ""))
  list[#list + 1] = kind_sentence(self, "block", "of the blocks in order")
  list[#list + 1] = self.guarantee
  return table.concat(list, "\n")
end

-- The columns of tables, and their rows.
local function shown(self)
  local width = self.of_sets and "mean size" or "mean width"
  local columns, rows, infinite = { "part", "rows", "coverage", "low", "high", width }, {}, false
  for i, line in ipairs(self.lines) do
    local name = line.kind == "by" and ("%s = %s"):format(self.by, line.name) or line.name
    rows[i] = { part = name, rows = line.rows, coverage = line.coverage, low = line.low, high = line.high,
      [width] = line.width, infinite = line.infinite }
    infinite = infinite or line.infinite > 0
  end
  if infinite then columns[#columns + 1] = "infinite" end
  return columns, rows
end

function found:__tostring() return native.table_text(shown(self)) .. "\n" .. self:sentence() end

local to_options = options.declare("Coverage:to", options.outputs { "csv", "json" })

-- coverage:to{ csv = path } or to{ json = path }; with `true` the text is returned.
function found:to(given)
  local o = options.check("to", given, to_options)
  local format = options.one_of("to", o, { "csv", "json" })
  local render = format == "json" and native.table_json or native.table_csv
  return options.write_text(o[format], render(shown(self)))
end

options.methods(found, { "sentence", "to" }, nil, { "to" })

-- What is covered of rows; `asked` and `guarantee` are those of the prediction, `data` has the rows (nil: unknown).
local function measure(what, rows, data, o, of)
  if not (o.confidence > 0 and o.confidence < 1) then
    native.fail("%s: confidence = %s is out of range; use a level above 0 and below 1", what,
      native.format_number(o.confidence))
  end
  local how = { confidence = o.confidence, why = dependence(rows, data) }
  local lines = { measured("all", "all rows", rows, how) }
  local function add(more) table.move(more, 1, #more, #lines + 1, lines) end
  if o.by then
    if not data then native.fail(what .. ": the data of the rows are not there, so there is no column of them") end
    add(by_levels(what, rows, data, o.by, how))
  end
  if o.blocks then add(by_blocks(what, rows, data, o.blocks, how)) end
  return setmetatable({
    lines = lines, asked = of.coverage, guarantee = of.guarantee, by = o.by, confidence = o.confidence,
    of_sets = of.sets ~= nil,
  }, found)
end

local own_options = {
  by = { "string", doc = "A column: coverage is measured for each of its values, too." },
  blocks = { "integer", doc = "Number of blocks of rows in order (of time, if the data have one), to see drift." },
  confidence = options.confidence,
}
local prediction_options = options.declare("Prediction:coverage", own_options)
local result_options = options.declare("Result:coverage", options.joined(own_options, {
  learner = { "string", doc = "The learner, where there are several." },
  dataset = { "string", doc = "The dataset, where there are several." },
}))

-- prediction:coverage{ by =, blocks =, confidence = }: { lines = { { kind = "all", "by" or "block", name, rows,
-- covered, coverage, low, high, width, infinite, undefined }, ... }, asked, guarantee, ... }. `width` is the mean,
-- which does not exist if some are infinite.
function coverage.of_prediction(prediction, given)
  local o = options.check("coverage", given, prediction_options)
  local regions, rows = native.prediction_regions(prediction), {}
  if not regions then
    native.fail("coverage: the prediction has neither intervals nor sets; make it with model:predict(data, { coverage "
      .. "= 0.9 }) of a model of cf.conformal")
  end
  add_rows(rows, prediction, regions)
  return measure("coverage", rows, native.predicted_data(prediction), o, regions)
end

coverage.options_of_result = result_options

-- The same over all folds of a job of a result that have intervals or sets.
function coverage.of_job(job, o)
  local rows, first = {}, nil
  for _, fold in ipairs(job.folds) do
    if fold.regions and fold.prediction then
      first = first or fold.regions
      add_rows(rows, fold.prediction, fold.regions)
    end
  end
  if not first then
    native.fail("coverage: learner '%s' has neither intervals nor sets on '%s'; evaluate cf.conformal{ learner = ... "
      .. "}, and keep the predictions", job.learner_name, job.dataset)
  end
  return measure("coverage", rows, job.data, o, first)
end

-- Whether a job has something to measure.
function coverage.has(job)
  for _, fold in ipairs(job.folds) do
    if fold.regions and fold.prediction then return true end
  end
  return false
end

return coverage
