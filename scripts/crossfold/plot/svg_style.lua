-- Makes the style sheet of figures: classes whose colours are custom properties, with a light and a dark set.
-- Programs that do not know custom properties take the plain colours before them.
local palette = require "crossfold.plot.palette"

local svg_style = {}

-- Custom properties of a scheme, in a fixed order: { name, colour }.
local function properties(scheme)
  local list = {}
  for _, name in ipairs { "surface", "ink", "muted", "grid", "guide" } do
    list[#list + 1] = { name, scheme[name] }
  end
  for i, colour in ipairs(scheme.series) do list[#list + 1] = { "s" .. i, colour } end
  for step, colour in ipairs(palette.ramp(scheme)) do
    list[#list + 1] = { "r" .. step, colour }
    list[#list + 1] = { "o" .. step, palette.text_on(colour) }
  end
  return list
end

local function declarations(scheme)
  local parts = {}
  for i, one in ipairs(properties(scheme)) do parts[i] = ("--cf-%s:%s"):format(one[1], one[2]) end
  return table.concat(parts, ";")
end

-- "fill:#fff;fill:var(--cf-surface)".
local function with(property, name, value)
  return ("%s:%s;%s:var(--cf-%s)"):format(property, value, property, name)
end

local function rules()
  local light = palette.light
  local lines = {
    (".cf-figure text{font-family:system-ui,'DejaVu Sans',Arial,sans-serif;font-size:12px;%s}")
      :format(with("fill", "ink", light.ink)),
    (".cf-figure .cf-surface{%s}"):format(with("fill", "surface", light.surface)),
    ".cf-figure .cf-title{font-size:15px;font-weight:600}",
    (".cf-figure .cf-small{font-size:11px;%s}"):format(with("fill", "muted", light.muted)),
    (".cf-figure .cf-grid{fill:none;%s}"):format(with("stroke", "grid", light.grid)),
    (".cf-figure .cf-axis{fill:none;%s}"):format(with("stroke", "muted", light.muted)),
    (".cf-figure .cf-guide{%s}"):format(with("color", "guide", light.guide)),
    ".cf-figure .cf-line{fill:none;stroke:currentColor;stroke-width:1.8;stroke-linejoin:round}",
    ".cf-figure .cf-wide{stroke-width:4.5}",
    ".cf-figure .cf-faint{opacity:.55}",
    ".cf-figure .cf-band{fill:currentColor;fill-opacity:.16;stroke:none}",
    ".cf-figure .cf-bar{fill:currentColor}",
    (".cf-figure .cf-mark{fill:currentColor;%s}"):format(with("stroke", "surface", light.surface)),
    ".cf-figure .cf-open{fill:none;stroke:currentColor;stroke-width:2}",
    ".cf-figure .cf-hover{fill:transparent;stroke:none;pointer-events:all}",
    (".cf-figure .cf-halo{paint-order:stroke;stroke-width:3px;stroke-linejoin:round;%s}"):format(
      with("stroke", "surface", light.surface)),
    (".cf-figure .cf-tile{%s}"):format(with("stroke", "surface", light.surface)),
    (".cf-figure .cf-frame{fill:none;stroke-width:2;pointer-events:none;%s}"):format(
      with("stroke", "ink", light.ink)),
    (".cf-figure .cf-inner{%s}"):format(with("stroke", "surface", light.surface)),
  }
  for i, colour in ipairs(light.series) do
    lines[#lines + 1] = (".cf-figure .cf-s%d{%s}"):format(i, with("color", "s" .. i, colour))
  end
  for step, colour in ipairs(palette.ramp(light)) do
    lines[#lines + 1] = (".cf-figure .cf-r%d{%s}"):format(step, with("fill", "r" .. step, colour))
    lines[#lines + 1] = (".cf-figure .cf-v%d{%s}"):format(step, with("color", "r" .. step, colour))
    lines[#lines + 1] = (".cf-figure text.cf-o%d{%s}"):format(step,
      with("fill", "o" .. step, palette.text_on(colour)))
  end
  return lines
end

-- Lines of text for a <style> element.
function svg_style.sheet()
  local light, dark = declarations(palette.light), declarations(palette.dark)
  local lines = {
    (".cf-figure{%s}"):format(light),
    ("@media (prefers-color-scheme:dark){.cf-figure{%s}}"):format(dark),
    ("[data-theme=light] .cf-figure{%s}"):format(light),
    ("[data-theme=dark] .cf-figure{%s}"):format(dark),
  }
  table.move(rules(), 1, #rules(), #lines + 1, lines)
  return table.concat(lines, "\n") .. "\n"
end

return svg_style
