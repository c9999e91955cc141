-- plot.tuning(result, { learner =, dataset = }): how often each setting was chosen over the outer folds;
-- of a learner that chooses a threshold only, the threshold of each fold.
local figure = require "crossfold.plot.figure"
local options = require "crossfold.options"
local parameter_axis = require "crossfold.plot.parameter_axis"
local scale = require "crossfold.plot.scale"
local subject = require "crossfold.plot.subject"
local nested_field = require "crossfold.result.nested_field"

local tuning = { options = { learner = subject.options.learner, dataset = subject.options.dataset } }

-- Settings that get a bar of their own.
local most_bars = 25

-- "distance=manhattan, k=5" of what was chosen; the name of the candidate if that has no parameters.
local function name_of(row)
  local params, parts = nested_field(row, "chosen"), {}
  for _, key in ipairs(type(params) == "table" and options.sorted_keys(params) or {}) do
    parts[#parts + 1] = ("%s=%s"):format(key, parameter_axis.text(params[key]))
  end
  return #parts > 0 and table.concat(parts, ", ") or nested_field(row, "candidate") or nested_field(row, "calibration")
end

-- { name, count }, the most frequent first, equal ones in the order in which they were met.
local function counts_of(rows)
  local list, known, failed = {}, {}, 0
  for _, row in ipairs(rows) do
    local name = name_of(row)
    if name then
      if not known[name] then
        known[name] = { name = name, count = 0, place = #list + 1 }
        list[#list + 1] = known[name]
      end
      known[name].count = known[name].count + 1
    else
      failed = failed + 1
    end
  end
  table.sort(list, function(a, b)
    if a.count ~= b.count then return a.count > b.count end
    return a.place < b.place
  end)
  return list, failed
end

local function note_of(list, failed, total)
  local notes = { ("%s; the same setting in all of them is a stable choice."):format(
    subject.count(total, "outer fold")) }
  if failed > 0 then
    notes[#notes + 1] = ("In %s nothing was chosen."):format(subject.count(failed, "fold"))
  end
  if #list > most_bars then
    notes[#notes + 1] = ("%d more settings were chosen less often."):format(#list - most_bars)
  end
  return table.concat(notes, " ")
end

local function of_choices(list, failed, total, learner)
  local names, points, rows = {}, {}, {}
  for i, one in ipairs(list) do
    rows[i] = { setting = one.name, chosen = one.count, folds = total }
    if i <= most_bars then
      names[i] = one.name
      points[i] = { x = one.count, y = i, label = ("%s: chosen in %d of %s"):format(one.name,
        one.count, subject.count(total, "fold")) }
    end
  end
  return figure.new {
    kind = "tuning", title = "Settings chosen: " .. learner, note = note_of(list, failed, total),
    x = { label = "outer folds that chose it", low = 0, high = total, whole = true },
    y = { scale = "category", categories = names }, layers = { { mark = "bars", points = points } },
    columns = { "setting", "chosen", "folds" }, rows = rows,
  }
end

local function of_thresholds(rows, learner)
  local names, points, data, missing = {}, {}, {}, 0
  for i, row in ipairs(rows) do
    local threshold = nested_field(row, "threshold")
    names[i] = ("repeat %d, fold %d"):format(row.repeat_, row.fold)
    points[i] = { x = threshold, y = i, label = ("%s: %s"):format(names[i], scale.text(threshold)) }
    data[i] = { ["repeat"] = row.repeat_, fold = row.fold, threshold = threshold }
    if not scale.is_finite(threshold) then missing = missing + 1 end
  end
  return figure.new {
    kind = "tuning", title = "Thresholds chosen: " .. learner,
    note = missing > 0 and ("%s has no finite threshold."):format(subject.count(missing, "fold")) or nil,
    x = { label = "threshold" }, y = { scale = "category", categories = names },
    layers = { { mark = "points", points = points } },
    columns = { "repeat", "fold", "threshold" }, rows = data,
  }
end

function tuning.build(result, o)
  subject.check(result, "a result of cf.evaluate", "tuning")
  local rows = result:tuning(o.learner, { dataset = o.dataset })
  local learner = o.learner or subject.places(result)[1].learner
  local list, failed = counts_of(rows)
  if #list > 0 then return of_choices(list, failed, #rows, learner) end
  for _, row in ipairs(rows) do
    if nested_field(row, "threshold") then return of_thresholds(rows, learner) end
  end
  subject.fail("tuning", ("learner '%s' chose nothing in any fold"):format(learner), "give a learner that is a search")
end

return tuning
