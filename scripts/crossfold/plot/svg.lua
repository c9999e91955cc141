-- Draws figures as SVG: well-formed XML without scripts, ids or references to the outside, so that several
-- stand in one page. Text is never below 11 pixels. Colours follow the reader's scheme: svg_style.lua.
local extent = require "crossfold.plot.extent"
local label = require "crossfold.plot.label"
local marks = require "crossfold.plot.svg_marks"
local palette = require "crossfold.plot.palette"
local scale = require "crossfold.plot.scale"

local svg = {}

-- Makes the style sheet of figures: classes whose colours are custom properties, with a light and a dark set.
-- Programs that do not know custom properties take the plain colours before them.

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
local function declaration(property, name, value)
  return ("%s:%s;%s:var(--cf-%s)"):format(property, value, property, name)
end

local function rules()
  local light = palette.light
  local lines = {
    (".cf-figure text{font-family:system-ui,'DejaVu Sans',Arial,sans-serif;font-size:12px;%s}")
      :format(declaration("fill", "ink", light.ink)),
    (".cf-figure .cf-surface{%s}"):format(declaration("fill", "surface", light.surface)),
    ".cf-figure .cf-title{font-size:15px;font-weight:600}",
    (".cf-figure .cf-small{font-size:11px;%s}"):format(declaration("fill", "muted", light.muted)),
    (".cf-figure .cf-grid{fill:none;%s}"):format(declaration("stroke", "grid", light.grid)),
    (".cf-figure .cf-axis{fill:none;%s}"):format(declaration("stroke", "muted", light.muted)),
    (".cf-figure .cf-guide{%s}"):format(declaration("color", "guide", light.guide)),
    ".cf-figure .cf-line{fill:none;stroke:currentColor;stroke-width:1.8;stroke-linejoin:round}",
    ".cf-figure .cf-wide{stroke-width:4.5}",
    ".cf-figure .cf-faint{opacity:.55}",
    ".cf-figure .cf-band{fill:currentColor;fill-opacity:.16;stroke:none}",
    ".cf-figure .cf-bar{fill:currentColor}",
    (".cf-figure .cf-mark{fill:currentColor;%s}"):format(declaration("stroke", "surface", light.surface)),
    ".cf-figure .cf-open{fill:none;stroke:currentColor;stroke-width:2}",
    ".cf-figure .cf-hover{fill:transparent;stroke:none;pointer-events:all}",
    (".cf-figure .cf-halo{paint-order:stroke;stroke-width:3px;stroke-linejoin:round;%s}"):format(
      declaration("stroke", "surface", light.surface)),
    (".cf-figure .cf-tile{%s}"):format(declaration("stroke", "surface", light.surface)),
    (".cf-figure .cf-frame{fill:none;stroke-width:2;pointer-events:none;%s}"):format(
      declaration("stroke", "ink", light.ink)),
    (".cf-figure .cf-inner{%s}"):format(declaration("stroke", "surface", light.surface)),
  }
  for i, colour in ipairs(light.series) do
    lines[#lines + 1] = (".cf-figure .cf-s%d{%s}"):format(i, declaration("color", "s" .. i, colour))
  end
  for step, colour in ipairs(palette.ramp(light)) do
    lines[#lines + 1] = (".cf-figure .cf-r%d{%s}"):format(step, declaration("fill", "r" .. step, colour))
    lines[#lines + 1] = (".cf-figure .cf-v%d{%s}"):format(step, declaration("color", "r" .. step, colour))
    lines[#lines + 1] = (".cf-figure text.cf-o%d{%s}"):format(step,
      declaration("fill", "o" .. step, palette.text_on(colour)))
  end
  return lines
end

-- Lines of text for a <style> element.
local function sheet()
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

svg.stylesheet = sheet

local pixel, escaped = marks.pixel, marks.escaped
local small, normal, large = 11, 12, 15  -- sizes of text in pixels, as in svg_style.lua
local longest_label = 190                -- pixels of a label next to the y axis
local least_for_two = 28                 -- pixels of a category whose label may have two lines

local function add(canvas, text) canvas.lines[#canvas.lines + 1] = text end

-- A text element, with the whole of it as a title if something was cut.
local function text(canvas, x, y, content, attributes, whole)
  add(canvas, ('<text x="%s" y="%s"%s>%s%s</text>'):format(pixel(x), pixel(y),
    attributes and " " .. attributes or "", escaped(content),
    whole and whole ~= content and marks.title(whole) or ""))
end

-- How many columns of text of `size` fit into `pixels`, from below.
local function columns_in(pixels, size) return math.max(4, math.floor(pixels / (0.6 * size))) end

-- Lines of a text that stands in `pixels`.
local function broken(content, pixels, size, most)
  if label.pixels(content, size) <= pixels then return { content } end
  local columns = columns_in(pixels, size)
  -- Prose is narrower than single capitals are: as many columns as its own mean width allows.
  local mean = label.pixels(content, size) / math.max(1, label.width(content))
  if #content > 60 then columns = math.max(columns, math.floor(0.96 * pixels / mean)) end
  return label.wrap(content, columns, most)
end

-- A name in at most `most` lines; what does not fit is cut in its middle.
local function name_lines(content, pixels, most)
  if label.pixels(content, normal) <= pixels then return { content } end
  local columns = columns_in(pixels, normal)
  if most == 1 then return { label.cut_name(content, columns) } end
  return label.wrap(label.cut_name(content, math.floor(1.8 * columns)), columns, most)
end

-- Legend --------------------------------------------------------------------------------------------

-- What a series is drawn with: { line =, points =, fill = }.
local function drawn_with(figure, number)
  local with = {}
  for _, layer in ipairs(figure.layers) do
    if layer.number == number then
      local mark = layer.mark
      if mark == "line" or mark == "steps" or mark == "segments" or mark == "rule" then
        with.line, with.layer = true, layer
      elseif mark == "points" then
        with.points = true
      elseif mark ~= "intervals" then
        with.fill = true
      end
    end
  end
  return with
end

-- Entries of the legend with their places, and its height: rows of entries as wide as they fit.
local function legend_of(figure, width)
  local entries, x, row = {}, 0, 0
  if #figure.series < 2 then return entries, 0 end
  for number, name in ipairs(figure.series) do
    local shown = label.cut_name(name, columns_in(width - 60, normal))
    local wide = 40 + label.pixels(shown, normal) + 14
    if x > 0 and x + wide > width then x, row = 0, row + 1 end
    entries[number] = { number = number, name = name, shown = shown, x = x, row = row }
    x = x + wide
  end
  return entries, (row + 1) * 20 + 8
end

local function draw_legend(canvas, entries, top)
  for _, entry in ipairs(entries) do
    local with = drawn_with(canvas.figure, entry.number)
    local x, y = 16 + entry.x, top + entry.row * 20 + 8
    local colour, dash, marker = marks.style(canvas, { number = entry.number })
    if with.line then
      add(canvas, ('<path class="cf-line %s"%s d="M%s %sh30"/>'):format(colour,
        marks.dash_attribute(dash), pixel(x), pixel(y)))
    elseif with.fill and not with.points then
      add(canvas, ('<rect class="cf-bar %s" x="%s" y="%s" width="22" height="11"/>'):format(colour,
        pixel(x + 6), pixel(y - 5.5)))
    end
    if with.points or not (with.line or with.fill) then
      add(canvas, marks.marker(marker, x + 15, y, 4, colour))
    end
    text(canvas, x + 37, y + 4, entry.shown, nil, entry.name)
  end
end

-- Colours of tiles ----------------------------------------------------------------------------------

local function has_ramp(figure)
  for _, layer in ipairs(figure.layers) do
    if layer.mark == "tiles" or layer.value then return true end
  end
  return false
end

local ramp_width = 66

local function draw_ramp(canvas)
  local ramp = canvas.figure.ramp
  local height = math.min(canvas.height, 180)
  local x, h = canvas.left + canvas.width + 16, height / palette.steps
  for step = 1, palette.steps do
    add(canvas, ('<rect class="cf-r%d" x="%s" y="%s" width="14" height="%s"/>'):format(step, pixel(x),
      pixel(canvas.top + height - step * h), pixel(h + 0.3)))
  end
  text(canvas, x + 18, canvas.top + 9, scale.text(ramp.high), 'class="cf-small"')
  text(canvas, x + 18, canvas.top + height, scale.text(ramp.low), 'class="cf-small"')
  if ramp.label ~= "" then
    for i, line in ipairs(broken(ramp.label, ramp_width - 2, small, 3)) do
      text(canvas, x - 4, canvas.top + height + 2 + 13 * i, line, 'class="cf-small"', ramp.label)
    end
  end
end

-- Axes ----------------------------------------------------------------------------------------------

-- How many categories go to one label so that labels do not touch.
local function label_step(count, room, least) return math.max(1, math.ceil(least * count / room)) end

local function draw_y_axis(canvas, ticks)
  local is_category = canvas.y.kind == "category"
  local every = is_category and label_step(#ticks, canvas.height, 13) or 1
  local room = is_category and canvas.height / #ticks * every or 0
  for i = 1, #ticks, every do
    local tick, y = ticks[i], marks.to_y(canvas, ticks[i].value)
    if not is_category then
      add(canvas, ('<path class="cf-grid" d="M%s %sh%s"/>'):format(pixel(canvas.left), pixel(y),
        pixel(canvas.width)))
    end
    local lines = name_lines(tick.text, canvas.labels, room >= least_for_two and 2 or 1)
    for n, line in ipairs(lines) do
      text(canvas, canvas.left - 8, y + 4 + 13 * (n - (#lines + 1) / 2), line, 'text-anchor="end"',
        tick.text)
    end
  end
  local title = canvas.y.label
  if title and title ~= "" then
    local shown = label.cut(title, columns_in(canvas.height, normal))
    local middle = canvas.top + canvas.height / 2
    text(canvas, 22, middle, shown,
      ('text-anchor="middle" transform="rotate(-90 22 %s)"'):format(pixel(middle)), title)
  end
end

-- Labels of categories stand upright if they would touch otherwise.
local function draw_x_categories(canvas, ticks)
  local bottom = canvas.top + canvas.height
  local every = canvas.upright and label_step(#ticks, canvas.width, 14) or 1
  for i = 1, #ticks, every do
    local x, whole = marks.to_x(canvas, ticks[i].value), ticks[i].text
    if canvas.upright then
      text(canvas, x + 4, bottom + 8, label.cut_name(whole, columns_in(canvas.x_labels, normal)),
        ('text-anchor="end" transform="rotate(-90 %s %s)"'):format(pixel(x + 4), pixel(bottom + 8)),
        whole)
    else
      text(canvas, x, bottom + 17, whole, 'text-anchor="middle"')
    end
  end
end

local function draw_x_axis(canvas, ticks)
  local bottom = canvas.top + canvas.height
  if canvas.x.kind == "category" then
    draw_x_categories(canvas, ticks)
  else
    for _, tick in ipairs(ticks) do
      local x = marks.to_x(canvas, tick.value)
      add(canvas, ('<path class="cf-grid" d="M%s %sv%s"/>'):format(pixel(x), pixel(canvas.top),
        pixel(canvas.height)))
      text(canvas, x, bottom + 17, tick.text, 'text-anchor="middle"')
    end
  end
  local title = canvas.x.label
  if title and title ~= "" then
    text(canvas, canvas.left + canvas.width / 2, bottom + canvas.x_labels + 20,
      label.cut(title, columns_in(canvas.width + 60, normal)), 'text-anchor="middle"', title)
  end
end

local function draw_frame(canvas)
  local category = canvas.y.kind == "category" and canvas.x.kind ~= "category"
  if category then
    add(canvas, ('<path class="cf-axis" d="M%s %sh%s"/>'):format(pixel(canvas.left),
      pixel(canvas.top + canvas.height), pixel(canvas.width)))
  else
    add(canvas, ('<rect class="cf-axis" x="%s" y="%s" width="%s" height="%s"/>'):format(
      pixel(canvas.left), pixel(canvas.top), pixel(canvas.width), pixel(canvas.height)))
  end
end

-- Layout --------------------------------------------------------------------------------------------

local function widest(ticks, size)
  local most = 0
  for _, tick in ipairs(ticks) do most = math.max(most, label.pixels(tick.text, size)) end
  return most
end

-- Pixels between the axes from top to bottom, where nobody says how many.
local function natural_height(figure, canvas)
  local rows = figure.y.categories and #figure.y.categories
  if rows and figure.x.categories then
    local tile = canvas.width / math.max(1, #figure.x.categories)
    return math.max(60, rows * math.min(56, math.max(9, math.min(tile, rows > 12 and 26 or 56))))
  elseif rows then
    local two_lines = canvas.widest > canvas.labels and 32 or 26
    return math.max(1, rows) * (rows <= 12 and 34 or rows <= 40 and two_lines or 20) + 8
  end
  return figure.aspect and math.min(560, canvas.width * figure.aspect) or 300
end

-- Room for the labels of the x axis: one line, or as long as the upright ones are.
local function x_room(canvas, ticks)
  if canvas.x.kind ~= "category" then return 22 end
  local longest = widest(ticks, normal)
  canvas.upright = longest + 8 > canvas.width / math.max(1, #ticks)
  return canvas.upright and math.min(130, longest + 8) + 8 or 22
end

local function new_canvas(figure, o)
  local canvas = { figure = figure, lines = {} }
  canvas.x, canvas.y = extent.scales(figure)
  canvas.x.label, canvas.y.label = label.clean(figure.x.label), label.clean(figure.y.label)
  canvas.title = label.wrap(figure.title, columns_in(o.width - 32, large), 3)
  canvas.notes = figure.note and broken(figure.note, o.width - 32, small) or {}
  canvas.legend, canvas.legend_height = legend_of(figure, o.width - 32)
  canvas.top = 20 + 20 * #canvas.title + canvas.legend_height
  local ticks = canvas.y:ticks(6)
  canvas.widest = widest(ticks, normal)
  canvas.labels = math.min(canvas.widest, longest_label, o.width / 3)
  canvas.left = canvas.labels + 22 + (canvas.y.label ~= "" and 20 or 0)
  canvas.width = o.width - canvas.left - (has_ramp(figure) and ramp_width + 18 or 24)
  return canvas
end

-- Sets the height and what depends on it. Returns the height of the whole figure.
local function set_height(canvas, o)
  local figure = canvas.figure
  canvas.x_ticks = canvas.x:ticks(math.max(2, math.floor(canvas.width / 70)))
  canvas.x_labels = x_room(canvas, canvas.x_ticks)
  local below = canvas.x_labels + (canvas.x.label ~= "" and 26 or 6) + 15 * #canvas.notes + 10
  canvas.height = o.height and math.max(60, o.height - canvas.top - below)
    or natural_height(figure, canvas)
  local most = math.min(10, canvas.height / 34)
  canvas.y_ticks = canvas.y:ticks(math.max(2, math.floor(most)))
  return canvas.top + canvas.height + below
end

-- What a screen reader says: title, what the axes are, the note.
local function description(figure)
  local parts = { figure.title }
  if figure.x.label ~= "" then parts[#parts + 1] = "x: " .. figure.x.label end
  if figure.y.label ~= "" then parts[#parts + 1] = "y: " .. figure.y.label end
  parts[#parts + 1] = figure.note
  return table.concat(parts, "; ")
end

local function open_document(canvas, o, height)
  if not o.inline then add(canvas, '<?xml version="1.0" encoding="UTF-8"?>') end
  add(canvas, ('<svg xmlns="http://www.w3.org/2000/svg" class="cf-figure" width="%s" height="%s" '
    .. 'viewBox="0 0 %s %s" role="img" aria-label="%s">'):format(pixel(o.width), pixel(height),
    pixel(o.width), pixel(height), escaped(label.clean(description(canvas.figure)))))
  if not o.inline then add(canvas, "<style>\n" .. sheet() .. "</style>") end
  add(canvas, ('<rect class="cf-surface" width="%s" height="%s"/>'):format(pixel(o.width),
    pixel(height)))
end

-- `o` is { width =, height = nil | pixels, inline = }.
function svg.render(figure, o)
  local canvas = new_canvas(figure, o)
  local height = set_height(canvas, o)
  open_document(canvas, o, height)
  for i, line in ipairs(canvas.title) do
    text(canvas, 16, 6 + 20 * i, line, 'class="cf-title"', figure.title)
  end
  draw_legend(canvas, canvas.legend, 16 + 20 * #canvas.title)
  draw_x_axis(canvas, canvas.x_ticks)
  draw_y_axis(canvas, canvas.y_ticks)
  draw_frame(canvas)
  if has_ramp(figure) then draw_ramp(canvas) end
  for _, layer in ipairs(figure.layers) do marks.draw(canvas, layer) end
  for i, line in ipairs(canvas.notes) do
    text(canvas, 16, height - 15 * (#canvas.notes - i) - 9, line, 'class="cf-small"')
  end
  add(canvas, "</svg>")
  return table.concat(canvas.lines, "\n") .. "\n"
end

return svg
