-- Draws tiles as text: a table of what is written on them, or of shades if that is too wide.
local frame = require "crossfold.plot.terminal_frame"
local label = require "crossfold.plot.label"
local scale = require "crossfold.plot.scale"

-- cells[row][column] = the point of the tile there.
local function cells_of(figure)
  local cells = {}
  for row = 1, #figure.y.categories do cells[row] = {} end
  for _, layer in ipairs(figure.layers) do
    for _, point in ipairs(layer.mark == "tiles" and layer.points or {}) do
      if point.x and point.y and cells[point.y] then cells[point.y][point.x] = point end
    end
  end
  return cells
end

local function tile_text(point)
  if not point then return "" end
  return (point.marked and "*" or "") .. (point.text or point.value and scale.text(point.value) or "")
end

-- Columns of each column of tiles; at least what its longest text needs, at most what its heading does.
local function widths_of(figure, cells)
  local widths = {}
  for column, name in ipairs(figure.x.categories) do
    local most = math.min(12, label.width(name))
    for row = 1, #cells do most = math.max(most, label.width(tile_text(cells[row][column]))) end
    widths[column] = most
  end
  return widths
end

local function sum(list, gap)
  local total = 0
  for _, one in ipairs(list) do total = total + one + gap end
  return total
end

-- A table with `names` above the columns and `side` before the rows.
local function table_lines(cells, widths, names, side, indent, gap, set)
  local heading, space = (" "):rep(indent), (" "):rep(gap)
  for column, name in ipairs(names) do
    heading = heading .. space .. label.pad(label.cut_name(name, widths[column], set.ellipsis), widths[column], true)
  end
  local lines = { heading }
  for row, name in ipairs(side) do
    local line = label.pad(label.cut_name(name, indent, set.ellipsis), indent)
    for column, width in ipairs(widths) do
      line = line .. space .. label.pad(tile_text(cells[row][column]), width, true)
    end
    lines[#lines + 1] = line
  end
  return lines
end

-- A shade a tile; of more tiles than fit the strongest of each group.
local function shade_lines(figure, cells, indent, set, o)
  local ramp, columns = figure.ramp, #figure.x.categories
  local every = math.ceil(columns / (o.width - indent - 1))
  local lines = {}
  for row, name in ipairs(figure.y.categories) do
    local line = {}
    for column = 1, columns, every do
      local strongest = 0
      for c = column, math.min(column + every - 1, columns) do
        local value = cells[row][c] and cells[row][c].value
        if value then strongest = math.max(strongest, scale.ramp_share(value, ramp.low, ramp.high)) end
      end
      line[#line + 1] = set.shades[1 + math.floor(strongest * 4 + 0.5)]
    end
    lines[row] = label.pad(label.cut_name(name, indent, set.ellipsis), indent) .. " " .. table.concat(line)
  end
  local key = ("'%s' is %s, '%s' is %s%s"):format(set.shades[1], scale.text(ramp.low), set.shades[5],
    scale.text(ramp.high), every > 1 and (", the strongest of %d columns"):format(every) or "")
  for _, line in ipairs(label.wrap(key, o.width)) do lines[#lines + 1] = line end
  return lines
end

-- Numbers in place of the names above the columns, where rows and columns have the same names: nil if
-- they have not, or if that is too wide, too.
local function numbered_lines(figure, cells, indent, set, o)
  local numbers, side, widths = {}, {}, {}
  for i, name in ipairs(figure.x.categories) do
    if figure.y.categories[i] ~= name or #figure.y.categories ~= #figure.x.categories then return nil end
    numbers[i], widths[i] = tostring(i), #tostring(i)
    side[i] = ("%d %s"):format(i, name)
    for row = 1, #cells do widths[i] = math.max(widths[i], label.width(tile_text(cells[row][i]))) end
  end
  indent = math.min(indent + #tostring(#side) + 1, o.width // 3)
  if indent + sum(widths, 1) > o.width then return nil end
  return table_lines(cells, widths, numbers, side, indent, 1, set)
end

return function(figure, o)
  local set, cells, indent = frame.glyphs(o), cells_of(figure), 0
  for _, name in ipairs(figure.y.categories) do indent = math.max(indent, label.width(name)) end
  indent = math.min(indent, o.width // 3)
  local widths = widths_of(figure, cells)
  local lines
  if indent + sum(widths, 2) <= o.width then
    lines = table_lines(cells, widths, figure.x.categories, figure.y.categories, indent, 2, set)
  else
    lines = numbered_lines(figure, cells, indent, set, o) or shade_lines(figure, cells, indent, set, o)
  end
  local names = {}
  if figure.y.label ~= "" then names[1] = "rows: " .. label.clean(figure.y.label) end
  if figure.x.label ~= "" then names[#names + 1] = "columns: " .. label.clean(figure.x.label) end
  if figure.ramp.label ~= "" then names[#names + 1] = "shown: " .. figure.ramp.label end
  if #names > 0 then
    lines[#lines + 1] = ""
    for _, line in ipairs(label.wrap(table.concat(names, "; "), o.width)) do lines[#lines + 1] = line end
  end
  return lines
end
