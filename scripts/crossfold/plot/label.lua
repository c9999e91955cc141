-- Makes the text of figures printable, measures it, cuts it and breaks it into lines.
local label = {}

-- Code points that take two columns of a terminal: East Asian wide and full-width characters and the
-- pictures of emoji, in ranges (Unicode 15, EastAsianWidth.txt).
local wide = { { 0x1100, 0x115f }, { 0x231a, 0x231b }, { 0x2e80, 0x303e }, { 0x3041, 0x33ff },
  { 0x3400, 0x4dbf }, { 0x4e00, 0x9fff }, { 0xa000, 0xa4cf }, { 0xa960, 0xa97f },
  { 0xac00, 0xd7a3 }, { 0xf900, 0xfaff }, { 0xfe30, 0xfe6f }, { 0xff00, 0xff60 },
  { 0xffe0, 0xffe6 }, { 0x1f300, 0x1f64f }, { 0x1f680, 0x1f6ff }, { 0x1f900, 0x1faff },
  { 0x20000, 0x3fffd } }

-- Those that take none: marks that combine, joiners, selectors.
local zero = { { 0x0300, 0x036f }, { 0x0483, 0x0489 }, { 0x0591, 0x05bd }, { 0x0610, 0x061a },
  { 0x064b, 0x065f }, { 0x0e31, 0x0e31 }, { 0x0e34, 0x0e3a }, { 0x0e47, 0x0e4e },
  { 0x1ab0, 0x1aff }, { 0x1dc0, 0x1dff }, { 0x200b, 0x200f }, { 0x20d0, 0x20ff },
  { 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f } }

local function is_in(ranges, code)
  for _, range in ipairs(ranges) do
    if code < range[1] then return false end
    if code <= range[2] then return true end
  end
  return false
end

local function columns_of(code)
  if code < 0x300 then return 1 end
  if is_in(zero, code) then return 0 end
  return is_in(wide, code) and 2 or 1
end

-- What XML 1.0 does not allow, even as a reference, or what would turn the text around it.
local function is_unprintable(code)
  return code < 0x20 or (code >= 0x7f and code < 0xa0) or (code >= 0xd800 and code <= 0xdfff)
    or code == 0xfffe or code == 0xffff or code == 0x2028 or code == 0x2029
    or (code >= 0x202a and code <= 0x202e) or (code >= 0x2066 and code <= 0x2069) or code > 0x10ffff
end

-- `text` as valid UTF-8: control characters are spaces, bytes that are not UTF-8 are U+FFFD.
function label.clean(text)
  text = tostring(text)
  if not text:find("[^\x20-\x7e]") then return text end
  local parts, at = {}, 1
  while at <= #text do
    local valid, bad = utf8.len(text, at)
    local stop = valid and #text or bad - 1
    if stop >= at then
      for _, code in utf8.codes(text:sub(at, stop)) do
        parts[#parts + 1] = is_unprintable(code) and " " or utf8.char(code)
      end
    end
    if not valid then parts[#parts + 1] = "\u{fffd}" end
    at = valid and #text + 1 or bad + 1
  end
  return table.concat(parts)
end

-- Columns of a terminal that a clean text takes.
function label.width(text)
  if not text:find("[\x80-\xff]") then return #text end
  local sum = 0
  for _, code in utf8.codes(text) do sum = sum + columns_of(code) end
  return sum
end

-- Characters of a clean text that fit into `width` columns, and what is left.
local function fitting(text, width)
  local sum = 0
  for place, code in utf8.codes(text) do
    sum = sum + columns_of(code)
    if sum > width then return text:sub(1, place - 1), text:sub(place) end
  end
  return text, ""
end

-- A clean text in at most `width` columns; what is cut ends with `mark` (default an ellipsis).
function label.cut(text, width, mark)
  if label.width(text) <= width then return text end
  mark = mark or "\u{2026}"
  if width <= label.width(mark) then return (fitting(text, width)) end
  return fitting(text, width - label.width(mark)) .. mark
end

-- The last characters of a clean text that fit into `width` columns.
local function ending(text, width)
  local places = {}
  for place in utf8.codes(text) do places[#places + 1] = place end
  local from, sum = #text + 1, 0
  for i = #places, 1, -1 do
    sum = sum + columns_of(utf8.codepoint(text, places[i]))
    if sum > width then break end
    from = places[i]
  end
  return text:sub(from)
end

-- A name in at most `width` columns: cut in its middle, because names of settings often differ at
-- their ends only.
function label.cut_name(text, width, mark)
  if label.width(text) <= width then return text end
  mark = mark or "\u{2026}"
  local room = width - label.width(mark)
  if room < 4 then return label.cut(text, width, mark) end
  return fitting(text, room - room // 2) .. mark .. ending(text, room // 2)
end

-- A clean text with spaces up to `width` columns: after it, or with `right` before it.
function label.pad(text, width, right)
  local spaces = (" "):rep(math.max(0, width - label.width(text)))
  return right and spaces .. text or text .. spaces
end

-- Where a line of at most `width` columns ends: after a space, else after a hyphen, an underscore or
-- the like, unless that leaves two thirds of it empty; else where it is full.
local function break_line(text, width)
  local line, rest = fitting(text, width)
  if rest == "" then return line, rest end
  if rest:sub(1, 1) == " " then return line, (rest:gsub("^ +", "")) end
  for _, pattern in ipairs { "^.*() ", "^.*()[%-_,/]" } do
    local place = line:match(pattern)
    if place and place > #line // 3 then return text:sub(1, place), text:sub(place + 1) end
  end
  return line, rest
end

-- A clean text as at most `most` lines of at most `width` columns; the last is cut.
function label.wrap(text, width, most)
  local lines, rest = {}, text
  while rest ~= "" and (not most or #lines + 1 < most) and label.width(rest) > width do
    local line
    line, rest = break_line(rest, width)
    lines[#lines + 1] = (line:gsub(" +$", ""))
  end
  if rest ~= "" or #lines == 0 then lines[#lines + 1] = label.cut(rest, width) end
  return lines
end

local narrow = {}
for character in ("iljtfI.,:;|!'()[] "):gmatch(".") do narrow[character:byte()] = 0.34 end
for character in ("mwMW@%"):gmatch(".") do narrow[character:byte()] = 0.92 end

-- Pixels that a clean text takes in a sans-serif font of `size`, from above: DejaVu Sans, the widest
-- of the common ones, has 0.65 em for most letters.
function label.pixels(text, size)
  local sum = 0
  for _, code in utf8.codes(text) do
    local columns = columns_of(code)
    sum = sum + (narrow[code] or (columns == 2 and 1.05) or (code >= 65 and code <= 90 and 0.72) or columns * 0.62)
  end
  return sum * size
end

return label
