-- What text plots have in common: the characters that they are drawn with, the legend, the x axis.
local label = require "crossfold.plot.label"

local frame = {}

local unicode = {
  ellipsis = "\u{2026}", horizontal = "\u{2500}", vertical = "\u{2502}", corner = "\u{2514}",
  tick = "\u{252c}", left_tick = "\u{2524}", start = "\u{251c}", stop = "\u{2524}",
  guide = "\u{b7}", band = "\u{2591}", bar = "\u{2588}",
  shades = { " ", "\u{2591}", "\u{2592}", "\u{2593}", "\u{2588}" },
  markers = { "\u{25cf}", "+", "\u{d7}", "\u{25cb}", "#", "\u{25c6}", "o", "*" },
}

local ascii = {
  ellipsis = "~", horizontal = "-", vertical = "|", corner = "+", tick = "+", left_tick = "+",
  start = "|", stop = "|", guide = ".", band = ":", bar = "=",
  shades = { " ", ".", ":", "o", "#" },
  markers = { "o", "+", "x", "*", "#", "@", "%", "&" },
}

-- The set for options with or without `unicode`.
function frame.glyphs(o) return o.unicode and unicode or ascii end

-- The marker of series i: after the signs come letters, then "?".
function frame.marker(set, i)
  if i <= #set.markers then return set.markers[i] end
  i = i - #set.markers
  if i <= 26 then return string.char(96 + i) end
  return i <= 52 and string.char(64 + i - 26) or "?"
end

-- Lines that name the marker of each series; none for fewer than two.
function frame.legend(figure, o)
  local lines, line, set = {}, "", frame.glyphs(o)
  if #figure.series < 2 then return lines end
  for i, name in ipairs(figure.series) do
    local entry = frame.marker(set, i) .. " " .. label.cut_name(name, o.width - 4, set.ellipsis)
    if line ~= "" and label.width(line) + 3 + label.width(entry) > o.width then
      lines[#lines + 1], line = line, ""
    end
    line = line == "" and entry or line .. "   " .. entry
  end
  lines[#lines + 1] = line
  lines[#lines + 1] = ""
  return lines
end

-- The column, from 0, of `value` on `width` columns; nil if it has no place.
function frame.column(scale, value, width)
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
function frame.below(figure, scale, indent, width, o)
  local set, margin = frame.glyphs(o), (" "):rep(indent)
  local line, labels = {}, blank(width)
  for i = 0, width - 1 do line[i] = set.horizontal end
  for _, tick in ipairs(scale:ticks(math.max(2, width // 10))) do
    local column = frame.column(scale, tick.value, width)
    line[column] = set.tick
    put(labels, tick.text, column, width)
  end
  local lines = { (" "):rep(indent - 1) .. set.corner .. join(line, width), margin .. join(labels, width) }
  local title = label.clean(figure.x.label)
  if title ~= "" then
    title = label.cut(title, width, set.ellipsis)
    lines[#lines + 1] = margin .. (" "):rep((width - label.width(title)) // 2) .. title
  end
  return lines
end

return frame
