-- cf.plot.NAME(subject, options): a figure of a result, a curve or a comparison. With `file` it is also
-- saved, in the form that the path ends with (.svg, .csv, .txt). print(figure) draws it in the terminal.
-- One file of the folder plot/ has each builder: { options = a declaration, build = function }.
local native = require "crossfold.native"
local curve_axes = require "crossfold.plot.curve_axes"
local first_use = require "crossfold.first_use"
local options = require "crossfold.options"

local plot = {}

local builders = {}
for _, name in ipairs {
  "bias_variance",
  "confusion",
  "critical_difference",
  "failures",
  "folds",
  "grid",
  "learning_curve",
  "posterior",
  "subgroups",
  "summary",
  "times",
  "tuning",
  "validation_curve",
  "variance",
} do
  builders[name] = first_use.of("crossfold.plot." .. name)
end
for kind in pairs(curve_axes.kinds) do
  builders[kind] = setmetatable({}, {
    __index = function(_, key) return require("crossfold.plot.curves").builder(kind)[key] end,
  })
end

local shared = {
  file = { "string", doc = "The path where the figure is saved; it ends with .svg, .csv or .txt." },
  title = { "string", doc = "The title of the figure." },
}
for name, builder in pairs(builders) do
  options.declare("plot." .. name, function() return options.joined(shared, builder.options) end)
end

-- Without its position, and with what was attempted in front.
local function message(name, problem)
  local text = tostring(problem):gsub("^[^\n:]+:%d+: ", "")
  if text:find("^cannot plot ") then return text end
  return ("cannot plot %s: %s"):format(name, text)
end

-- The figure, or nil and the problem.
local function build(name, subject, given)
  local builder, o = builders[name], options.check("plot." .. name, given, options.declaration("plot." .. name))
  for _, key in ipairs { "learners", "datasets" } do
    if o[key] then options.list(("plot.%s: option '%s'"):format(name, key), o[key]) end
  end
  local ok, made = native.attempt(builder.build, subject, o)
  if not ok then return nil, message(name, made) end
  if o.title then made.title = o.title end
  return made, o
end

local function draw(name, subject, given)
  local made, o = build(name, subject, given)
  if not made then native.fail(o) end
  if o.file then made:save(o.file) end
  return made
end

local names = options.sorted_keys(builders)
for _, name in ipairs(names) do
  plot[name] = function(subject, given) return draw(name, subject, given) end
end

options.arguments["plot.applicable"] = names

-- The names of the builders, sorted.
function plot.names() return table.move(names, 1, #names, 1, {}) end

-- Whether a builder can draw the subject: true, or false and why not.
function plot.applicable(name, subject, given)
  options.place_of("plot.applicable: there is no plot", name, names)
  local ok, made, problem = pcall(build, name, subject, given)
  if not ok then return false, message(name, made) end
  if not made then return false, problem end
  return true
end

return options.public(plot, options.sorted_keys(plot), "cf.plot.")
