-- Writes the section on sealed rows: the lockboxes that datasets come from, and what they were opened for.
local html = require "crossfold.report.html"
local known = require "crossfold.lockbox.known"
local native = require "crossfold.native"

local lockbox = {}

local function number(x) return x and native.format_number(x, 4) or "" end

local function opening_rows(list)
  local rows = {}
  for i, opening in ipairs(list) do
    local interval = opening.low and ("%s to %s"):format(number(opening.low), number(opening.high))
    rows[i] = { opening = opening.number, time = opening.time, reason = opening.reason, model = opening.model,
      metric = opening.metric, score = opening.score and number(opening.score) or opening.problem,
      interval = interval or opening.no_interval or "" }
  end
  return rows
end

-- What the file says now, or what the run noted where the file is elsewhere.
local function newest(noted)
  local now = known.at(noted.file, noted.id)
  if now.problem or #now.openings < #noted.openings then return noted, now.problem end
  return now
end

-- Of one dataset.
local function body(name, noted)
  local found, problem = newest(noted)
  if not found.rows then
    return html.paragraph(("Rows of '%s' are sealed in '%s', which cannot be read: %s"):format(name, found.file,
      found.problem or problem), "note")
  end
  local text = html.paragraph(("%d rows of '%s' are sealed in '%s' since %s. The lockbox was %s."):format(found.rows,
    name, found.file, found.sealed, known.times(#found.openings)))
  if problem then
    text = text .. html.paragraph("The file cannot be read now, so openings after this run are not listed: " .. problem,
      "note")
  end
  if found.is_key_apart then
    text = text .. html.paragraph(("Its record was not checked against its key, which is kept apart; crossfold lockbox "
      .. "show '%s' --key FILE does it."):format(found.file), "note")
  end
  if #found.openings == 0 then return text end
  return text .. html.table("Openings of " .. found.file, {
    { title = "opening", number = true }, { title = "time" }, { title = "reason" },
    { title = "model" }, { title = "metric" }, { title = "score" }, { title = "interval" },
  }, opening_rows(found.openings)) .. (found.confidence and html.paragraph(
    ("The intervals of all openings hold together with %g %%%s."):format(100 * found.confidence,
      found.rule == "adaptive" and "" or ", if no model was chosen by the scores of earlier ones"), "note") or "")
end

-- Of what the method provenance gives; nil where no rows are sealed.
function lockbox.of_result(found)
  local parts = {}
  for _, dataset in ipairs(found.datasets or {}) do
    if dataset.lockbox then parts[#parts + 1] = body(dataset.name, dataset.lockbox) end
  end
  return #parts > 0 and table.concat(parts) or nil
end

function lockbox.write(_, self) return lockbox.of_result(self.result:provenance()) end

return lockbox
