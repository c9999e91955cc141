-- Draws figures as text for a terminal of a given width: with the characters of box drawing, blocks and
-- braille, or with ASCII only. Colour is not used.
--   categories down the side   one line a category, marks along it
--   tiles                      a table of their texts, or of shades where these do not fit
--   anything else              a raster of characters; one series of lines is drawn in braille dots
local label = require "crossfold.plot.label"
local rows = require "crossfold.plot.terminal_rows"
local raster = require "crossfold.plot.terminal_raster"
local tiles = require "crossfold.plot.terminal_tiles"

local terminal = {}

local function has_tiles(figure)
  for _, layer in ipairs(figure.layers) do
    if layer.mark == "tiles" then return true end
  end
  return false
end

local function body(figure, o)
  if has_tiles(figure) then return tiles(figure, o) end
  return (figure.value_axis == "x" and rows or raster)(figure, o)
end

-- `o` is { width = columns, height = lines, unicode = }. The text ends without a line break.
function terminal.render(figure, o)
  local lines = label.wrap(figure.title, o.width)
  lines[#lines + 1] = ""
  for _, line in ipairs(body(figure, o)) do lines[#lines + 1] = line:gsub(" +$", "") end
  if figure.note then
    lines[#lines + 1] = ""
    for _, line in ipairs(label.wrap(figure.note, o.width)) do lines[#lines + 1] = line end
  end
  return table.concat(lines, "\n")
end

return terminal
