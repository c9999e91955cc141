-- Draws text plots with one line per category: points, intervals, bars and segments along it.
local frame = require "crossfold.plot.terminal_frame"
local extent = require "crossfold.plot.extent"
local label = require "crossfold.plot.label"
local scale = require "crossfold.plot.scale"

-- cells[row][column]; drawn later = on top.
local function new_cells(count, width)
  local cells = {}
  for row = 1, count do
    cells[row] = {}
    for column = 0, width - 1 do cells[row][column] = " " end
  end
  return cells
end

-- The line of a point: the categories have `canvas.per` lines each, one for each series of bars.
local function row_of(canvas, point, line)
  if not point.y then return nil end
  local category = math.min(math.max(math.floor(point.y + 0.5), 1), canvas.categories)
  return (category - 1) * canvas.per + (line or (canvas.per + 1) // 2)
end

local function span(cells, row, from, to, glyph)
  for column = math.min(from, to), math.max(from, to) do cells[row][column] = glyph end
end

local function marker_of(canvas, layer)
  return frame.marker(canvas.set, layer.number or 1)
end

local draw = {}

function draw.intervals(canvas, layer)
  for _, point in ipairs(layer.points) do
    local row = row_of(canvas, point)
    local low, high = canvas.column(point.low), canvas.column(point.high)
    if row and low and high then
      span(canvas.cells, row, low, high, canvas.set.horizontal)
      if canvas.x:holds(point.low) then canvas.cells[row][low] = canvas.set.start end
      if canvas.x:holds(point.high) then canvas.cells[row][high] = canvas.set.stop end
      if low == high then canvas.cells[row][low] = canvas.set.vertical end
    end
  end
end

function draw.points(canvas, layer)
  for _, point in ipairs(layer.points) do
    local row, column = row_of(canvas, point), canvas.column(point.x)
    if row and column then
      canvas.cells[row][column] = layer.wide and "|" or marker_of(canvas, layer)
    end
  end
end

-- With several series each has its own marker in its bar, or all bars would look the same.
function draw.bars(canvas, layer)
  for _, point in ipairs(layer.points) do
    local row, column = row_of(canvas, point, canvas.lines[layer]), canvas.column(point.x)
    if row and column then
      local from = canvas.column(0) or 0
      local glyph = #canvas.figure.series > 1 and marker_of(canvas, layer) or canvas.set.bar
      if column ~= from then span(canvas.cells, row, from, column, glyph)
      else canvas.cells[row][column] = canvas.set.vertical end
    end
  end
end

function draw.segments(canvas, layer)
  for _, point in ipairs(layer.points) do
    local row = row_of(canvas, point)
    local from, to = canvas.column(point.x), canvas.column(point.x_end or point.x)
    if row and from and to and point.y == (point.y_end or point.y) then
      span(canvas.cells, row, from, to, canvas.set.horizontal)
    end
  end
end

function draw.rule(canvas, layer)
  for _, point in ipairs(layer.points) do
    local column = canvas.column(point.x)
    for row = 1, column and canvas.count or 0 do canvas.cells[row][column] = canvas.set.guide end
  end
end

-- The line of each layer of bars inside its category, and how many lines a category has.
local function lines_of_bars(figure)
  local lines, count = {}, 0
  for _, layer in ipairs(figure.layers) do
    if layer.mark == "bars" then
      count = count + 1
      lines[layer] = count
    end
  end
  return lines, math.max(1, count)
end

-- The values of the lines as text: of bars, or else the middles of the intervals of a single series.
local function values_beside(figure, lines, per)
  local list = {}
  for _, layer in ipairs(figure.layers) do
    local line = lines[layer]
    if line or next(lines) == nil and layer.mark == "intervals" and #figure.series < 2 then
      for _, point in ipairs(layer.points) do
        local category = point.y and math.floor(point.y + 0.5)
        if category and point.x then list[(category - 1) * per + (line or 1)] = scale.text(point.x) end
      end
    end
  end
  return list
end

local function widest(list, count)
  local most = 0
  for i = 1, count do most = math.max(most, label.width(list[i] or "")) end
  return most
end

return function(figure, o)
  local names, set = figure.y.categories, frame.glyphs(o)
  local lines_of, per = lines_of_bars(figure)
  local count = #names * per
  local beside = values_beside(figure, lines_of, per)
  local side = widest(beside, count)
  local room = o.width - (side > 0 and side + 2 or 0)
  local indent = math.min(widest(names, #names), room // 2 - 2) + 2
  local width = room - indent
  local x = extent.scales(figure)
  local canvas = { figure = figure, cells = new_cells(count, width), count = count, set = set,
    categories = #names, lines = lines_of, per = per, x = x,
    column = function(value) return value and frame.column(x, value, width) end }
  for _, mark in ipairs { "rule", "segments", "bars", "intervals", "points" } do
    for _, layer in ipairs(figure.layers) do
      if layer.mark == mark then draw[mark](canvas, layer) end
    end
  end
  local lines = frame.legend(figure, o)
  for row = 1, count do
    local name = (row - 1) % per == 0 and names[(row - 1) // per + 1] or ""
    name = label.cut_name(name, indent - 2, set.ellipsis)
    lines[#lines + 1] = label.pad(name, indent - 1) .. set.vertical .. table.concat(canvas.cells[row], "", 0, width - 1)
      .. (side > 0 and "  " .. label.pad(beside[row] or "", side, true) or "")
  end
  for _, line in ipairs(frame.below(figure, x, indent, width, o)) do lines[#lines + 1] = line end
  return lines
end
