-- Writes what choosing the best of several settings did to its score, fold by fold, where the search kept the
-- predictions of its candidates.
local html = require "crossfold.report.html"

local choosing = {}

-- Samples of a fold: a report has many folds.
local samples = 200

local columns = {
  { title = "repeat", key = "repeat_", number = true }, { title = "fold", number = true },
  { title = "chosen", head = true }, { title = "inner score", key = "pooled", number = true },
  { title = "corrected", number = true }, { title = "95 % interval", key = "interval", number = true },
  { title = "in the confidence set", key = "size", number = true },
}

local function row_of(row)
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

-- HTML for the rows of result:tuning of a learner, of which `most` are shown; nil if none of them can be corrected.
function choosing.write(learner, rows, most)
  local list, metric = {}, nil
  for i, row in ipairs(rows) do
    if i > most then break end
    local ok, made, fixed = pcall(function()
      if not (row.candidate and row.corrected) then return nil end
      return row_of(row)
    end)
    if ok and made then list[#list + 1], metric = made, fixed.metric end
  end
  if #list == 0 then return nil end
  local text = ("The best of several settings looks better than it is. In the inner folds the chosen setting has %s %s "
    .. "on average over %s, and %s after correction for the choice (%d bootstrap samples of the inner predictions for "
    .. "each fold). The confidence set has the settings that cannot be distinguished from the best at level 95 %%.")
    :format(metric, html.number(mean(list, "pooled")), html.count(#list, "outer fold", "outer folds"),
      html.number(mean(list, "corrected")), samples)
  local caption = ("The score of what '%s' chose, with and without the optimism of the choice"):format(learner)
  return html.details("The price of choosing", html.paragraph(html.text(text)) .. html.table(caption, columns, list))
end

return choosing
