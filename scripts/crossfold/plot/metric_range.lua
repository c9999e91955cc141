-- Finds the values that a metric can have, for the ends of an axis: as metric.range, of a metric that is known by its
-- name. And which of them are better.
local metric = require "crossfold.metric"
local native = require "crossfold.native"

local metric_range = {}

-- Of the metric of a list that has this name.
function metric_range.named(list, name)
  for _, spec in ipairs(list or {}) do
    if tostring(spec) == name then return metric.range(spec) end
  end
end

-- The metric of a result that has this name, or one by which its searches choose; nil if there is none. A
-- stored result has of these the names alone.
local function spec_of(result, name)
  local plan = result.plan or {}
  local lists = { plan.metrics or {} }
  for _, entry in ipairs(plan.learners or {}) do
    lists[#lists + 1] = type(entry.learner) == "table" and entry.learner.metrics or nil
  end
  for _, list in ipairs(lists) do
    for _, spec in ipairs(list) do
      if metric.name(spec) == name then return spec end
    end
  end
  local ok, made = pcall(native.spec_of_text, "metric", name)
  return ok and made or nil
end

function metric_range.of_result(result, name) return metric.range(spec_of(result, name)) end

-- 1 = higher is better, -1 = lower is better, 0 = neither, or it is not known.
function metric_range.direction(result, name)
  local spec = spec_of(result, name)
  return spec and metric.direction(spec) or 0
end

-- What a note says if bands or intervals of layers are cut; "" if none is.
function metric_range.note(layers, least, most)
  least, most = least or -math.huge, most or math.huge
  for _, layer in ipairs(layers) do
    for _, point in ipairs(layer.points) do
      if (point.low or least) < least or (point.high or most) > most then
        return " What reaches beyond the values that the metric can have is cut there."
      end
    end
  end
  return ""
end

return metric_range
