-- Makes tables for people of the summary of a result: of one metric mean, sd and extremes of each learner, of
-- several a column with the means of each.
local native = require "crossfold.native"
local equal_means = require "crossfold.stats.equal_means"
local metric = require "crossfold.metric"

local summary_table = {}

-- Metrics that do not fit into this number of characters are in further tables.
local most_width = 100

-- "30", or "27 of 30" where the metric is undefined in some.
local function folds_text(row)
  return row.defined == row.folds and tostring(row.folds) or ("%d of %d"):format(row.defined, row.folds)
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

-- Columns and rows with a row per learner, dataset and metric.
function summary_table.long(result)
  local rows = result:summary()
  for _, row in ipairs(rows) do row.folds = folds_text(row) end
  return framed(result, { "metric", "mean", "sd", "min", "max" }, rows), rows
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
    local row = { dataset = most.dataset, learner = most.learner, fallback = most.fallback }
    for m, name in ipairs(names) do
      local one = summary[first + m - 1]
      row[name] = one.mean
      if one.defined > most.defined then most = one end
    end
    for m, name in ipairs(names) do
      local one = summary[first + m - 1]
      if one.mean and one.defined < most.defined then notes[#notes + 1] = (", %s: %s"):format(name, folds_text(one)) end
    end
    row.folds = folds_text(most) .. table.concat(notes)
    rows[#rows + 1] = row
  end
  return rows
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

local function wide_text(result, names)
  local rows, direction = wide_rows(result:summary(), names), metric.direction(result.plan.metrics[1])
  sort_best_first(rows, names[1], direction)
  local texts = {}
  for i, part in ipairs(parts_of(names)) do texts[i] = native.table_text(framed(result, part, rows), rows) end
  return ("%s\n(means over the folds in which the metric is defined%s; result:summary() has sd, min and max)")
    :format(table.concat(texts, "\n\n"), direction ~= 0 and ", best first by " .. names[1] or "")
end

-- What print shows.
function summary_table.text(result)
  local names = {}
  for m = 1, #result.plan.metrics do names[m] = metric.name(result.plan.metrics[m]) end
  if #names > 1 then return wide_text(result, names) end
  return native.table_text(summary_table.long(result))
    .. "\n(mean, sd, min and max over the folds in which the metric is defined)"
end

return summary_table
