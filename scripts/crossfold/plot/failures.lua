-- plot.failures(result, { learners =, dataset = }): how many folds of each learner failed, by stage.
local figure = require "crossfold.plot.figure"
local subject = require "crossfold.plot.subject"

local failures = { options = { learners = subject.options.learners, dataset = subject.options.dataset } }

-- The stage without the learner's name, which is the row already: "fit knn" is "fit".
local function stage_of(row) return (tostring(row.stage):match("^%S+")) or "run" end

function failures.build(result, o)
  subject.check(result, "a result of cf.evaluate", "failures")
  local of_result = subject.places(result)
  local wanted = subject.filter("failures", of_result, o)
  local names, places, counts, stages, rows = {}, {}, {}, {}, {}
  local several = #subject.distinct(of_result, "dataset") > 1 and not o.dataset
  for _, row in ipairs(result:failures()) do
    if wanted(row.learner, row.dataset) then
      local name = several and ("%s on %s"):format(row.learner, row.dataset) or row.learner
      local stage = stage_of(row)
      if not places[name] then names[#names + 1], places[name] = name, #names + 1 end
      if not counts[stage] then counts[stage], stages[#stages + 1] = {}, stage end
      local of_stage = counts[stage]
      of_stage[name] = of_stage[name] or { count = 0, first = row.message }
      of_stage[name].count = of_stage[name].count + 1
      rows[#rows + 1] = { learner = row.learner, dataset = row.dataset, ["repeat"] = row.repeat_,
        fold = row.fold, stage = row.stage, message = row.message, fallback = row.fallback }
    end
  end
  if #rows == 0 then subject.fail("failures", "no fold failed", "there is nothing to draw") end
  local layers = {}
  for s, stage in ipairs(stages) do
    local points = {}
    for _, name in ipairs(names) do
      local one = counts[stage][name]
      if one then
        points[#points + 1] = { x = one.count, y = places[name] + (s - (#stages + 1) / 2) * 0.64 / #stages,
          size = 1 / #stages, label = ("%s: %s at %s; the first: %s"):format(name,
            subject.count(one.count, "failure"), stage, one.first) }
      end
    end
    layers[s] = { mark = "bars", series = stage, points = points }
  end
  return figure.new {
    kind = "failures", title = "Failed folds",
    note = ("%s; the first: %s, at %s: %s"):format(subject.count(#rows, "failure"), rows[1].learner,
      rows[1].stage, rows[1].message),
    x = { label = "folds", whole = true }, y = { scale = "category", categories = names }, layers = layers,
    columns = { "learner", "dataset", "repeat", "fold", "stage", "message", "fallback" }, rows = rows,
  }
end

return failures
