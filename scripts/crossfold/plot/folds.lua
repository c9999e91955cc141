-- plot.folds(result, { metric =, learners =, dataset =, confidence = }): every fold's score as a dot, a
-- row per learner, with the mean and its interval.
local figure = require "crossfold.plot.figure"
local fold_scores = require "crossfold.plot.fold_scores"
local scale = require "crossfold.plot.scale"
local subject = require "crossfold.plot.subject"

local folds = { options = fold_scores.options }

-- Dots of a row stand above each other in turn, so that equal ones stay visible: from -0.24 to 0.24.
local function offset(i) return ((i - 1) % 7 - 3) * 0.08 end

local function dots_of(groups)
  local points, rows = {}, {}
  for g, group in ipairs(groups) do
    for i, row in ipairs(group.rows) do
      rows[#rows + 1] = { learner = row.learner, dataset = row.dataset, ["repeat"] = row.repeat_,
        fold = row.fold, value = row.value, undefined = row.undefined }
      points[#points + 1] = { x = row.value, y = g + offset(i), size = 0.8,
        label = ("%s, repeat %d, fold %d: %s"):format(group.label, row.repeat_, row.fold, scale.text(row.value)) }
    end
  end
  return points, rows
end

local function means_of(groups)
  local points = {}
  for g, group in ipairs(groups) do
    local text = ("%s: mean %s"):format(group.label, scale.text(group.mean))
    if group.low then
      text = ("%s (%s to %s)"):format(text, scale.text(group.low), scale.text(group.high))
    end
    points[g] = { x = group.mean, y = g, low = group.low, high = group.high, label = text, size = 1.3 }
  end
  return points
end

function folds.build(result, o)
  subject.check(result, "a result of cf.evaluate", "folds")
  local groups, metric = fold_scores.of(result, o, "folds")
  local points, rows = dots_of(groups)
  local means = means_of(groups)
  local title = subject.title(result, metric)
  return figure.new {
    kind = "folds", title = ("Scores by fold: %s"):format(fold_scores.place(title, groups)),
    note = fold_scores.note(groups), x = { label = title, least = groups.least, most = groups.most },
    y = { scale = "category", categories = fold_scores.labels(groups) },
    layers = {
      { mark = "points", series = "one fold", points = points },
      { mark = "intervals", series = "mean and interval", points = means },
      { mark = "points", series = "mean and interval", points = means },
    },
    columns = { "learner", "dataset", "repeat", "fold", "value", "undefined" }, rows = rows,
  }
end

return folds
