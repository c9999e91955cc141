-- Makes tables for people of the summary of a result: of one metric mean, interval and extremes of each learner, of
-- several a column with the means of each and the interval of the first. The sd over folds is not shown, because it is
-- not an interval of the mean; result:summary() has it.
local native = require "crossfold.native"
local equal_means = require "crossfold.stats.equal_means"
local first_use = require "crossfold.first_use"
local headline = require "crossfold.result.headline"
local metric = require "crossfold.metric"
local score_notes = require "crossfold.result.score_notes"

local interval = first_use.of "crossfold.interval.interval"
local interval_text = first_use.of "crossfold.interval.text"

local summary_table = {}

-- Metrics that do not fit into this number of characters are in further tables.
local most_width = 100

-- The folds that a number is of: those with a score, or with predictions that are scored together.
local function counted(row)
  if row.aggregation ~= headline.pooled then return row.defined end
  return row.folds - row.failed - (row.missing or 0) - (row.damaged or 0)
end

-- "30", or "27 of 30" where the metric is undefined in some.
local function folds_text(row)
  local n = counted(row)
  return n == row.folds and tostring(n) or ("%d of %d"):format(n, row.folds)
end

-- `columns` between the ones that say of what a row is; `fallback` if some folds have the scores of one.
local function framed(result, columns, rows)
  local all = { "learner" }
  if #result.plan.datasets > 1 then table.insert(all, 1, "dataset") end
  table.move(columns, 1, #columns, #all + 1, all)
  all[#all + 1] = "folds"
  for _, row in ipairs(rows) do
    if row.fallback > 0 then return table.move({ "fallback" }, 1, 1, #all + 1, all) end
  end
  return all
end

-- Gives rows of the summary, of which there is one per metric and job, the limits of the interval of metric m.
-- Returns whether any has some, and what is to be said of them.
local function add_intervals(result, rows, m)
  local found, any = interval.of_jobs(result, m), false
  for j, one in ipairs(found) do
    local row = rows[(j - 1) * #result.plan.metrics + m]
    row.low, row.high = one.low, one.high
    any = any or one.low ~= nil
  end
  return any, interval_text.notes(found)
end

-- The columns of the mean and its interval.
local function mean_columns(any_interval) return any_interval and { "mean", "low", "high" } or { "mean" } end

-- Columns and rows with a row per learner, dataset and metric, and what is to be said of the intervals.
function summary_table.long(result)
  local rows, any_interval, notes, seen = result:summary(), false, {}, {}
  for m = 1, #result.plan.metrics do
    local any, of_metric = add_intervals(result, rows, m)
    any_interval = any_interval or any
    for _, note in ipairs(of_metric) do
      if not seen[note] then notes[#notes + 1] = note end
      seen[note] = true
    end
  end
  local titles = metric.titles(result.plan.metrics, result.plan.datasets, notes)
  for i, row in ipairs(rows) do row.folds, row.metric = folds_text(row), titles[(i - 1) % #titles + 1] end
  local columns = mean_columns(any_interval)
  table.insert(columns, 1, "metric")
  table.move({ "min", "max" }, 1, 2, #columns + 1, columns)
  return framed(result, columns, rows), rows, notes
end

-- Sorts rows by dataset, then best first by their `key`: without one last, equal ones as they were.
local function sort_best_first(rows, key, direction)
  local means, place, of_dataset = {}, {}, {}
  for i, row in ipairs(rows) do
    means[i], place[row] = row[key], i
    of_dataset[row.dataset] = of_dataset[row.dataset] or i
  end
  means = equal_means.unified(means, #rows)
  table.sort(rows, function(a, b)
    if a.dataset ~= b.dataset then return of_dataset[a.dataset] < of_dataset[b.dataset] end
    local x, y = means[place[a]], means[place[b]]
    if x == y or direction == 0 then return place[a] < place[b] end
    return y == nil or x ~= nil and (x - y) * direction > 0
  end)
end

-- One row per learner and dataset with the mean of each metric. Where a mean is of fewer folds than those of
-- other metrics, `folds` says so.
local function wide_rows(summary, names)
  local rows = {}
  for first = 1, #summary, #names do
    local most, notes = summary[first], {}
    local row = { dataset = most.dataset, learner = most.learner, fallback = most.fallback, low = most.low,
      high = most.high }
    for m, name in ipairs(names) do
      local one = summary[first + m - 1]
      row[name] = one.mean
      if counted(one) > counted(most) then most = one end
    end
    for m, name in ipairs(names) do
      local one = summary[first + m - 1]
      local is_less = one.mean and counted(one) < counted(most)
      notes[#notes + 1] = is_less and (", %s: %s"):format(name, folds_text(one)) or nil
    end
    row.folds = folds_text(most) .. table.concat(notes)
    rows[#rows + 1] = row
  end
  return rows
end

-- In parentheses below a table: what its numbers are, and the notes on the intervals.
local function notes_text(result, notes)
  local text = ""
  for _, note in ipairs(score_notes.of(result)) do text = text .. ("\n(%s)"):format(note) end
  for _, note in ipairs(notes) do text = text .. ("\n(%s)"):format(note) end
  return text
end

-- Lists of names that fit next to each other.
local function parts_of(names)
  local parts, width = { {} }, 0
  for _, name in ipairs(names) do
    local more = math.max(utf8.len(name) or #name, #"0.0000") + 2
    if width + more > most_width and #parts[#parts] > 0 then parts[#parts + 1], width = {}, 0 end
    table.insert(parts[#parts], name)
    width = width + more
  end
  return parts
end

local function wide_text(result)
  local summary = result:summary()
  local any_interval, notes = add_intervals(result, summary, 1)
  local names = metric.titles(result.plan.metrics, result.plan.datasets, notes)
  local rows, direction = wide_rows(summary, names), metric.direction(result.plan.metrics[1])
  sort_best_first(rows, names[1], direction)
  local texts = {}
  for i, part in ipairs(parts_of(names)) do
    if i == 1 and any_interval then
      table.insert(part, 2, "low")
      table.insert(part, 3, "high")
    end
    texts[i] = native.table_text(framed(result, part, rows), rows)
  end
  return ("%s\n(means over the folds in which the metric is defined%s; result:summary() has sd, min and max)%s")
    :format(table.concat(texts, "\n\n"), direction ~= 0 and ", best first by " .. names[1] or "",
      notes_text(result, notes))
end

-- What print shows.
function summary_table.text(result)
  if #result.plan.metrics > 1 then return wide_text(result) end
  local columns, rows, notes = summary_table.long(result)
  return native.table_text(columns, rows) .. "\n(mean, min and max over the folds in which the metric is defined)"
    .. notes_text(result, notes)
end

return summary_table
