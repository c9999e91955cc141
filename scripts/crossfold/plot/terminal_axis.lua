-- Draws the x axis of a text plot: a line with ticks, their labels, the title.
local glyphs = require "crossfold.plot.terminal_glyphs"
local label = require "crossfold.plot.label"

local axis = {}

-- The column, from 0, of `value` on `width` columns; nil if it has no place.
function axis.column(scale, value, width)
  local share = scale:place(value)
  if not share then return nil end
  return math.floor(math.min(math.max(share, 0), 1) * (width - 1) + 0.5)
end

-- Puts `text` into the list of characters `cells` around `middle`, if it does not touch another.
local function put(cells, text, middle, width)
  local size = label.width(text)
  local from = math.max(0, math.min(width - size, middle - size // 2))
  if size > width then return end
  for i = math.max(0, from - 1), math.min(width - 1, from + size) do
    if cells[i] ~= " " then return end
  end
  cells[from] = text
  for i = from + 1, from + size - 1 do cells[i] = "" end
end

local function blank(width)
  local cells = {}
  for i = 0, width - 1 do cells[i] = " " end
  return cells
end

local function join(cells, width) return table.concat(cells, "", 0, width - 1) end

-- Lines under a plot of `width` columns that starts `indent` columns from the left.
function axis.below(figure, scale, indent, width, o)
  local set, margin = glyphs.of(o), (" "):rep(indent)
  local line, labels = {}, blank(width)
  for i = 0, width - 1 do line[i] = set.horizontal end
  for _, tick in ipairs(scale:ticks(math.max(2, width // 10))) do
    local column = axis.column(scale, tick.value, width)
    line[column] = set.tick
    put(labels, tick.text, column, width)
  end
  local lines = { (" "):rep(indent - 1) .. set.corner .. join(line, width),
    margin .. join(labels, width) }
  local title = label.clean(figure.x.label)
  if title ~= "" then
    title = label.cut(title, width, set.ellipsis)
    lines[#lines + 1] = margin .. (" "):rep((width - label.width(title)) // 2) .. title
  end
  return lines
end

return axis
