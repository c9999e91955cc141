-- plot.grid(result, { learner =, dataset = }): what a search saw, as means over the inner folds of all
-- outer folds. One parameter: a line; two: a heat map, or, where values are drawn at random, points; more:
-- parallel coordinates.
local candidates = require "crossfold.plot.candidates"
local figure = require "crossfold.plot.figure"
local metric_range = require "crossfold.plot.metric_range"
local number_text = require "crossfold.text.number_text"
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

-- The places 0 .. 1 of the values of one axis: a function, and the texts { place, text } along it; of
-- more than `most` numbers those of the ends.
local function places_of(values, most)
  local sorted = parameter_axis.sorted(values)
  local low, high = sorted[1], sorted[#sorted]
  if parameter_axis.all_numbers(sorted) then
    local is_log = low > 0 and high / low >= 50
    local function place(value)
      if high == low then return 0.5 end
      return is_log and scale.log_share(value, low, high) or scale.share(value, low, high)
    end
    local texts = {}
    local shown = #sorted <= most and sorted or { low, high }
    for i, value in ipairs(shown) do texts[i] = { place(value), scale.text(value) } end
    return place, texts
  end
  local at, texts = {}, {}
  for i, value in ipairs(sorted) do
    at[value] = #sorted > 1 and (i - 1) / (#sorted - 1) or 0.5
    if #sorted <= 12 then texts[i] = { at[value], parameter_axis.text(value) } end
  end
  return function(value) return at[value] end, texts
end

local function column_of(list, name)
  local values = {}
  for _, one in ipairs(list) do
    if one.params[name] ~= nil then values[#values + 1] = one.params[name] end
  end
  return values
end

local function means_of(list)
  local values = {}
  for _, one in ipairs(list) do values[#values + 1] = one.mean end
  return values
end

-- Parallel coordinates: an upright axis per parameter and one for the mean score, a line per setting.
local function parallel(made)
  local axes, names, texts, rules = {}, {}, {}, {}
  for i, name in ipairs(made.names) do names[i] = name end
  names[#names + 1] = "mean " .. made.metric
  for i, name in ipairs(names) do
    local place, along = places_of(i < #names and column_of(made.list, name) or means_of(made.list),
      i < #names and 6 or 0)
    axes[i], rules[i] = place, { x = i }
    for _, text in ipairs(along) do texts[#texts + 1] = { x = i, y = text[1], label = text[2] } end
  end
  made.layers = { { mark = "rule", role = "guide", points = rules } }
  local order = table.move(made.list, 1, #made.list, 1, {})
  for pass = 1, 2 do  -- what was chosen is on top
    for _, one in ipairs(order) do
      if one.mean and (one.chosen > 0) == (pass == 2) then
        local points = {}
        for i = 1, #names do
          local value = i == #names and one.mean or one.params[names[i]]
          points[i] = { x = i, y = value ~= nil and axes[i](value) or nil,
            label = candidates.label(one, made.outer) }
        end
        made.layers[#made.layers + 1] = { mark = "line", points = points, wide = pass == 2,
          value = scale.ramp_share(one.mean, made.worst, made.best) }
      end
    end
  end
  made.layers[#made.layers + 1] = { mark = "text", points = texts }
  made.x = { label = "", scale = "category", categories = names }
  made.y = { label = "lowest (0) to highest (1) value", low = -0.05, high = 1.05 }
  made.notes[#made.notes + 1] = "One line per setting; wide lines were chosen in an outer fold. A gap: the "
    .. "setting has no such parameter."
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
  made.notes[1] = ("Means over the inner folds of %s."):format(subject.count(made.outer, "outer fold"))
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
