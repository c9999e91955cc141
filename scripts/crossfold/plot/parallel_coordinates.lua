-- Draws parallel coordinates: an upright axis per parameter and one for the mean score, a line per setting.
local candidates = require "crossfold.plot.candidates"
local parameter_axis = require "crossfold.plot.parameter_axis"
local scale = require "crossfold.plot.scale"

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

-- Fills x, y and layers of `made` = { list, names, outer, metric, notes, worst, best }.
return function(made)
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
