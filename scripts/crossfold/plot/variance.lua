-- plot.variance(ledger, { learners = }): the standard deviation that each source of variance adds to one score.
local figure = require "crossfold.plot.figure"
local scale = require "crossfold.plot.scale"
local subject = require "crossfold.plot.subject"

local variance = { options = { learners = subject.options.learners } }

-- Places of the learners around the line of a source.
local function offset(i, n) return n == 1 and 0 or ((i - 1) / (n - 1) - 0.5) * math.min(0.6, 0.22 * (n - 1)) end

-- The ledgers that are drawn, and what is said of the others.
local function drawn(ledger, wanted)
  local list, missing = {}, {}
  for _, one in ipairs(ledger.ledgers) do
    if wanted(one.name, nil) and one.undefined then
      missing[#missing + 1] = ("%s: %s."):format(one.name, one.undefined)
    elseif wanted(one.name, nil) then
      list[#list + 1] = one
    end
  end
  if #list == 0 then subject.fail("variance", table.concat(missing, " "), "run the failed draws again") end
  return list, missing
end

local function point_of(one, component, y)
  local row = { learner = one.name, source = component.source, sd = component.sd, low = math.sqrt(component.low),
    high = math.sqrt(component.high), variance = component.variance, share = component.share }
  return { x = row.sd, y = y, low = row.low, high = row.high, label = ("%s, %s: sd %s (%s to %s)"):format(one.name,
    component.source, scale.text(row.sd), scale.text(row.low), scale.text(row.high)) }, row
end

function variance.build(ledger, o)
  subject.check(ledger, "a result of cf.variance", "variance")
  local list, missing = drawn(ledger, subject.filter("variance", ledger:summary(), o))
  local categories, layers, rows, negative = {}, {}, {}, false
  for s, source in ipairs(ledger.facts.sources) do categories[s] = source.source end
  for i, one in ipairs(list) do
    local points, bars = {}, {}
    for s, component in ipairs(one.components) do
      points[s], rows[#rows + 1] = point_of(one, component, s + offset(i, #list))
      bars[s] = { x = points[s].x, y = points[s].y, size = 0.4, label = points[s].label }
      negative = negative or component.estimate < 0
    end
    layers[#layers + 1] = { mark = "bars", series = one.name, points = bars, faint = true }
    layers[#layers + 1] = { mark = "intervals", series = one.name, points = points }
  end
  local note = ("The squares add up to the variance of one score; the lines are %s intervals, for normal "
    .. "effects."):format(("%g %%"):format(100 * ledger.facts.confidence))
  if negative then note = note .. " A negative estimate is drawn as 0." end
  if #missing > 0 then note = note .. " " .. table.concat(missing, " ") end
  return figure.new {
    kind = "variance", title = ("Sources of variance of the %s"):format(ledger.facts.metric.text), note = note,
    x = { label = ("sd of the %s"):format(ledger.facts.metric.text), least = 0 },
    y = { scale = "category", categories = categories }, layers = layers,
    columns = { "learner", "source", "sd", "low", "high", "variance", "share" }, rows = rows,
  }
end

return variance
