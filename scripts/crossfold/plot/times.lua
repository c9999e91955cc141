-- plot.times(result, { learners =, dataset = }): seconds that fitting and predicting took, as means over
-- the folds. The fold of a search counts the fit of what it chose, not the search.
local figure = require "crossfold.plot.figure"
local native = require "crossfold.native"
local scale = require "crossfold.plot.scale"
local subject = require "crossfold.plot.subject"

local times = { options = { learners = subject.options.learners, dataset = subject.options.dataset } }

local function label_of(row, several)
  return several and ("%s on %s"):format(row.learner, row.dataset) or row.learner
end

-- { label, learner, dataset, folds, fit = {seconds}, predict = {seconds} } in the order of the result.
local function groups_of(result, o)
  local places = subject.places(result)
  local wanted, groups = subject.filter("times", places, o), {}
  local several = #subject.distinct(places, "dataset") > 1 and not o.dataset
  for i, place in ipairs(places) do
    if wanted(place.learner, place.dataset) then
      local folds = result.jobs[i].folds
      local group = { label = label_of(place, several), learner = place.learner, dataset = place.dataset,
        folds = #folds, fit = {}, predict = {} }
      for _, fold in ipairs(folds) do
        group.fit[#group.fit + 1], group.predict[#group.predict + 1] = fold.fit_s, fold.predict_s
      end
      groups[#groups + 1] = group
    end
  end
  return groups
end

-- The mean seconds of a part; nil where none were measured. No fit takes exactly 0: then all folds were fitted
-- and predicted in one call, which is under predict.
local function mean_of(group, part)
  if #group[part] == 0 then return nil end
  local mean = native.summary(group[part]).mean
  group.together = group.together or part == "fit" and mean == 0
  return not (part == "fit" and mean == 0) and mean or nil
end

local function bars_of(groups, part, shift)
  local points = {}
  for g, group in ipairs(groups) do
    local seconds = mean_of(group, part)
    group[part .. "_mean"] = seconds
    points[g] = { x = seconds, y = g + shift, size = 0.5, label = ("%s, %s: %s s per fold"):format(
      group.label, part, scale.text(seconds)) }
  end
  return points
end

function times.build(result, o)
  subject.check(result, "a result of cf.evaluate", "times")
  local groups = groups_of(result, o)
  local fit, predict = bars_of(groups, "fit", -0.16), bars_of(groups, "predict", 0.16)
  local names, rows, missing, together = {}, {}, {}, {}
  for g, group in ipairs(groups) do
    names[g] = group.label
    rows[g] = { learner = group.learner, dataset = group.dataset, folds = group.folds,
      fit_seconds = group.fit_mean, predict_seconds = group.predict_mean }
    if group.together then
      together[#together + 1] = group.label
    elseif not group.fit_mean then
      missing[#missing + 1] = group.label
    end
  end
  if #missing == #groups then
    subject.fail("times", "no fold has a time", "composites written in Lua are not timed")
  end
  return figure.new {
    kind = "times", title = "Seconds per fold",
    note = "Means over the folds. The time of a search is that of the setting that it chose."
      .. (#together > 0 and (" Under predict is also the fit, in one call for all folds, of %s."):format(
        table.concat(together, ", ")) or "")
      .. (#missing > 0 and (" No time is known of %s."):format(table.concat(missing, ", ")) or ""),
    x = { label = "seconds per fold" }, y = { scale = "category", categories = names },
    layers = { { mark = "bars", series = "fit", points = fit },
      { mark = "bars", series = "predict", points = predict } },
    columns = { "learner", "dataset", "folds", "fit_seconds", "predict_seconds" }, rows = rows,
  }
end

return times
