-- cf.plot.NAME(subject, options): a figure of a result, a curve or a comparison. With `file` it is also
-- saved, in the form that the path ends with (.svg, .csv, .txt). print(figure) draws it in the terminal.
-- One file of the folder plot/ has each builder: { options = a declaration, build = function }.
local native = require "crossfold.native"
local curves = require "crossfold.plot.curves"
local options = require "crossfold.options"

local plot = {}

local builders = {
  bias_variance = require "crossfold.plot.bias_variance",
  confusion = require "crossfold.plot.confusion",
  critical_difference = require "crossfold.plot.critical_difference",
  failures = require "crossfold.plot.failures",
  folds = require "crossfold.plot.folds",
  grid = require "crossfold.plot.grid",
  learning_curve = require "crossfold.plot.learning_curve",
  posterior = require "crossfold.plot.posterior",
  subgroups = require "crossfold.plot.subgroups",
  summary = require "crossfold.plot.summary",
  times = require "crossfold.plot.times",
  tuning = require "crossfold.plot.tuning",
  validation_curve = require "crossfold.plot.validation_curve",
  variance = require "crossfold.plot.variance",
}
for _, kind in ipairs(curves.names()) do builders[kind] = curves.builder(kind) end

local shared = {
  file = { "string", doc = "The path where the figure is saved; it ends with .svg, .csv or .txt." },
  title = { "string", doc = "The title of the figure." },
}
for name, builder in pairs(builders) do options.declare("plot." .. name, options.joined(shared, builder.options)) end

-- Without its position, and with what was attempted in front.
local function message(name, problem)
  local text = tostring(problem):gsub("^[^\n:]+:%d+: ", "")
  if text:find("^cannot plot ") then return text end
  return ("cannot plot %s: %s"):format(name, text)
end

-- The figure, or nil and the problem.
local function build(name, subject, given)
  local builder, o = builders[name], options.check("plot." .. name, given, options.declarations["plot." .. name])
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
  if not builders[name] then
    native.fail(("plot.applicable: there is no plot '%s'; %s"):format(tostring(name),
      native.known_names(tostring(name), names)))
  end
  local ok, made, problem = pcall(build, name, subject, given)
  if not ok then return false, message(name, made) end
  if not made then return false, problem end
  return true
end

return options.public(plot, options.sorted_keys(plot), "cf.plot.")
