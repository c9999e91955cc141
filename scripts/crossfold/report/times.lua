-- Writes the section on how long fitting and predicting took.
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

local most_rows = 1000
local most_bars = 100

local function picture(page, self)
  local learners, more = contents.shown_learners(self, #self.datasets, most_bars)
  if not learners then return "" end
  local text = figures.draw(page, "times", self.result, { learners = more > 0 and learners or nil },
    "Seconds of fitting and predicting", "medium")
  return text and contents.left_out(self, more, "cf.plot.times draws the others") .. text or ""
end

function times.write(page, self)
  local rows, any = {}, false
  for _, dataset in ipairs(self.datasets) do
    for _, learner in ipairs(self.learners) do
      local job = contents.job(self, learner, dataset)
      local folds = job and job.folds or {}
      local fit, n = sum_and_count(folds, "fit_s")
      local predict = sum_and_count(folds, "predict_s")
      any = any or n > 0
      rows[#rows + 1] = { learner = learner, dataset = dataset, n = n,
        fit = fit > 0 and fit / n or nil, predict = n > 0 and predict / n or nil,
        all = n > 0 and fit + predict or nil }
    end
  end
  if not any then
    return nil, "no time was measured (learners made of others, and those in Lua, have none)"
  end
  local unit = with_unit(rows)
  local kept, more = contents.first(rows, most_rows)
  return picture(page, self) .. html.table("Time of each learner", columns_in(unit), kept, { sortable = true })
    .. (more > 0 and html.paragraph(("The first %d of %d rows; result:folds() has the times of all folds."):format(
      #kept, #rows), "note") or "")
    .. html.paragraph("Measured as the run went: other work on the machine, and work that folds and "
      .. "settings share, is in these numbers; what fits and predicts all folds in one call has no time of "
      .. "fitting of its own. The time of a search is that of the setting it chose.", "note")
end

return times
