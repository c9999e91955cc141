-- Says in sentences what an interval of a score is.
local number_text = require "crossfold.text.number_text"

local interval_text = {}

local number = number_text.fixed

local about = {
  ["the fitted models"] = "The interval is for the models that were fitted: other training rows give other models.",
  ["the procedure"] = "The interval is for the procedure: it allows for other training rows, too.",
}

-- "150 rows", "1 row".
local function count(row)
  return ("%d %s"):format(row.n, row.n == 1 and (row.unit:gsub("s$", "")) or row.unit)
end

-- The limits, the method and what it counts, in parentheses.
local function interval_words(row)
  return ("%s interval %s to %s; %s over %s"):format(number_text.confidence(row.confidence), number(row.low),
    number(row.high), row.method, count(row))
end

-- What was done to the mean, as the first words in parentheses.
local function cut_words(row)
  if not row.corrected then return "" end
  return ("cut to the bound of the metric, the bias takes it to %s; "):format(number(row.corrected))
end

-- The sentences of a row of result:interval(), whose score is of `subject`.
function interval_text.sentence(row, subject)
  if not row.low then
    return ("There is no interval of %s for '%s' on '%s': %s."):format(row.metric, row.learner, row.dataset,
      row.undefined)
  end
  local caution = row.caution and (" Caution: %s."):format(row.caution) or ""
  return ("On new rows %s a mean %s of %s (%s%s). %s%s"):format(subject, row.metric, number(row.mean),
    cut_words(row), interval_words(row), about[row.covers], caution)
end

-- The methods that need no fits, for readers of figures.
local method_words = {
  clt = "central limit theorem over the test rows (Bayle et al. 2020)",
  corrected_t = "corrected resampled t (Nadeau and Bengio 2003), because the training sets of folds overlap",
}

-- Calls add(row) for the first of rows with an interval by each method and with each caution.
local function each_method(rows, add)
  local seen = {}
  for _, row in ipairs(rows) do
    local key = row.low and row.method .. (row.caution or "")
    if key and not seen[key] then add(row) end
    if key then seen[key] = true end
  end
end

-- What a figure says of the intervals of its rows, which are of one metric, `bounded` or not.
function interval_text.caption(rows, bounded)
  local parts = {}
  each_method(rows, function(row)
    parts[#parts + 1] = ("Intervals: %s, for %s, %s%s%s."):format(number_text.confidence(row.confidence), row.covers,
      method_words[row.method], bounded and "; within the bounds of the metric" or "",
      row.caution and "; " .. row.caution or "")
  end)
  return parts
end

-- What print(result) says of the intervals of its rows, which are of one metric, and why there are none.
function interval_text.notes(rows)
  local notes, seen = {}, {}
  each_method(rows, function(row)
    notes[#notes + 1] = ("low to high: %s interval of %s for %s, %s%s; result:interval() says what it covers"):format(
      number_text.confidence(row.confidence), row.metric, row.covers, row.method,
      row.caution and "; " .. row.caution or "")
  end)
  for _, row in ipairs(rows) do
    local note = not row.low and ("no interval of %s: %s"):format(row.metric, row.undefined)
    if note and not seen[note] then notes[#notes + 1], seen[note] = note, true end
  end
  return notes
end

return interval_text
