-- Writes the section on what searches chose inside the training rows of each outer fold, and what they saw there.
local contents = require "crossfold.report.contents"
local figures = require "crossfold.report.figures"
local html = require "crossfold.report.html"
local number_text = require "crossfold.text.number_text"
local nested_field = require "crossfold.result.nested_field"

local column, head, number = html.column, html.head_column, html.number_column

local tuning = {}

local most_rows = 30
local most_jobs = 12

local columns = {
  number("repeat", "repeat_"), number "fold", head "chosen", number("inner mean", "mean"), number "threshold",
  column "calibration", column "failure",
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
  for _, one in ipairs(columns) do
    if used[one.key or one.title] then shown[#shown + 1] = one end
  end
  local text = (used.mean and html.paragraph("The inner mean is optimistic: it made the choice. The scores on the "
    .. "outer test rows are under Scores.", "note") or "")
    .. html.table(("What '%s' chose in each outer fold"):format(learner), shown, list)
  if more > 0 then
    text = text .. html.paragraph(("The first %d of %d folds."):format(#kept, #rows), "note")
  end
  return html.details("Fold by fold", text)
end

-- Samples of a fold: a report has many folds.
local samples = 200

local choosing_columns = {
  number("repeat", "repeat_"), number "fold", head "chosen", number("inner score", "pooled"), number "corrected",
  number("95 % interval", "interval"), number("in the confidence set", "size"),
}

local function corrected_row(row)
  local set, fixed = row:confidence_set(), row:corrected { samples = samples }
  if not fixed.value then return nil, fixed.sentence end
  return {
    repeat_ = row.repeat_, fold = row.fold, chosen = row.candidate, pooled = fixed.pooled, corrected = fixed.value,
    interval = ("%s to %s"):format(html.number(fixed.low), html.number(fixed.high)),
    size = ("%d of %d"):format(#set.set, #set.candidates),
  }, fixed
end

local function mean(list, key)
  local sum = 0
  for _, row in ipairs(list) do sum = sum + row[key] end
  return sum / #list
end

-- What choosing the best of several settings did to its score, fold by fold, where the search kept the predictions of
-- its candidates; "" if no row of result:tuning can be corrected.
local function price_of_choosing(learner, rows)
  local list, metric = {}, nil
  for i, row in ipairs(rows) do
    if i > most_rows then break end
    local ok, made, fixed = pcall(function()
      if not (row.candidate and row.corrected) then return nil end
      return corrected_row(row)
    end)
    if ok and made then list[#list + 1], metric = made, fixed.metric end
  end
  if #list == 0 then return "" end
  local text = ("The best of several settings looks better than it is. In the inner folds the chosen setting has %s %s "
    .. "on average over %s, and %s after correction for the choice (%d bootstrap samples of the inner predictions for "
    .. "each fold). The confidence set has the settings that cannot be distinguished from the best at level 95 %%.")
    :format(metric, html.number(mean(list, "pooled")), html.count(#list, "outer fold", "outer folds"),
      html.number(mean(list, "corrected")), samples)
  local caption = ("The score of what '%s' chose, with and without the optimism of the choice"):format(learner)
  return html.details("The price of choosing",
    html.paragraph(html.text(text)) .. html.table(caption, choosing_columns, list))
end

local function of_job(page, self, learner, dataset, rows)
  local options = { learner = learner, dataset = dataset }
  local of = (" of '%s'"):format(learner) .. (#self.datasets > 1 and " on " .. dataset or "")
  local out, notes = {}, {}
  for _, kind in ipairs { { "tuning", "How often each setting won" }, { "grid", "Inner scores" } } do
    local text, problem = figures.draw(page, kind[1], self.result, options, kind[2] .. of, "medium")
    out[#out + 1] = text
    if not text then notes[#notes + 1] = html.paragraph(problem, "note") end
  end
  return page:heading(learner .. (#self.datasets > 1 and " on " .. dataset or ""))
    .. table.concat(out) .. table.concat(notes) .. choices_table(learner, rows) .. price_of_choosing(learner, rows)
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
