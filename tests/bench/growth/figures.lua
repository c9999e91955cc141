-- Draws the figures of the page:  crossfold run figures.lua POINTS FOLDER
-- POINTS has a line "theme<TAB>axis<TAB>subject<TAB>size<TAB>seconds" for each point. Prints the file of each figure.
local figure = require "crossfold.plot.figure"

local points_path, folder = arg[1], arg[2]
local most_series = 12  -- more lines than these hide each other

local figures, order = {}, {}
for line in io.lines(points_path) do
  local theme, axis, subject, size, seconds = line:match("^(.-)\t(.-)\t(.-)\t(.-)\t(.-)$")
  local key = ("%s_%s"):format(theme, axis:gsub("%W", "_"))
  if not figures[key] then
    figures[key] = { theme = theme, axis = axis, subjects = {}, list = {} }
    order[#order + 1] = key
  end
  local one = figures[key]
  if not one.subjects[subject] then
    one.subjects[subject] = { name = subject, points = {} }
    one.list[#one.list + 1] = one.subjects[subject]
  end
  table.insert(one.subjects[subject].points, { x = tonumber(size), y = tonumber(seconds) })
end

-- The subjects that take the longest, as their lines end; the others are in the table.
local function longest(list)
  local sorted = table.move(list, 1, #list, 1, {})
  table.sort(sorted, function(a, b)
    local x, y = a.points[#a.points].y, b.points[#b.points].y
    if x ~= y then return x > y end
    return a.name < b.name
  end)
  return table.move(sorted, 1, math.min(#sorted, most_series), 1, {})
end

for _, key in ipairs(order) do
  local one, layers, rows = figures[key], {}, {}
  for i, subject in ipairs(longest(one.list)) do
    layers[i] = { mark = "line", series = subject.name, points = subject.points }
    for _, point in ipairs(subject.points) do
      rows[#rows + 1] = { subject = subject.name, size = point.x, seconds = point.y }
    end
  end
  local path = ("%s/%s.svg"):format(folder, key)
  figure.new {
    kind = "growth", title = ("%s: seconds by %s"):format(one.theme, one.axis),
    note = #one.list > most_series and ("the %d of %d that take the longest"):format(most_series, #one.list) or nil,
    x = { label = one.axis, scale = "log" }, y = { label = "seconds", scale = "log" }, layers = layers,
    columns = { "subject", "size", "seconds" }, rows = rows,
  }:save(path)
  print(("%s\t%s\t%s"):format(one.theme, one.axis, path:match("[^/]+$")))
end
