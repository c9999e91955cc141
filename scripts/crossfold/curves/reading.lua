-- Says in a sentence or two what a curve of kind "reliability" or "decision" shows.
local number_text = require "crossfold.text.number_text"

local reading = {}

local score_names = { brier = "Brier score", log = "log score" }

-- Whether the probabilities are calibrated, by `p` and what miscalibration takes of the score; `untested` is
-- the reason why there is no p.
local function calibration_of(curve, score, name, untested)
  local whose = ("The probabilities of '%s'"):format(curve.positive)
  if not curve.p then
    return ("Whether %s are calibrated is not tested: %s."):format(whose:gsub("^T", "t"), untested)
  end
  local part = score == math.huge
    and ("all of the %s, which is infinite: a row has probability 0 for its class"):format(name)
    or ("%s of the %s %s"):format(number_text.fixed(curve.miscalibration), name, number_text.fixed(score))
  if curve.p <= 1 - curve.confidence + 1e-12 then
    return ("%s are miscalibrated (%s), which costs %s."):format(whose, number_text.p(curve.p), part)
  end
  return ("%s show no miscalibration beyond chance (%s): %s."):format(whose, number_text.p(curve.p), part)
end

local of_kind = {}

function of_kind.reliability(curve)
  if not curve.miscalibration then return nil end
  local name = score_names[curve.score_name]
  local untested = curve.band == "none" and "no samples are drawn without a band"
    or "the rows of a group depend on each other"
  local text = calibration_of(curve, curve.score, name, untested)
  if curve.score == math.huge then return text end
  return ("%s %s %s = miscalibration %s - discrimination %s + uncertainty %s."):format(text,
    name:gsub("^%l", string.upper), number_text.fixed(curve.score), number_text.fixed(curve.miscalibration),
    number_text.fixed(curve.discrimination), number_text.fixed(curve.uncertainty))
end

-- The ranges of neighbouring thresholds where wanted(row), as text; nil for none.
local function ranges(rows, wanted)
  local list, first, last = {}, nil, nil
  local function finish()
    if first then
      local low, high = number_text.chosen(first), number_text.chosen(last)
      list[#list + 1] = low == high and low or ("%s to %s"):format(low, high)
    end
    first = nil
  end
  for _, row in ipairs(rows) do
    if wanted(row) then
      first, last = first or row.threshold, row.threshold
    else
      finish()
    end
  end
  finish()
  if #list == 0 then return nil end
  if #list == 1 then return list[1] end
  return table.concat(list, ", ", 1, #list - 1) .. " and " .. list[#list]
end

-- Gains so small are those of a model that treats all rows, or none.
local least_gain = 1e-12

local function usefulness(curve)
  local rows = curve:rows()
  local better = ranges(rows, function(row) return row.gain > least_gain end)
  if not better then
    return "At no threshold is the model better than both treating all rows and treating none."
  end
  local text = ("The model is better than treating all rows and than treating none at thresholds %s"):format(better)
  if not rows[1].gain_low then return text .. "." end
  local sure = ranges(rows, function(row) return row.gain_low > least_gain end)
  local level = number_text.confidence(curve.confidence)
  if not sure then
    return ("%s, but at none of them is the %s interval of the difference above 0."):format(text, level)
  end
  return ("%s; the %s interval of the difference is above 0 at %s."):format(text, level, sure)
end

function of_kind.decision(curve)
  if not curve.prevalence then return nil end
  local untested = curve.given_prevalence and "the prevalence is not that of the data"
    or curve.samples == 0 and "no samples were drawn" or "the rows of a group depend on each other"
  local text = calibration_of(curve, curve.brier, "Brier score", untested)
  if curve.p and curve.p <= 1 - curve.confidence + 1e-12 then
    text = text .. " So a threshold is not the probability at which treating pays; calibrate first, with "
      .. "cf.calibration."
  end
  return usefulness(curve) .. " " .. text
end

-- The sentences of a curve; nil for other kinds, for one that is undefined and for one line per fold.
function reading.of(curve)
  if curve.undefined or curve.aggregation == "folds" then return nil end
  local of = of_kind[curve.kind]
  return of and of(curve) or nil
end

return reading
