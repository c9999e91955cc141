-- Finds the lockbox that rows of a dataset were left out of, and says what the lockbox says.
local native = require "crossfold.native"
local looks = require "crossfold.lockbox.looks"

local known = {}

local paths = {}  -- by the id of the lockbox

-- Datasets whose origin is `id` come from the lockbox at `path`.
function known.add(id, path) paths[id] = path end

-- One row per opening: { number =, time =, reason =, model =, model_hash =, metric =, score =, low =, high =, level =,
-- problem =, no_interval = the reason }. Intervals are those for the openings so far.
function known.openings(found)
  local rows = {}
  for number, opening in ipairs(found.openings) do
    local row = { number = number, time = opening.time, reason = opening.reason, model = opening.model,
      model_hash = opening.model_hash, metric = opening.metric }
    local answer = opening.answer
    row.problem = not answer and "interrupted" or answer.problem
    row.score = answer and answer.score
    local interval, reason = looks.interval(found.rule, found.openings, number, found.confidence)
    if interval then
      row.low, row.high, row.level = interval.low, interval.high, interval.level
    elseif row.score then
      row.no_interval = reason
    end
    rows[number] = row
  end
  return rows
end

-- "never opened", "opened once", "opened 3 times"
function known.times(n)
  return n == 0 and "never opened" or n == 1 and "opened once" or ("opened %d times"):format(n)
end

-- What provenance keeps of the lockbox: { file =, id =, rows =, hash =, sealed = time, confidence = of all intervals,
-- rule = how they share it, is_key_apart = whether the record was not checked against its key,
-- openings = rows of them }, with `problem` where the file cannot be read
-- now. nil if the rows come from none.
function known.of(data)
  local id = native.origin(data)
  local path = id and paths[id]
  return path and known.at(path, id) or nil
end

-- The same of the lockbox `id` at a path.
function known.at(path, id)
  local ok, found = pcall(native.read_lockbox, path)
  if ok and found.id ~= id then ok, found = false, "another lockbox has taken its place" end
  if not ok then return { file = path, id = id, problem = tostring(found), openings = {} } end
  return { file = path, id = id, rows = found.rows, hash = found.hash, sealed = found.time,
    confidence = found.confidence, rule = found.rule, is_key_apart = found.is_key_apart,
    openings = known.openings(found) }
end

-- What a printed result says of the lockboxes of its datasets; "" if there are none. `plan` is that of an evaluation.
function known.sum_up(plan)
  local lines = {}
  for _, row in ipairs(plan.provenance and plan.provenance.datasets or plan.datasets) do
    local found = row.lockbox or row.data and known.of(row.data)
    if found then
      lines[#lines + 1] = ("\n(%s of '%s' are sealed in '%s', %s)"):format(
        found.rows and ("%d rows"):format(found.rows) or "rows", row.name, found.file,
        found.problem and "which cannot be read" or known.times(#found.openings)
          .. (found.is_key_apart and " by its record, which was not checked against its key" or ""))
    end
  end
  return table.concat(lines)
end

return known
