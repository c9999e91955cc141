-- plot.grid(result, { learner =, dataset = }): what a search saw, as means over the inner folds of all
-- outer folds. One parameter: a line; two: a heat map, or, where values are drawn at random, points; more:
-- parallel coordinates.
local candidates = require "crossfold.plot.candidates"
local figure = require "crossfold.plot.figure"
local metric_range = require "crossfold.plot.metric_range"
local number_text = require "crossfold.text.number_text"
local parallel = require "crossfold.plot.parallel_coordinates"
local parameter_axis = require "crossfold.plot.parameter_axis"
local scale = require "crossfold.plot.scale"
local subject = require "crossfold.plot.subject"

local grid = { options = { learner = subject.options.learner, dataset = subject.options.dataset } }

local function values_of(list, name)
  local values = {}
  for _, one in ipairs(list) do
    local value = one.params[name]
    values[#values + 1] = value == nil and "none" or value
  end
  return values
end

local function value_of(one, name)
  local value = one.params[name]
  return value == nil and "none" or value
end

local function line(made)
  local name = made.names[1]
  local axis, place = parameter_axis.of(name, values_of(made.list, name))
  local points = {}
  for i, one in ipairs(made.list) do
    points[i] = { x = place(value_of(one, name)), y = one.mean,
      low = one.mean and one.sd and one.mean - one.sd,
      high = one.mean and one.sd and one.mean + one.sd, label = candidates.label(one, made.outer) }
  end
  table.sort(points, function(a, b) return a.x < b.x end)
  made.x, made.y = axis, { label = "inner mean of " .. made.metric, least = made.least, most = made.most }
  made.layers = { { mark = "band", points = points }, { mark = "line", points = points },
    { mark = "points", points = points } }
  made.notes[#made.notes + 1] = "Band: +- one standard deviation of the inner folds."
    .. metric_range.note(made.layers, made.least, made.most)
end

-- Whether two parameters are drawn rather than taken from a grid: most places of the grid are empty.
local function is_sparse(list, first, second)
  local rows = #parameter_axis.sorted(values_of(list, first))
  local columns = #parameter_axis.sorted(values_of(list, second))
  return rows * columns > 4 * #list
end

-- Equally many decimals on all tiles, unless they made 0 or 1 of what is neither.
local function three_decimals(value)
  return math.abs(value) < 1000 and number_text.fixed(value, 3) or scale.text(value)
end

local function heat_map(made)
  local first, second = made.names[1], made.names[2]
  local y, row = parameter_axis.categories(first, values_of(made.list, first))
  local x, column = parameter_axis.categories(second, values_of(made.list, second))
  local points, best = {}, made.direction ~= 0 and made.best
  for i, one in ipairs(made.list) do
    points[i] = { x = column(value_of(one, second)), y = row(value_of(one, first)),
      value = one.mean, text = one.mean and three_decimals(one.mean) or "-",
      label = candidates.label(one, made.outer), marked = best and one.mean == best }
  end
  made.x, made.y = x, y
  made.layers = { { mark = "tiles", points = points } }
  if best then made.notes[#made.notes + 1] = ("Marked: the best mean, %s."):format(three_decimals(best)) end
end

local function scatter(made)
  local first, second = made.names[1], made.names[2]
  local y, row = parameter_axis.of(first, values_of(made.list, first))
  local x, column = parameter_axis.of(second, values_of(made.list, second))
  made.layers = {}
  for _, one in ipairs(made.list) do
    if one.mean then
      made.layers[#made.layers + 1] = { mark = "points",
        value = scale.ramp_share(one.mean, made.worst, made.best),
        points = { { x = column(value_of(one, second)), y = row(value_of(one, first)),
          label = candidates.label(one, made.outer), size = one.chosen > 0 and 1.8 or 1.2 } } }
    end
  end
  made.x, made.y = x, y
  made.notes[#made.notes + 1] = "Large points: chosen in an outer fold."
end

local function rows_of(made)
  local columns, rows = { "candidate" }, {}
  for _, name in ipairs(made.names) do columns[#columns + 1] = "param " .. name end
  for _, name in ipairs { "mean", "sd", "outer_folds", "with_mean", "left_early", "chosen", "failure" } do
    columns[#columns + 1] = name
  end
  for i, one in ipairs(made.list) do
    rows[i] = { candidate = one.candidate, mean = one.mean, sd = one.sd, outer_folds = one.folds,
      with_mean = #one.means, left_early = one.early, chosen = one.chosen,
      failure = one.failure and tostring(one.failure) }
    for _, name in ipairs(made.names) do
      rows[i]["param " .. name] = one.params[name]
    end
  end
  return columns, rows
end

function grid.build(result, o)
  subject.check(result, "a result of cf.evaluate", "grid")
  local made = { notes = {} }
  made.list, made.outer, made.metric = candidates.of(result, o, "grid")
  made.names = candidates.varied(made.list)
  made.least, made.most = metric_range.of_result(result, made.metric)
  made.direction = metric_range.direction(result, made.metric)
  made.worst, made.best = candidates.range(made.list, made.direction)
  if not made.best then
    subject.fail("grid", "no setting has a mean", "look at result:tuning() for the failures")
  end
  if #made.names == 0 then
    subject.fail("grid", "the search tried one setting without parameters", "give it a grid")
  end
  made.notes[1] = ("Means over the inner folds of %s."):format(subject.count(made.outer,
    "outer fold"))
  if #made.names == 1 then line(made)
  elseif #made.names > 2 then parallel(made)
  elseif is_sparse(made.list, made.names[1], made.names[2]) then scatter(made)
  else heat_map(made) end
  made.notes[#made.notes + 1] = candidates.note(made.list, made.outer)
  local columns, rows = rows_of(made)
  return figure.new {
    kind = "grid", title = "Settings tried: " .. (o.learner or subject.places(result)[1].learner),
    note = table.concat(made.notes, " "), x = made.x, y = made.y, layers = made.layers,
    ramp = { low = made.worst, high = made.best, label = made.metric }, columns = columns, rows = rows,
  }
end

return grid
