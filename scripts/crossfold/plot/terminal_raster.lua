-- Draws text plots with two axes of values on a raster of characters. Where one series has all the lines they
-- are drawn in braille, 2 x 4 dots a character.
local frame = require "crossfold.plot.terminal_frame"
local extent = require "crossfold.plot.extent"
local label = require "crossfold.plot.label"

-- The bits of the dots of a braille character, [row from 0][column from 0].
local dot_bits = { [0] = { [0] = 0x01, 0x08 }, { [0] = 0x02, 0x10 }, { [0] = 0x04, 0x20 },
  { [0] = 0x40, 0x80 } }

local function put(canvas, column, row, glyph)
  if column >= 0 and column < canvas.width and row >= 0 and row < canvas.height then
    canvas.cells[row][column] = glyph
    canvas.dots[row][column] = nil
  end
end

-- A dot of braille at fine places: 2 a column, 4 a row.
local function dot(canvas, x, y)
  local row, column = y // 4, x // 2
  local dots = canvas.dots[row]
  if not dots or column < 0 or column >= canvas.width then return end
  dots[column] = (dots[column] or 0) | dot_bits[y % 4][x % 2]
end

-- Places of a point on a raster of columns x rows, from the upper left corner.
local function place(canvas, point, columns, rows)
  local x, y = canvas.x:place(point.x), canvas.y:place(point.y)
  if not (x and y) then return nil end
  x, y = math.min(math.max(x, 0), 1), math.min(math.max(y, 0), 1)
  if canvas.y.kind ~= "category" then y = 1 - y end
  return math.floor(x * (columns - 1) + 0.5), math.floor(y * (rows - 1) + 0.5)
end

-- Calls f(x, y) for every place of the straight line between two.
local function walk(x, y, x_end, y_end, f)
  local count = math.max(math.abs(x_end - x), math.abs(y_end - y))
  if count == 0 then return f(x, y) end
  for i = 0, count do
    f(math.floor(x + (x_end - x) * i / count + 0.5), math.floor(y + (y_end - y) * i / count + 0.5))
  end
end

-- Draws the line of a layer by f(x, y) on a raster of columns x rows.
local function trace(canvas, layer, columns, rows, f)
  local x, y
  for _, point in ipairs(layer.points) do
    local to_x, to_y = place(canvas, point, columns, rows)
    if to_x and not x then
      f(to_x, to_y)
    elseif to_x and layer.mark == "steps" then
      walk(x, y, x, to_y, f)
      walk(x, to_y, to_x, to_y, f)
    elseif to_x then
      walk(x, y, to_x, to_y, f)
    end
    x, y = to_x, to_y
  end
end

local draw = {}

local function draw_line(canvas, layer)
  if layer.role == "guide" then
    return trace(canvas, layer, canvas.width, canvas.height, function(x, y)
      if (x + y) % 2 == 0 then put(canvas, x, y, canvas.set.guide) end
    end)
  end
  if canvas.braille then
    return trace(canvas, layer, 2 * canvas.width, 4 * canvas.height,
      function(x, y) dot(canvas, x, y) end)
  end
  local glyph = frame.marker(canvas.set, layer.number or 1)
  trace(canvas, layer, canvas.width, canvas.height, function(x, y) put(canvas, x, y, glyph) end)
end
draw.line, draw.steps = draw_line, draw_line

function draw.points(canvas, layer)
  local glyph = frame.marker(canvas.set, layer.number or 1)
  for _, point in ipairs(layer.points) do
    local x, y = place(canvas, point, canvas.width, canvas.height)
    if x then put(canvas, x, y, glyph) end
  end
end

local function upright(canvas, point, from, to, glyph)
  local x, low = place(canvas, { x = point.x, y = from }, canvas.width, canvas.height)
  local _, high = place(canvas, { x = point.x, y = to }, canvas.width, canvas.height)
  if not (x and low and high) then return end
  for y = math.min(low, high), math.max(low, high) do put(canvas, x, y, glyph) end
end

function draw.intervals(canvas, layer)
  for _, point in ipairs(layer.points) do
    upright(canvas, point, point.low, point.high, canvas.set.vertical)
  end
end

function draw.bars(canvas, layer)
  local glyph = #canvas.figure.series > 1 and frame.marker(canvas.set, layer.number or 1) or canvas.set.bar
  for _, point in ipairs(layer.points) do upright(canvas, point, 0, point.y, glyph) end
end

-- The band between the ends at each column, straight between the points. One series only: bands of
-- several would hide each other.
function draw.band(canvas, layer)
  if #canvas.figure.series > 1 then return end
  local before
  for _, point in ipairs(layer.points) do
    local x, low = place(canvas, { x = point.x, y = point.low }, canvas.width, canvas.height)
    local _, high = place(canvas, { x = point.x, y = point.high }, canvas.width, canvas.height)
    local now = x and low and high and { x, low, high } or nil
    if now and before then
      for column = before[1], x do
        local share = x == before[1] and 1 or (column - before[1]) / (x - before[1])
        local top = math.floor(before[3] + share * (high - before[3]) + 0.5)
        local bottom = math.floor(before[2] + share * (low - before[2]) + 0.5)
        for y = top, bottom do put(canvas, column, y, canvas.set.band) end
      end
    end
    before = now
  end
end

function draw.segments(canvas, layer)
  for _, point in ipairs(layer.points) do
    trace(canvas, { mark = "line", points = { point, { x = point.x_end or point.x,
      y = point.y_end or point.y } } }, canvas.width, canvas.height,
      function(x, y) put(canvas, x, y, canvas.set.guide) end)
  end
end

function draw.rule(canvas, layer)
  for _, point in ipairs(layer.points) do
    local ends = point.x and { { x = point.x, y = canvas.y.low }, { x = point.x, y = canvas.y.high } }
      or { { x = canvas.x.low, y = point.y }, { x = canvas.x.high, y = point.y } }
    trace(canvas, { mark = "line", points = ends }, canvas.width, canvas.height,
      function(x, y) put(canvas, x, y, canvas.set.guide) end)
  end
end

local function line_of(canvas, row)
  local parts = {}
  for column = 0, canvas.width - 1 do
    local bits = canvas.dots[row][column]
    parts[#parts + 1] = bits and utf8.char(0x2800 + bits) or canvas.cells[row][column]
  end
  return table.concat(parts)
end

-- The label of the tick at each row; of two at one row the first.
local function row_labels(canvas)
  local labels, most = {}, 0
  for _, tick in ipairs(canvas.y:ticks(math.max(2, canvas.height // 3))) do
    local _, row = place(canvas, { x = canvas.x.low, y = tick.value }, canvas.width, canvas.height)
    if row and not labels[row] then
      labels[row] = label.cut(tick.text, 20, canvas.set.ellipsis)
      most = math.max(most, label.width(labels[row]))
    end
  end
  return labels, most
end

local function new_canvas(figure, o)
  local canvas = { figure = figure, set = frame.glyphs(o), height = o.height, cells = {}, dots = {},
    width = o.width, braille = o.unicode and #figure.series < 2 }
  canvas.x, canvas.y = extent.scales(figure)
  canvas.labels, canvas.indent = row_labels(canvas)
  canvas.indent = canvas.indent + 2
  canvas.width = o.width - canvas.indent
  for row = 0, canvas.height - 1 do
    canvas.cells[row], canvas.dots[row] = {}, {}
    for column = 0, canvas.width - 1 do canvas.cells[row][column] = " " end
  end
  return canvas
end

return function(figure, o)
  local canvas = new_canvas(figure, o)
  for _, layer in ipairs(figure.layers) do
    if draw[layer.mark] then draw[layer.mark](canvas, layer) end
  end
  local lines = frame.legend(figure, o)
  local title = label.clean(figure.y.label)
  if title ~= "" then lines[#lines + 1] = label.cut(title, o.width, canvas.set.ellipsis) end
  for row = 0, canvas.height - 1 do
    local text = canvas.labels[row]
    lines[#lines + 1] = label.pad(text or "", canvas.indent - 2, true)
      .. (text and " " .. canvas.set.left_tick or " " .. canvas.set.vertical) .. line_of(canvas, row)
  end
  for _, line in ipairs(frame.below(figure, canvas.x, canvas.indent, canvas.width, o)) do
    lines[#lines + 1] = line
  end
  return lines
end
