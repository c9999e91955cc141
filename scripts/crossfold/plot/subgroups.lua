-- plot.subgroups(found): the score of each level with its interval, and that of all rows as a line.
local figure = require "crossfold.plot.figure"
local number_text = require "crossfold.text.number_text"
local scale = require "crossfold.plot.scale"
local subject = require "crossfold.plot.subject"

local subgroups = { options = {} }

local interval_names = { wilson = "Wilson's", bootstrap = "bootstrap" }

local function note_of(found, rows)
  local notes, missing = {}, {}
  for _, row in ipairs(rows) do
    local reason = row.undefined or not row.low and row.interval_undefined
    if reason then missing[#missing + 1] = ("%s: %s."):format(row.level, reason) end
  end
  if found.interval then
    notes[1] = ("Bars: %s %s intervals of the levels. Line: all rows."):format(
      number_text.confidence(found.confidence), interval_names[found.interval])
  end
  table.move(missing, 1, #missing, #notes + 1, notes)
  return #notes > 0 and table.concat(notes, " ") or nil
end

function subgroups.build(found)
  subject.check(found, "a result of result:subgroups", "subgroups")
  local rows, points, names = found:rows(), {}, {}
  for i, row in ipairs(rows) do
    names[i] = ("%s (%d)"):format(row.level, row.rows)
    points[i] = { x = row.value, y = i, low = row.low, high = row.high,
      label = row.value and ("%s: %s%s"):format(row.level, scale.text(row.value), row.low
        and (" (%s to %s)"):format(scale.text(row.low), scale.text(row.high)) or "") or nil }
  end
  local layers = { { mark = "intervals", points = points }, { mark = "points", points = points } }
  if found.value then
    table.insert(layers, 1, { mark = "rule", role = "guide", points = { { x = found.value } } })
  end
  return figure.new {
    kind = "subgroups", title = found:title(), note = note_of(found, rows), x = { label = found.metric_title },
    y = { scale = "category", categories = names }, layers = layers, columns = found:shown(), rows = rows,
  }
end

return subgroups
