-- Chooses the scales of a figure's axes from what its layers draw.
local scale = require "crossfold.plot.scale"

local extent = {}

local function grow(range, value)
  if not scale.is_finite(value) then return end
  if range.positive and value <= 0 then return end
  range.low = math.min(range.low or value, value)
  range.high = math.max(range.high or value, value)
end

-- How far an axis may go: as its ends `least` and `most` say, but no point is left out.
local function bounds_of(axis, middle)
  return { least = axis.least and math.min(axis.least, middle.low or axis.least),
    most = axis.most and math.max(axis.most, middle.high or axis.most) }
end

-- The scale of axis "x" or "y".
local function scale_of(figure, name)
  local axis, range = figure[name], { positive = figure[name].scale == "log" }
  local middle = { positive = range.positive }
  for _, layer in ipairs(figure.layers) do
    for _, point in ipairs(layer.points) do
      grow(middle, point[name])
      grow(middle, point[name .. "_end"])
      if figure.value_axis == name and layer.mark ~= "tiles" then
        grow(range, point.low)
        grow(range, point.high)
      end
    end
    if layer.mark == "bars" and figure.value_axis == name then grow(range, 0) end
  end
  grow(range, middle.low)
  grow(range, middle.high)
  local made = scale.new(axis, range.low, range.high, ("figure '%s'"):format(figure.kind), bounds_of(axis, middle))
  -- Bars stand on their axis.
  if range.low == 0 and not axis.low and axis.scale == "linear" then
    for _, layer in ipairs(figure.layers) do
      if layer.mark == "bars" and figure.value_axis == name then made.low = 0 end
    end
  end
  return made
end

function extent.scales(figure) return scale_of(figure, "x"), scale_of(figure, "y") end

return extent
