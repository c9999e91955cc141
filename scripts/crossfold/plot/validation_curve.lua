-- plot.validation_curve(curve): the score on test rows and on training rows over the values of a
-- parameter, with one standard deviation of the splits around the means.
local figure = require "crossfold.plot.figure"
local metric = require "crossfold.metric"
local metric_range = require "crossfold.plot.metric_range"
local parameter_axis = require "crossfold.plot.parameter_axis"
local scale = require "crossfold.plot.scale"
local subject = require "crossfold.plot.subject"

local validation_curve = { options = {} }

local function points_of(summary, place, mean, sd, name)
  local points, any = {}, false
  for i, row in ipairs(summary) do
    local value, spread = row[mean], row[sd]
    any = any or value ~= nil
    points[i] = { x = place(row.value), y = value,
      low = value and spread and value - spread, high = value and spread and value + spread,
      label = ("%s, %s: %s%s"):format(name, parameter_axis.text(row.value), scale.text(value),
        spread and " +- " .. scale.text(spread) or "") }
  end
  return any and points or nil
end

local function note_of(summary)
  local notes, missing, single = {}, {}, true
  for _, row in ipairs(summary) do
    single = single and row.splits < 2
    if row.mean == nil then missing[#missing + 1] = parameter_axis.text(row.value) end
  end
  notes[1] = single and "One split has no spread, so there is no band."
    or "Bands: mean +- one standard deviation over the splits."
  if #missing > 0 then
    notes[2] = ("No mean at %s: see curve:rows() for the reason."):format(table.concat(missing, ", "))
  end
  return table.concat(notes, " ")
end

function validation_curve.build(curve)
  if subject.is(curve, "a learning curve") then curve = nil end
  subject.check(curve, "a validation curve", "validation_curve")
  local summary, values = curve:summary(), {}
  if not summary[1] or summary[1].splits == nil then
    subject.fail("validation_curve", "the subject has no values of a parameter",
      "give what cf.validation_curve returned")
  end
  for i, row in ipairs(summary) do
    row.value = parameter_axis.plain(row.value)
    values[i] = row.value
  end
  local name = curve.parameter or curve.plan and curve.plan.parameter or "value"
  local axis, place = parameter_axis.of(name, values)
  table.sort(summary, function(a, b) return place(a.value) < place(b.value) end)
  local layers = {}
  for _, part in ipairs { { "test", "mean", "sd" }, { "training", "train_mean", "train_sd" } } do
    local points = points_of(summary, place, part[2], part[3], part[1])
    for _, mark in ipairs(points and { "band", "line", "points" } or {}) do
      layers[#layers + 1] = { mark = mark, series = part[1] .. " rows", points = points }
    end
  end
  local rows = {}
  for i, row in ipairs(summary) do
    rows[i] = { parameter = row.value, splits = row.splits,
      defined = row.defined, mean = row.mean, sd = row.sd, train_mean = row.train_mean,
      train_sd = row.train_sd }
  end
  local least, most = metric.range((curve.plan or {}).metric)
  return figure.new {
    kind = "validation_curve", title = ("Validation curve: %s over %s"):format(summary[1].metric or "score", name),
    note = note_of(summary) .. metric_range.note(layers, least, most), x = axis, layers = layers,
    y = { label = summary[1].metric or "score", least = least, most = most },
    columns = { "parameter", "splits", "defined", "mean", "sd", "train_mean", "train_sd" },
    rows = rows,
  }
end

return validation_curve
