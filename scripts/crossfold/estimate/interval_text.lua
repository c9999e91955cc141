-- Says in sentences what an interval of a score is.
local number_text = require "crossfold.text.number_text"

local interval_text = {}

local number = number_text.fixed

-- What the score is of, and what the interval allows for.
local about = {
  models = "The interval is for the models that were fitted: other training rows give other models.",
  procedure = "The interval is for the procedure: it allows for other training rows, too.",
  conservative = "The interval is for the procedure: it allows for other training rows, too, and is rather too wide "
    .. "than too narrow.",
}

-- "150 rows", "1 row".
local function count(row)
  return ("%d %s"):format(row.n, row.n == 1 and (row.unit:gsub("s$", "")) or row.unit)
end

-- The limits, the method and what it counts, in parentheses.
local function interval_words(row)
  return ("%s interval %s to %s; %s over %s"):format(number_text.confidence(row.level), number(row.low),
    number(row.high), row.method, count(row))
end

-- The sentences of a row of result:interval().
function interval_text.sentence(row)
  if not row.low then
    return ("There is no interval of %s for '%s' on '%s': %s."):format(row.metric, row.learner, row.dataset,
      row.undefined)
  end
  return ("The mean %s of %s on new rows is %s (%s). %s"):format(row.metric, row.covers, number(row.mean),
    interval_words(row), about[row.about])
end

-- What print(result) says of the intervals of its rows: of each method, what they are for; and why there are none.
function interval_text.notes(rows)
  local notes, seen = {}, {}
  local function add(note)
    if not seen[note] then notes[#notes + 1] = note end
    seen[note] = true
  end
  for _, row in ipairs(rows) do
    if row.low then
      add(("low to high: %s interval of %s for the %s, %s"):format(number_text.confidence(row.level),
        row.metric, row.about == "models" and "fitted models" or "procedure", row.method))
    end
  end
  for _, row in ipairs(rows) do
    if not row.low and row.undefined then add(("no interval of %s: %s"):format(row.metric, row.undefined)) end
  end
  return notes
end

return interval_text
