-- Fits the power law of one learner's curve, in the units of its metric: err(n) = a + b n^-c, where err is
-- the metric itself if lower is better, and 1 - metric if higher is better.
local native = require "crossfold.native"
local number_text = require "crossfold.text.number_text"
local options = require "crossfold.options"

local fit = options.class "crossfold.LearningCurveFit"

-- An answer: a table of figures whose text is a sentence.
local function answer(figures, text)
  return setmetatable(figures, { __tostring = function() return text end })
end

local function decimals(x) return number_text.fixed(x, 3) end
local function whole(x) return native.format_number(x, 0) end

-- Metric for error and back; the same function does both. nil stays nil.
local function turned(self, x)
  if x == nil or not self.higher then return x end
  return 1 - x
end

-- `law` is native or nil; `plan` = { learner =, metric =, higher =, confidence =, undefined =, sizes =,
-- trials =, left_out =, interval =, least =, most = }; least and most are the bounds of the metric, if any.
function fit.new(law, plan)
  local figures = law and law:figures() or {}
  local self = setmetatable(options.joined(plan, figures), fit)
  if not figures.undefined then self.law = law end
  return self
end

local function undefined(self)
  return answer({ undefined = self.undefined }, self.undefined)
end

-- The band of the law in the units of the metric, cut at its bounds: it is the hull of two laws and knows only
-- that there is no error below 0.
local function band(self, at)
  local low, high = turned(self, at.low), turned(self, at.high)
  if self.higher then low, high = high, low end
  local estimate = turned(self, at.estimate)
  if self.least then low = math.max(low, math.min(self.least, estimate)) end
  if self.most then high = math.min(high, math.max(self.most, estimate)) end
  return estimate, low, high
end

-- The performance expected at n rows: { estimate, low, high, se, confidence }.
function fit:at(n)
  if not self.law then return undefined(self) end
  if type(n) ~= "number" then native.fail("at: the number of rows must be a number") end
  local at = self.law:at(n, self.confidence)
  local estimate, low, high = band(self, at)
  return answer({
    rows = n, estimate = estimate, low = low, high = high, se = at.se, confidence = self.confidence,
  }, ("%s expected at %s rows: %s (%s to %s)"):format(self.metric, native.format_number(n),
    decimals(estimate), decimals(low), decimals(high)))
end

local function asymptote_text(self)
  local value = decimals(turned(self, self.a))
  if not self.se_a then return value .. " (the law has no asymptote of its own)" end
  return ("%s +/- %s"):format(value, decimals(self.se_a))
end

-- What the performance comes close to, and its standard error: { asymptote, se }. At the bound (no
-- error is left) there is no standard error.
function fit:asymptote()
  if not self.law then return undefined(self) end
  return answer({ asymptote = turned(self, self.a), se = self.se_a, at_bound = self.at_bound },
    ("asymptote of %s: %s"):format(self.metric, asymptote_text(self)))
end

local function unreachable(self, target, rows)
  local text = ("%s is unreachable: asymptote %s"):format(native.format_number(target), asymptote_text(self))
  if rows.low then
    text = text .. ("; its interval allows it from %s rows on"):format(whole(math.ceil(rows.low)))
  end
  return answer({
    unreachable = true, asymptote = turned(self, self.a), se = self.se_a, low = rows.low,
    confidence = self.confidence, text = text,
  }, text)
end

-- The rows that `target` needs: { rows, low, high, confidence, text }, where high is nil if the interval
-- has no end; or { unreachable = true, asymptote, se, low, text }.
function fit:rows_for(target)
  if not self.law then return undefined(self) end
  if type(target) ~= "number" then native.fail("rows_for: the target must be a number") end
  local found = self.law:rows_for(turned(self, target), self.confidence)
  if found.unreachable then return unreachable(self, target, found) end
  local rows = math.ceil(found.rows)
  local low = found.low and math.ceil(found.low)
  local high = found.high and math.ceil(found.high)
  local text = ("rows needed for %s: %s (%s to %s)"):format(native.format_number(target), whole(rows),
    low and whole(low) or "unknown", high and whole(high) or "no upper end")
  return answer({
    unreachable = false, rows = rows, low = low, high = high, confidence = self.confidence,
    text = text,
  }, text)
end

-- "from 745 rows on": where an interval holds 0 that reaches the end of the range if low or high is nil.
local function open_stretch(low, high)
  if low and high then return ("from %s to %s rows"):format(whole(low), whole(high)) end
  if low then return ("from %s rows on"):format(whole(low)) end
  return high and ("up to %s rows"):format(whole(high)) or "at every size there"
end

-- The answers by what the intervals of the difference say.
local crossings = {}

function crossings.yes(_, _, figures)
  return ("%s overtakes %s at %s rows (%s to %s)"):format(figures.better_after, figures.better_before,
    whole(figures.rows), whole(figures.low), whole(figures.high))
end

function crossings.no(self, other, figures)
  return ("%s and %s do not cross between %s and %s rows: %s is better at every size there (%s intervals "
    .. "of their difference)"):format(self.learner, other.learner, whole(figures.from), whole(figures.to),
    figures.better, number_text.confidence(figures.confidence))
end

crossings["not decided"] = function(self, other, figures)
  local laws = figures.rows and ("their laws do at %s rows"):format(whole(figures.rows))
    or ("the law of %s is on the better side"):format(figures.better)
  return ("it is not decided whether %s and %s cross between %s and %s rows: %s, but %s the %s interval of "
    .. "their difference holds 0"):format(self.learner, other.learner, whole(figures.from),
    whole(figures.to), laws, open_stretch(figures.low, figures.high), number_text.confidence(figures.confidence))
end

-- Whether this curve and another cross between `from` and `to` rows, and where: crosses = "yes", "no" or
-- "not decided". Two fitted laws nearly always meet somewhere; they cross if each learner is shown to be
-- the better one at some size.
function fit:crossing(other, from, to)
  for _, side in ipairs { self, other } do
    if not side.law then return undefined(side) end
  end
  local found = self.law:crossing(other.law, from, to, self.confidence)
  local before = found.first_lower_before and self or other
  local after = before == self and other or self
  local figures = {
    crosses = found.crosses, rows = found.rows and math.ceil(found.rows),
    low = found.low and math.ceil(found.low), high = found.high and math.ceil(found.high),
    from = from, to = to, confidence = self.confidence,
  }
  if found.rows then
    figures.better_before, figures.better_after = before.learner, after.learner
  else
    figures.better = before.learner
  end
  return answer(figures, crossings[found.crosses](self, other, figures))
end

function fit:__tostring()
  local head = ("%s, %s: "):format(self.learner, self.metric)
  if not self.law then return head .. self.undefined end
  local text = ("%s%s%s + %s n^-%s"):format(head, self.higher and "1 - err(n), err(n) = " or "",
    number_text.fixed(self.a), number_text.fixed(self.b), number_text.fixed(self.c))
  local notes = { ("%d sizes"):format(self.points) }
  if #self.left_out > 0 then notes[1] = ("%s, %d left out"):format(notes[1], #self.left_out) end
  notes[#notes + 1] = self.interval == "trials" and ("%d trials"):format(self.trials)
    or "intervals from the scatter of the points"
  if self.at_bound then notes[#notes + 1] = "asymptote at its bound" end
  if self.misfit > 0 then
    notes[#notes + 1] = ("forecasts inside the curve miss by %s %% for each doubling of the rows")
      :format(native.format_number(100 * self.misfit * math.log(2), 1))
  end
  return text .. " (" .. table.concat(notes, ", ") .. ")"
end

options.methods(fit, { "at", "asymptote", "rows_for" })
return fit
