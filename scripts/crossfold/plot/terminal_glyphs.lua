-- Lists the characters that text plots are drawn with.
local glyphs = {}

local unicode = {
  ellipsis = "\u{2026}", horizontal = "\u{2500}", vertical = "\u{2502}", corner = "\u{2514}",
  tick = "\u{252c}", left_tick = "\u{2524}", start = "\u{251c}", stop = "\u{2524}",
  guide = "\u{b7}", band = "\u{2591}", bar = "\u{2588}",
  shades = { " ", "\u{2591}", "\u{2592}", "\u{2593}", "\u{2588}" },
  -- Eighths of a character, from the left.
  eighths = { "\u{258f}", "\u{258e}", "\u{258d}", "\u{258c}", "\u{258b}", "\u{258a}", "\u{2589}" },
  markers = { "\u{25cf}", "+", "\u{d7}", "\u{25cb}", "#", "\u{25c6}", "o", "*" },
}

local ascii = {
  ellipsis = "~", horizontal = "-", vertical = "|", corner = "+", tick = "+", left_tick = "+",
  start = "|", stop = "|", guide = ".", band = ":", bar = "=",
  shades = { " ", ".", ":", "o", "#" },
  markers = { "o", "+", "x", "*", "#", "@", "%", "&" },
}

-- The set for options with or without `unicode`.
function glyphs.of(o) return o.unicode and unicode or ascii end

-- The marker of series i: after the signs come letters, then "?".
function glyphs.marker(set, i)
  if i <= #set.markers then return set.markers[i] end
  i = i - #set.markers
  if i <= 26 then return string.char(96 + i) end
  return i <= 52 and string.char(64 + i - 26) or "?"
end

return glyphs
