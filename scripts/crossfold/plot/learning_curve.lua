-- plot.learning_curve(curve, { metric =, learners =, confidence =, fit = true, to =, scale = }): the mean
-- score at each number of training rows with its interval, and the power law through it, continued to
-- `to` rows (default four times the largest size) with the interval of what it expects.
local options = require "crossfold.options"
local number_text = require "crossfold.text.number_text"
local figure = require "crossfold.plot.figure"
local metric_range = require "crossfold.plot.metric_range"
local native = require "crossfold.native"
local scale = require "crossfold.plot.scale"
local subject = require "crossfold.plot.subject"

local learning_curve = { options = {
  metric = subject.options.metric, learners = subject.options.learners, confidence = options.confidence,
  fit = { "boolean", true, doc = "Whether the fitted power law is drawn." },
  to = { "number", doc = "The number of rows up to which it is drawn; default four times the largest size." },
  scale = { "string", names = { "linear", "log" }, doc = "The scale of the rows; default that of the sizes." },
} }

local fit_points = 60

-- The note reports gaps such as "1 trial has no interval".
local function points_of(rows, learner)
  local points, gaps = {}, {}
  for _, row in ipairs(rows) do
    if row.learner == learner then
      local text = ("%s, %s rows: %s"):format(learner, scale.text(row.size), scale.text(row.mean))
      if row.low then
        text = ("%s (%s to %s)"):format(text, scale.text(row.low), scale.text(row.high))
      end
      points[#points + 1] = { x = row.size, y = row.mean, low = row.low, high = row.high,
        label = text }
      if row.mean == nil then gaps[#gaps + 1] = scale.text(row.size) end
    end
  end
  return points, gaps
end

-- The law at sizes from `from` to `to`, in equal ratios; or nil and why there is none.
local function law_of(curve, learner, metric, from, to, o)
  local ok, fit = native.attempt(curve.fit, curve, learner,
    { metric = metric, confidence = o.confidence })
  if not ok then return nil, (tostring(fit):gsub("^[^\n:]+:%d+: ", "")) end
  if fit.undefined then return nil, fit.undefined end
  local points = {}
  for i = 0, fit_points do
    local n = from * (to / from) ^ (i / fit_points)
    local at = fit:at(n)
    points[#points + 1] = { x = n, y = at.estimate, low = at.low, high = at.high }
  end
  return points
end

local function sizes_of(rows)
  local low, high = math.huge, 0
  for _, row in ipairs(rows) do low, high = math.min(low, row.size), math.max(high, row.size) end
  return low, high
end

local function add_learner(made, curve, rows, learner, metric, o)
  local points, gaps = points_of(rows, learner)
  for _, point in ipairs(points) do made.interval = made.interval or point.low ~= nil end
  if #gaps > 0 then
    made.notes[#made.notes + 1] = ("%s has no mean at %s rows."):format(learner, table.concat(gaps, ", "))
  end
  local law, reason
  if o.fit then law, reason = law_of(curve, learner, metric, made.low, made.to, o) end
  if law then
    made.fitted = true
    made.layers[#made.layers + 1] = { mark = "band", series = learner, points = law }
    made.layers[#made.layers + 1] = { mark = "line", series = learner, points = law }
    for _, point in ipairs(law) do
      made.rows[#made.rows + 1] = { learner = learner, metric = metric, size = point.x,
        fit = point.y, fit_low = point.low, fit_high = point.high }
    end
  else
    if reason then
      reason = reason:gsub("^no power law: ", "")
      made.notes[#made.notes + 1] = ("No power law for %s: %s."):format(learner, reason)
    end
    made.layers[#made.layers + 1] = { mark = "line", series = learner, points = points }
  end
  made.layers[#made.layers + 1] = { mark = "intervals", series = learner, points = points }
  made.layers[#made.layers + 1] = { mark = "points", series = learner, points = points }
end

local function note_of(made, o)
  local percent, notes = number_text.confidence(o.confidence), {}
  if made.interval then
    notes[1] = ("Bars: %s interval of the mean over the trials, corrected for overlapping training sets "
      .. "(Nadeau and Bengio 2003)."):format(percent)
  end
  if made.fitted then
    notes[#notes + 1] = ("Lines and bands: power law and %s interval of what it expects; right of the upright "
      .. "line it is extrapolated."):format(percent)
  end
  return table.concat(notes, " ") .. (#made.notes > 0 and " " or "") .. table.concat(made.notes, " ")
end

local function rows_of(rows, wanted)
  local list = {}
  for _, row in ipairs(rows) do
    if wanted(row.learner) then
      list[#list + 1] = { learner = row.learner, metric = row.metric, size = row.size,
        trials = row.trials, defined = row.defined, mean = row.mean, sd = row.sd, low = row.low,
        high = row.high }
    end
  end
  return list
end

local function check_range(o, low, high)
  if o.to and not (o.to > low and o.to < math.huge) then
    subject.fail("learning_curve", ("to = %s must be greater than the smallest size, %s"):format(
      native.format_number(o.to), native.format_number(low)), "give more rows")
  end
  return o.to or (o.fit and 4 * high or high)
end

local function check_scale(wanted)
  if wanted and wanted ~= "linear" and wanted ~= "log" then
    subject.fail("learning_curve", ("scale = '%s' is not one of linear, log"):format(wanted),
      "leave it out to have the one that fits")
  end
end

function learning_curve.build(curve, o)
  subject.check(curve, "a learning curve", "learning_curve")
  check_scale(o.scale)
  local summary, rows = curve:summary { confidence = o.confidence }, {}
  local metric = subject.choose("learning_curve", "metric", subject.distinct(summary, "metric"), o.metric)
  local wanted = subject.filter("learning_curve", summary, { learners = o.learners })
  for _, row in ipairs(summary) do
    if row.metric == metric and wanted(row.learner) then rows[#rows + 1] = row end
  end
  local low, high = sizes_of(rows)
  local made = { layers = {}, notes = {}, low = low, to = check_range(o, low, high),
    rows = rows_of(rows, wanted) }
  for _, learner in ipairs(subject.distinct(rows, "learner")) do
    add_learner(made, curve, rows, learner, metric, o)
  end
  if made.fitted and made.to > high then
    table.insert(made.layers, 1, { mark = "rule", role = "guide", points = { { x = high,
      label = ("largest size measured: %s rows"):format(scale.text(high)) } } })
  end
  local least, most = metric_range.named((curve.plan or {}).metrics, metric)
  return figure.new {
    kind = "learning_curve", title = "Learning curve: " .. metric,
    note = note_of(made, o) .. metric_range.note(made.layers, least, most),
    x = { label = "training rows", scale = o.scale or (made.to / low >= 8 and "log" or "linear") },
    y = { label = metric, least = least, most = most }, layers = made.layers,
    columns = { "learner", "metric", "size", "trials", "defined", "mean", "sd", "low", "high", "fit",
      "fit_low", "fit_high" }, rows = made.rows,
  }
end

return learning_curve
