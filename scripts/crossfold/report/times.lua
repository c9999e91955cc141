-- How long fitting and predicting took.
local contents = require "crossfold.report.contents"
local figures = require "crossfold.report.figures"
local html = require "crossfold.report.html"

local times = {}

local function sum_and_count(rows, key)
  local sum, n = 0.0, 0
  for _, row in ipairs(rows) do
    if row[key] then
      sum, n = sum + row[key], n + 1
    end
  end
  return sum, n
end

-- `unit` is "s" or "ms".
local function columns_in(unit)
  return {
    { title = "learner", head = true }, { title = "dataset" },
    { title = "folds measured", key = "n", number = true },
    { title = ("fit, %s a fold"):format(unit), key = "fit", number = true, significant = true },
    { title = ("predict, %s a fold"):format(unit), key = "predict", number = true, significant = true },
    { title = ("both, %s in all"):format(unit), key = "all", number = true, significant = true },
  }
end

-- Rows in seconds become rows in milliseconds if none of them has taken ten seconds.
local function with_unit(rows)
  local most = 0
  for _, row in ipairs(rows) do most = math.max(most, row.all or 0) end
  if most >= 10 then return "s" end
  for _, row in ipairs(rows) do
    for _, key in ipairs { "fit", "predict", "all" } do row[key] = row[key] and row[key] * 1000 end
  end
  return "ms"
end

function times.write(page, self)
  local rows, any = {}, false
  for _, dataset in ipairs(self.datasets) do
    for _, learner in ipairs(self.learners) do
      local folds = contents.where(self.folds, { learner = learner, dataset = dataset })
      local fit, n = sum_and_count(folds, "fit_seconds")
      local predict = sum_and_count(folds, "predict_seconds")
      any = any or n > 0
      rows[#rows + 1] = { learner = learner, dataset = dataset, n = n,
        fit = fit > 0 and fit / n or nil, predict = n > 0 and predict / n or nil,
        all = n > 0 and fit + predict or nil }
    end
  end
  if not any then
    return nil, "no time was measured (learners made of others, and those in Lua, have none)"
  end
  return (figures.draw(page, "times", self.result, {}, "Seconds of fitting and predicting", "medium") or "")
    .. html.table("Time of each learner", columns_in(with_unit(rows)), rows, { sortable = true })
    .. html.paragraph("Measured as the run went: other work on the machine, and work that folds and "
      .. "settings share, is in these numbers; what fits and predicts all folds in one call has no time of "
      .. "fitting of its own. The time of a search is that of the setting it chose.",
      "note")
end

return times
