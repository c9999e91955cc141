-- A figure as a plain value, apart from how it is drawn: axes, layers of marks, and its data.
--
--   figure.new{ kind = "roc", title = "...", note = nil | "what is undefined or left out",
--     x = { label =, scale = "linear" | "log" | "deviate" | "category", low =, high =, categories = },
--     y = the same (whole = true: ticks at whole numbers only; least =, most = where the axis ends at the
--     latest unless a point is beyond it: bars, bands and intervals are cut there),
--     layers = { { mark =, series = "name", points = { { x =, y =, ... }, ... } }, ... },
--     columns = { "learner", ... }, rows = { { learner = ... }, ... } }
--
-- Marks and what their points have:
--   line, steps  x, y: joined in order; a point without one of them is a gap. Steps hold each y back to
--                the x before.
--   points       x, y
--   band         low, high on the value axis at each x (or y)
--   intervals    low, high, and x, y of the middle: a bar with ends
--   bars         from 0 to the value
--   tiles        x, y are places of categories, value gives the colour, text is written on the tile; one
--                that is marked has a frame, or a star before its text
--   rule         only x or only y: a line across the figure
--   segments     from x, y to x_end, y_end
--   text         label, at x, y
-- `label` of a point is its hover text; `size` is an optional factor of its marker. The value axis is y,
-- and x if y has categories and x has not. A coordinate on a category axis is the name or its place
-- (2.3 is allowed, a little below the second). A number that is missing, infinite or not a number is
-- never drawn as another one: the note has to say so.
--
-- A layer may also have role = "guide" (grey, no legend), wide = true, faint = true, and value = 0 .. 1
-- for a colour of the ramp in place of its series'. A figure may have ramp = { low =, high =, label = }
-- (what the faintest and the strongest colour of tiles mean; low may be the greater) and aspect = height by
-- width of the area between the axes.
local native = require "crossfold.native"
local label = require "crossfold.plot.label"
local options = require "crossfold.options"
local scale = require "crossfold.plot.scale"
local svg = require "crossfold.plot.svg"
local terminal = require "crossfold.plot.terminal"

local figure = {}

local Figure = options.class "crossfold.Figure"

local marks = { band = true, bars = true, intervals = true, line = true, points = true, rule = true,
  segments = true, steps = true, text = true, tiles = true }

local function fail(attempt, finding, way)
  native.fail("cannot make figure '%s': %s; %s", attempt, finding, way)
end

-- A copy of the options of an axis, with places by category name.
local function check_axis(kind, name, given)
  local axis = options.check(("figure '%s': axis %s"):format(kind, name), given, {
    label = { "string", "" }, scale = { "string", "linear" }, low = { "number" },
    high = { "number" }, categories = { "table" }, whole = { "boolean" }, least = { "number" },
    most = { "number" },
  })
  local known = false
  for _, one in ipairs(scale.kinds) do known = known or one == axis.scale end
  if not known then
    fail(kind, ("axis %s has scale = '%s'"):format(name, axis.scale), native.known_names(axis.scale, scale.kinds))
  end
  if (axis.scale == "category") ~= (axis.categories ~= nil) then
    fail(kind, ("axis %s has %s"):format(name, axis.categories and "categories and another scale"
      or "no categories"), "give scale = \"category\" and categories = {...}")
  end
  for _, edge in ipairs { "low", "high", "least", "most" } do
    if axis[edge] and not scale.is_finite(axis[edge]) then
      fail(kind, ("%s of axis %s is %s"):format(edge, name, native.format_number(axis[edge])),
        "give a finite number, or leave it out")
    end
  end
  if axis.categories then
    local cleaned, places = {}, {}
    for i, one in ipairs(options.list(("figure '%s': categories of %s"):format(kind, name), axis.categories)) do
      if places[one] then
        fail(kind, ("category '%s' is on axis %s twice"):format(tostring(one), name), "give each once")
      end
      cleaned[i], places[one] = label.clean(one), i
    end
    axis.categories, axis.places = cleaned, places
  end
  return axis
end

-- A number, or nil for what cannot be drawn.
local function coordinate(kind, axis, value, layer)
  if value == nil then return nil end
  if axis.places and type(value) ~= "number" then
    return axis.places[value] or fail(kind, ("layer %d has a point at '%s', which is not a category")
      :format(layer, tostring(value)), "add it to the categories")
  end
  if type(value) ~= "number" then
    fail(kind, ("layer %d has a point at a %s"):format(layer, type(value)), "give numbers")
  end
  return scale.is_finite(value) and value or nil
end

local point_keys = { "x_end", "y_end", "low", "high", "value" }

local function check_point(self, point, layer)
  if type(point) ~= "table" then
    fail(self.kind, ("layer %d has a %s for a point"):format(layer, type(point)), "give tables, as in { x = 1, y = 2 }")
  end
  local checked = {
    x = coordinate(self.kind, self.x, point.x, layer),
    y = coordinate(self.kind, self.y, point.y, layer),
    label = point.label and label.clean(point.label), text = point.text and label.clean(point.text),
    size = point.size, marked = point.marked,
  }
  for _, key in ipairs(point_keys) do
    local axis = key:sub(1, 1) == "x" and self.x or key:sub(1, 1) == "y" and self.y or {}
    checked[key] = coordinate(self.kind, axis, point[key], layer)
  end
  return checked
end

-- `checked` holds the lists of points that are checked already: layers may share one.
local function check_layer(self, given, i, checked)
  local what = ("figure '%s': layer %d"):format(self.kind, i)
  local layer = options.check(what, given, {
    mark = { "string!" }, series = { "string" }, points = { "table!" }, role = { "string" },
    wide = { "boolean", false }, faint = { "boolean", false }, value = { "number" },
  })
  if not marks[layer.mark] then
    fail(self.kind, ("layer %d has mark = '%s'"):format(i, layer.mark),
      native.known_names(layer.mark, options.sorted_keys(marks)))
  end
  layer.series = layer.series and label.clean(layer.series)
  local points = checked[layer.points]
  if not points then
    points = {}
    checked[layer.points] = points
    for p, point in ipairs(options.list(what .. ": the points", layer.points)) do
      points[p] = check_point(self, point, i)
    end
  end
  layer.points = points
  return layer
end

-- Numbers the series in the order in which they appear.
local function number_series(self)
  self.series = {}
  local places = {}
  for _, layer in ipairs(self.layers) do
    if layer.series and layer.role ~= "guide" then
      if not places[layer.series] then
        self.series[#self.series + 1] = layer.series
        places[layer.series] = #self.series
      end
      layer.number = places[layer.series]
    end
  end
end

-- The ends of the values of the tiles, where the figure does not name them.
local function ramp_of(self, given)
  local low, high
  for _, layer in ipairs(self.layers) do
    for _, point in ipairs(layer.points) do
      if layer.mark == "tiles" and point.value then
        low, high = math.min(low or point.value, point.value), math.max(high or point.value, point.value)
      end
    end
  end
  given = given or {}
  return { low = (given.low or low or 0) + 0.0, high = (given.high or high or 1) + 0.0,
    label = label.clean(given.label or "") }
end

-- Checks what is given and copies it; see above.
function figure.new(given)
  local o = options.check("figure", given, {
    kind = { "string!" }, title = { "string!" }, note = { "string" }, x = { "table!" },
    y = { "table!" }, layers = { "table!" }, columns = { "table!" }, rows = { "table!" },
    ramp = { "table" }, aspect = { "number" },
  })
  local self = setmetatable({ kind = o.kind, title = label.clean(o.title), columns = o.columns,
    rows = o.rows, aspect = o.aspect, layers = {} }, Figure)
  self.note = o.note and o.note ~= "" and label.clean(o.note) or nil
  self.x, self.y = check_axis(o.kind, "x", o.x), check_axis(o.kind, "y", o.y)
  self.value_axis = self.y.scale == "category" and self.x.scale ~= "category" and "x" or "y"
  local checked = {}
  for i, layer in ipairs(options.list("figure: the layers", o.layers)) do
    self.layers[i] = check_layer(self, layer, i, checked)
  end
  self.ramp = ramp_of(self, o.ramp)
  number_series(self)
  return self
end

-- Whether `value` is a figure.
function figure.is(value) return getmetatable(value) == Figure end

-- The style sheet that SVGs made with inline = true need, once a page. They follow the reader's colour
-- scheme, and data-theme = "light" | "dark" of an element around them.
figure.stylesheet = svg.stylesheet

local function size(what, name, value, least, most)
  if value and not (value >= least and value <= most) then
    native.fail("%s: %s = %s is out of range; use %d to %d", what, name, native.format_number(value), least, most)
  end
end

local svg_options = options.declare("Figure:svg", {
  width = { "number", 680, doc = "Width in pixels." },
  height = { "number", doc = "Height in pixels; default what the figure needs." },
  inline = { "boolean", false,
    doc = "Whether the XML header and the styles are left out, for a page that has figure.stylesheet()." },
})

-- The figure as SVG.
function Figure:svg(given)
  local o = options.check("svg", given, svg_options)
  size("svg", "width", o.width, 240, 10000)
  size("svg", "height", o.height, 160, 20000)
  return svg.render(self, o)
end

local text_options = options.declare("Figure:text", {
  width = { "integer", 78, doc = "Width in columns." },
  height = { "integer", 20, doc = "Height in lines, of figures without rows of their own." },
  unicode = { "boolean", true, doc = "Whether it is drawn with more than ASCII characters; names keep theirs." },
})

-- The figure for a terminal.
function Figure:text(given)
  local o = options.check("text", given, text_options)
  size("text", "width", o.width, 30, 1000)
  size("text", "height", o.height, 6, 500)
  return terminal.render(self, o)
end

-- The data of the figure as CSV (RFC 4180); a cell that does not exist is empty.
function Figure:csv() return native.table_csv(self.columns, self.rows) end

local writers = { svg = Figure.svg, csv = Figure.csv, txt = Figure.text }

-- Writes the figure in the form that the path ends with: .svg, .csv or .txt. Returns the figure.
function Figure:save(path)
  if type(path) ~= "string" then
    native.fail("save: expected a path that ends with .svg, .csv or .txt, got a %s", type(path))
  end
  local writer = writers[(path:match("%.([%w]+)$") or ""):lower()]
  if not writer then
    native.fail("cannot save figure '%s': the path ends with none of .svg, .csv, .txt; give one that does", path)
  end
  native.write_text(path, writer(self))
  return self
end

-- As wide as what it is printed on, within what can be read.
function Figure:__tostring()
  local columns = native.output_width()
  local width = columns and math.max(30, math.min(columns - 1, 120)) or 78
  return terminal.render(self, { width = width, height = 20, unicode = true })
end

options.methods(Figure, { "csv", "save", "svg", "text" }, nil, { "svg", "text" })
return figure
