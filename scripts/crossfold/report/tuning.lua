-- Writes the section on what searches chose inside the training rows of each outer fold, and what they saw there.
local choosing = require "crossfold.report.choosing"
local contents = require "crossfold.report.contents"
local figures = require "crossfold.report.figures"
local html = require "crossfold.report.html"
local number_text = require "crossfold.text.number_text"
local nested_field = require "crossfold.result.nested_field"

local tuning = {}

local most_rows = 30
local most_jobs = 12

local columns = {
  { title = "repeat", key = "repeat_", number = true }, { title = "fold", number = true },
  { title = "chosen", head = true }, { title = "inner mean", key = "mean", number = true },
  { title = "threshold", number = true }, { title = "calibration" }, { title = "failure" },
}

local function choices_table(learner, rows)
  local list, used = {}, { repeat_ = true, fold = true }
  local kept, more = contents.first(rows, most_rows)
  for i, row in ipairs(kept) do
    local candidate, threshold = nested_field(row, "candidate"), nested_field(row, "threshold")
    list[i] = {
      repeat_ = row.repeat_, fold = row.fold, mean = row.mean or row.value,
      chosen = candidate and tostring(candidate) or nil,
      threshold = threshold and number_text.threshold(threshold),
      calibration = nested_field(row, "calibration"), failure = row.failure,
    }
    for key in pairs(list[i]) do used[key] = true end
  end
  local shown = {}
  for _, column in ipairs(columns) do
    if used[column.key or column.title] then shown[#shown + 1] = column end
  end
  local text = (used.mean and html.paragraph("The inner mean is optimistic: it made the choice. The scores on the "
    .. "outer test rows are under Scores.", "note") or "")
    .. html.table(("What '%s' chose in each outer fold"):format(learner), shown, list)
  if more > 0 then
    text = text .. html.paragraph(("The first %d of %d folds."):format(#kept, #rows), "note")
  end
  return html.details("Fold by fold", text)
end

local function of_job(page, self, learner, dataset, rows)
  local options = { learner = learner, dataset = dataset }
  local of = (" of '%s'"):format(learner) .. (#self.datasets > 1 and " on " .. dataset or "")
  local out, notes = {}, {}
  for _, kind in ipairs { { "tuning", "How often each setting won", "medium" },
    { "grid", "Inner scores", "medium" } } do
    local text, problem = figures.draw(page, kind[1], self.result, options, kind[2] .. of, kind[3])
    out[#out + 1] = text
    if not text then notes[#notes + 1] = html.paragraph(problem, "note") end
  end
  return page:heading(learner .. (#self.datasets > 1 and " on " .. dataset or ""))
    .. table.concat(out) .. table.concat(notes)
    .. choices_table(learner, rows) .. (choosing.write(learner, rows, most_rows) or "")
end

function tuning.write(page, self)
  local out, more = {}, 0
  for _, dataset in ipairs(self.datasets) do
    for _, learner in ipairs(self.learners) do
      local ok, rows = pcall(self.result.tuning, self.result, learner, { dataset = dataset })
      if ok and #out < most_jobs then
        out[#out + 1] = of_job(page, self, learner, dataset, rows)
      elseif ok then
        more = more + 1
      end
    end
  end
  if #out == 0 then return nil, "no learner chooses a setting, or every choice failed" end
  if more > 0 then
    out[#out + 1] = html.paragraph(("%s left out: result:tuning has them."):format(
      html.count(more, "more search is", "more searches are")), "note")
  end
  return table.concat(out)
end

return tuning
