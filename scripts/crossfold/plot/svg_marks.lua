-- Draws the marks of a figure's layers as SVG elements. A canvas is { figure, x, y, left, top, width, height,
-- lines }: two scales, the area between the axes in pixels, and the elements so far. What is outside
-- the ends of an axis is drawn at its edge.
local native = require "crossfold.native"
local label = require "crossfold.plot.label"
local palette = require "crossfold.plot.palette"
local scale = require "crossfold.plot.scale"
local thinning = require "crossfold.plot.thinning"

local svg_marks = {}

-- A number of pixels: at most two decimals, none at the end that are zero.
local function pixel(number)
  local text = native.format_number(number, 2):gsub("0+$", ""):gsub("%.$", "")
  return text == "-0" and "0" or text
end
svg_marks.pixel = pixel

local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;",
  ["'"] = "&#39;" }

-- Clean text (label.clean) for an element or an attribute.
function svg_marks.escaped(text) return (text:gsub("[&<>\"']", entities)) end
local escaped = svg_marks.escaped

local function title(text)
  return text and text ~= "" and "<title>" .. escaped(text) .. "</title>" or ""
end
svg_marks.title = title

-- Pixels of a value; nil if it has no place.
function svg_marks.to_x(canvas, value)
  local share = canvas.x:place(value)
  return share and canvas.left + canvas.width * math.min(math.max(share, 0), 1)
end

-- Categories go from the top down, values from the bottom up.
function svg_marks.to_y(canvas, value)
  local share = canvas.y:place(value)
  if not share then return nil end
  share = math.min(math.max(share, 0), 1)
  if canvas.y.kind ~= "category" then share = 1 - share end
  return canvas.top + canvas.height * share
end
local to_x, to_y = svg_marks.to_x, svg_marks.to_y

local function add(canvas, text) canvas.lines[#canvas.lines + 1] = text end

-- Colour class and dash of a layer.
local function style(canvas, layer)
  if layer.role == "guide" then return "cf-guide", "5 4", 1 end
  if layer.value then
    -- The lower part of the ramp is too close to the page for a thin line.
    local first = palette.first_for_lines
    local share = math.min(math.max(layer.value, 0), 1)
    return "cf-v" .. math.floor(first + share * (palette.steps - first) + 0.5), "", 1
  end
  local colour, dash, marker = palette.style(layer.number or 1)
  if #canvas.figure.series < 2 then dash = 1 end
  return "cf-s" .. colour, palette.dashes[dash], marker
end
svg_marks.style = style

local function dash_attribute(dash)
  return dash ~= "" and (' stroke-dasharray="%s"'):format(dash) or ""
end
svg_marks.dash_attribute = dash_attribute

local function classes(layer, first, colour)
  return first .. " " .. colour .. (layer.wide and " cf-wide" or "") .. (layer.faint and " cf-faint" or "")
end

-- Markers -------------------------------------------------------------------------------------------

local function polygon(class, places, text)
  return ('<polygon class="%s" points="%s">%s</polygon>'):format(class, places, title(text))
end

-- The marker number `which` around (x, y), `r` from its middle to its edge.
function svg_marks.marker(which, x, y, r, class, text)
  local name = palette.markers[which]
  local function at(dx, dy) return pixel(x + dx * r) .. "," .. pixel(y + dy * r) end
  if name == "circle" then
    return ('<circle class="cf-mark %s" cx="%s" cy="%s" r="%s">%s</circle>'):format(class, pixel(x),
      pixel(y), pixel(r), title(text))
  elseif name == "cross" then
    return ('<path class="cf-open %s" d="M%sL%sM%sL%s">%s</path>'):format(class, at(-1, -1),
      at(1, 1), at(-1, 1), at(1, -1), title(text))
  end
  local corners = name == "square" and { at(-0.9, -0.9), at(0.9, -0.9), at(0.9, 0.9), at(-0.9, 0.9) }
    or name == "triangle" and { at(0, -1.2), at(1.1, 0.9), at(-1.1, 0.9) }
    or name == "wedge" and { at(0, 1.2), at(1.1, -0.9), at(-1.1, -0.9) }
    or { at(0, -1.35), at(1.35, 0), at(0, 1.35), at(-1.35, 0) }
  return polygon("cf-mark " .. class, table.concat(corners, " "), text)
end

-- Lines ---------------------------------------------------------------------------------------------

-- Runs of points in pixels that hang together, each with the points themselves.
local function runs_of(canvas, points, steps)
  local runs, run = {}, nil
  for _, point in ipairs(points) do
    local x, y = to_x(canvas, point.x), to_y(canvas, point.y)
    if x and y then
      if not run then
        run = {}
        runs[#runs + 1] = run
      elseif steps then
        run[#run + 1] = { run[#run][1], y }
      end
      run[#run + 1] = { x, y, point }
    else
      run = nil
    end
  end
  return runs
end

local function path_of(run)
  local places = {}
  for i, place in ipairs(run) do
    places[i] = (i == 1 and "M" or "L") .. pixel(place[1]) .. " " .. pixel(place[2])
  end
  return table.concat(places)
end

local function count_labels(points)
  local count = 0
  for _, point in ipairs(points) do count = count + (point.label and 1 or 0) end
  return count
end

-- Lines of more points than this have no hover text a point.
local most_hovers = 120

local function draw_line(canvas, layer, steps)
  local colour, dash = style(canvas, layer)
  local hovers = count_labels(layer.points) <= most_hovers
  for _, run in ipairs(runs_of(canvas, layer.points, steps)) do
    local places = thinning.line(run)
    if #places == 1 then  -- a line without a length is not seen
      add(canvas, svg_marks.marker(1, places[1][1], places[1][2], 3, colour, layer.series))
    end
    add(canvas, ('<path class="%s"%s d="%s">%s</path>'):format(classes(layer, "cf-line", colour),
      dash_attribute(dash), path_of(places), title(layer.role ~= "guide" and layer.series or nil)))
    for _, place in ipairs(hovers and run or {}) do
      if place[3] and place[3].label then
        add(canvas, ('<circle class="cf-hover" cx="%s" cy="%s" r="7">%s</circle>'):format(
          pixel(place[1]), pixel(place[2]), title(place[3].label)))
      end
    end
  end
end

local function draw_points(canvas, layer)
  local colour, _, marker = style(canvas, layer)
  if layer.faint then colour = colour .. " cf-faint" end
  for _, point in ipairs(layer.points) do
    local x, y = to_x(canvas, point.x), to_y(canvas, point.y)
    if x and y then
      add(canvas, svg_marks.marker(marker, x, y, 4 * (point.size or 1), colour, point.label))
    end
  end
end

-- Pixels of low and high of a point, and of its place across; nil if one is missing.
local function bar_ends(canvas, point, low, high)
  if canvas.figure.value_axis == "x" then
    return to_x(canvas, low), to_x(canvas, high), to_y(canvas, point.y)
  end
  return to_y(canvas, low), to_y(canvas, high), to_x(canvas, point.x)
end

-- Text for a place across and one along the value axis.
local function oriented(canvas, across, along)
  if canvas.figure.value_axis == "x" then return pixel(along) .. " " .. pixel(across) end
  return pixel(across) .. " " .. pixel(along)
end

local function draw_band(canvas, layer)
  local colour = style(canvas, layer)
  local forth, back = {}, {}
  local function finish()
    if #forth > 1 then
      local upper, lower = thinning.line(forth), thinning.line(back)
      local outline = table.move(upper, 1, #upper, 1, {})
      for i = #lower, 1, -1 do outline[#outline + 1] = lower[i] end
      add(canvas, ('<path class="%s" d="%sZ">%s</path>'):format(classes(layer, "cf-band", colour),
        path_of(outline), title(layer.series)))
    end
    forth, back = {}, {}
  end
  for _, point in ipairs(layer.points) do
    local low, high, across = bar_ends(canvas, point, point.low, point.high)
    if low and high and across then
      local sideways = canvas.figure.value_axis == "x"
      forth[#forth + 1] = sideways and { high, across } or { across, high }
      back[#back + 1] = sideways and { low, across } or { across, low }
    else
      finish()
    end
  end
  finish()
end

local function draw_intervals(canvas, layer)
  local colour = style(canvas, layer)
  for _, point in ipairs(layer.points) do
    local low, high, across = bar_ends(canvas, point, point.low, point.high)
    if low and high and across then
      local ends, axis = {}, canvas[canvas.figure.value_axis]
      for _, edge in ipairs { { point.low, low }, { point.high, high } } do
        if axis:holds(edge[1]) then  -- else it goes on, and has no end here
          ends[#ends + 1] = "M" .. oriented(canvas, across - 4, edge[2]) .. "L" .. oriented(canvas, across + 4, edge[2])
        end
      end
      add(canvas, ('<path class="%s" d="M%sL%s%s">%s</path>'):format(
        classes(layer, "cf-line", colour), oriented(canvas, across, low),
        oriented(canvas, across, high), table.concat(ends), title(point.label)))
    end
  end
end

-- Pixels that one category takes on the axis across.
local function category_pixels(canvas)
  if canvas.figure.value_axis == "x" then return canvas.height / math.max(1, #canvas.y.categories) end
  if canvas.x.kind == "category" then return canvas.width / math.max(1, #canvas.x.categories) end
  return 24
end

local function draw_bars(canvas, layer)
  local colour = style(canvas, layer)
  local sideways = canvas.figure.value_axis == "x"
  local half = math.min(14, 0.32 * category_pixels(canvas))
  for _, point in ipairs(layer.points) do
    local low, high, across = bar_ends(canvas, point, 0, sideways and point.x or point.y)
    if not low then low = sideways and canvas.left or canvas.top + canvas.height end
    if high and across then
      local thick = half * (point.size or 1)
      local from, length = math.min(low, high), math.abs(high - low)
      local x, y, w, h = across - thick, from, 2 * thick, length
      if sideways then x, y, w, h = from, across - thick, length, 2 * thick end
      add(canvas, ('<rect class="%s" x="%s" y="%s" width="%s" height="%s">%s</rect>'):format(
        classes(layer, "cf-bar", colour), pixel(x), pixel(y), pixel(w), pixel(h), title(point.label)))
    end
  end
end

-- Tiles ---------------------------------------------------------------------------------------------

-- The step of the ramp of a value: 1 .. palette.steps.
function svg_marks.step(ramp, value)
  return 1 + math.floor(scale.ramp_share(value, ramp.low, ramp.high) * (palette.steps - 1) + 0.5)
end

local function draw_tiles(canvas, layer)
  local w = canvas.width / #canvas.x.categories
  local h = canvas.height / #canvas.y.categories
  local gap = math.min(w, h) > 10 and 1 or 0
  for _, point in ipairs(layer.points) do
    local x, y = to_x(canvas, point.x), to_y(canvas, point.y)
    if x and y then
      local step = point.value and svg_marks.step(canvas.figure.ramp, point.value)
      add(canvas, ('<rect class="%s" stroke-width="%d" x="%s" y="%s" width="%s" height="%s">%s</rect>')
        :format(step and "cf-tile cf-r" .. step or "cf-grid", gap, pixel(x - w / 2),
          pixel(y - h / 2), pixel(w), pixel(h), title(point.label)))
      if point.text and h >= 14 and label.pixels(point.text, 11) <= w - 3 then
        add(canvas, ('<text class="cf-small%s" x="%s" y="%s" dy="4" text-anchor="middle" '
          .. 'pointer-events="none">%s</text>'):format(step and " cf-o" .. step or "", pixel(x),
          pixel(y), escaped(point.text)))
      end
    end
  end
  for _, point in ipairs(layer.points) do  -- on top of their neighbours
    local x, y = to_x(canvas, point.x), to_y(canvas, point.y)
    for inset, class in ipairs(point.marked and x and y and { "cf-frame", "cf-frame cf-inner" } or {}) do
      local dx, dy = math.max(0, w / 2 + 1 - 2 * inset), math.max(0, h / 2 + 1 - 2 * inset)
      add(canvas, ('<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>'):format(class, pixel(x - dx),
        pixel(y - dy), pixel(2 * dx), pixel(2 * dy)))
    end
  end
end

local function draw_rules(canvas, layer)
  local colour, dash = style(canvas, layer)
  for _, point in ipairs(layer.points) do
    local x, y = to_x(canvas, point.x), to_y(canvas, point.y)
    local d
    if x and not y then
      d = ("M%s %sV%s"):format(pixel(x), pixel(canvas.top), pixel(canvas.top + canvas.height))
    elseif y then
      d = ("M%s %sH%s"):format(pixel(canvas.left), pixel(y), pixel(canvas.left + canvas.width))
    end
    if d then
      add(canvas, ('<path class="%s"%s d="%s">%s</path>'):format(classes(layer, "cf-line", colour),
        dash_attribute(dash), d, title(point.label)))
    end
  end
end

local function draw_segments(canvas, layer)
  local colour, dash = style(canvas, layer)
  for _, point in ipairs(layer.points) do
    local x, y = to_x(canvas, point.x), to_y(canvas, point.y)
    local x_end, y_end = to_x(canvas, point.x_end or point.x), to_y(canvas, point.y_end or point.y)
    if x and y and x_end and y_end then
      add(canvas, ('<path class="%s"%s d="M%s %sL%s %s">%s</path>'):format(
        classes(layer, "cf-line", colour), dash_attribute(dash), pixel(x), pixel(y), pixel(x_end),
        pixel(y_end), title(point.label)))
    end
  end
end

local function draw_text(canvas, layer)
  for _, point in ipairs(layer.points) do
    local x, y = to_x(canvas, point.x), to_y(canvas, point.y)
    if x and y and point.label then
      -- Text near the right end is to the left of its point.
      local before = x > canvas.left + 0.7 * canvas.width
      add(canvas, ('<text class="cf-small cf-halo" x="%s" y="%s" dy="4"%s>%s</text>'):format(
        pixel(x + (before and -6 or 6)), pixel(y), before and ' text-anchor="end"' or "", escaped(point.label)))
    end
  end
end

local draw = {
  line = draw_line, points = draw_points, band = draw_band, intervals = draw_intervals,
  bars = draw_bars, tiles = draw_tiles, rule = draw_rules, segments = draw_segments,
  text = draw_text,
  steps = function(canvas, layer) draw_line(canvas, layer, true) end,
}

function svg_marks.draw(canvas, layer) draw[layer.mark](canvas, layer) end

return svg_marks
