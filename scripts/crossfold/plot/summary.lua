-- plot.summary(result, { metric =, learners =, dataset =, confidence = }): the mean of each learner over
-- the folds, with its interval.
local figure = require "crossfold.plot.figure"
local fold_scores = require "crossfold.plot.fold_scores"
local scale = require "crossfold.plot.scale"
local subject = require "crossfold.plot.subject"

local summary = { options = fold_scores.options }

function summary.build(result, o)
  subject.check(result, "a result of cf.evaluate", "summary")
  local groups, metric = fold_scores.of(result, o, "summary")
  local points, rows = {}, {}
  for g, group in ipairs(groups) do
    points[g] = { x = group.mean, y = g, low = group.low, high = group.high,
      label = ("%s: %s%s, %s"):format(group.label, scale.text(group.mean), group.low
        and (" (%s to %s)"):format(scale.text(group.low), scale.text(group.high)) or "",
        subject.count(#group.values, "fold")) }
    rows[g] = { learner = group.learner, dataset = group.dataset, metric = metric, mean = group.mean,
      low = group.low, high = group.high, folds = #group.rows, defined = #group.values,
      undefined = group.no_interval }
  end
  local title = subject.title(result, metric)
  return figure.new {
    kind = "summary", title = ("%s: %s"):format(fold_scores.title(groups), fold_scores.place(title, groups)),
    note = fold_scores.note(groups), x = { label = title, least = groups.least, most = groups.most },
    y = { scale = "category", categories = fold_scores.labels(groups) },
    layers = { { mark = "intervals", points = points }, { mark = "points", points = points } },
    columns = { "learner", "dataset", "metric", "mean", "low", "high", "folds", "defined", "undefined" }, rows = rows,
  }
end

return summary
