-- Defines the colours of figures, for a light and a dark page, and the shapes that go with them.
--
-- Hues of the series are those of Okabe and Ito 2008, "Color Universal Design", made darker or lighter so
-- that each has at least 3:1 against the page (WCAG 2.1, criterion 1.4.11) and all differ for people with
-- any of the common kinds of colour blindness: the lightness was chosen so that the smallest difference of
-- two colours (CIELAB, also as simulated by Machado, Oliveira and Fernandes 2009) is large, above 18. A
-- series also has its own dash pattern and marker, so that colour is never the only difference. The ramp
-- of tiles goes from the page's side to the far one in one hue, so that it reads in grey, too.
local palette = {}

palette.light = {
  surface = "#ffffff", ink = "#1c1e21", muted = "#5a6069", grid = "#e3e5e8", guide = "#767c85",
  series = { "#005e93", "#853b00", "#0da37a", "#663d54", "#be8300", "#131313" },
  ramp = { "#f1f6fb", "#0b3c6f" },
}

palette.dark = {
  surface = "#15181c", ink = "#f0f2f4", muted = "#a7aeb8", grid = "#31363d", guide = "#868d97",
  series = { "#86bcda", "#d66206", "#00966d", "#c776a3", "#ebb233", "#c3c3c3" },
  ramp = { "#1d2733", "#a9d5ff" },
}

-- Lengths of strokes and gaps; "" is a solid line.
palette.dashes = { "", "7 3", "2 2.5", "10 3 2 3", "5 2 1 2 1 2", "12 4" }

palette.markers = { "circle", "square", "triangle", "diamond", "cross", "wedge" }

-- How many steps the ramp of tiles has, and the first of them that stands out enough from the page for
-- a line or a point.
palette.steps, palette.first_for_lines = 12, 8

-- Colour, dash and marker of series i = 1, 2, ...: indices. The first 36 differ in colour or dash, and
-- neighbours in all three.
function palette.style(i)
  local n = #palette.dashes
  local round = (i - 1) // n
  return (i - 1) % n + 1, (i - 1 + round) % n + 1, (i - 1 + round) % n + 1
end

local function channels(colour)
  local r, g, b = colour:match("^#(%x%x)(%x%x)(%x%x)$")
  return { tonumber(r, 16), tonumber(g, 16), tonumber(b, 16) }
end

local function hex(list)
  return ("#%02x%02x%02x"):format(list[1], list[2], list[3])
end

-- The relative luminance of "#rrggbb", from 0 to 1 (WCAG 2.1).
function palette.luminance(colour)
  local weights, sum = { 0.2126, 0.7152, 0.0722 }, 0
  for i, value in ipairs(channels(colour)) do
    local share = value / 255
    local linear = share <= 0.04045 and share / 12.92 or ((share + 0.055) / 1.055) ^ 2.4
    sum = sum + weights[i] * linear
  end
  return sum
end

-- The contrast ratio of two colours, from 1 to 21 (WCAG 2.1).
function palette.contrast(a, b)
  local x, y = palette.luminance(a), palette.luminance(b)
  return (math.max(x, y) + 0.05) / (math.min(x, y) + 0.05)
end

-- The colours of the ramp of `scheme` (palette.light or palette.dark), first the lowest.
function palette.ramp(scheme)
  local from, to, list = channels(scheme.ramp[1]), channels(scheme.ramp[2]), {}
  for step = 1, palette.steps do
    local share, mixed = (step - 1) / (palette.steps - 1), {}
    for i = 1, 3 do mixed[i] = math.floor(from[i] + share * (to[i] - from[i]) + 0.5) end
    list[step] = hex(mixed)
  end
  return list
end

-- Black or white, whichever reads better on `colour`; never below 4.5:1.
function palette.text_on(colour)
  return palette.contrast(colour, "#000000") >= palette.contrast(colour, "#ffffff") and "#000000" or "#ffffff"
end

return palette
