-- Defines the result of cf.repeat_until: the mean over repeats, its interval, and what that is the interval of.
local native = require "crossfold.native"
local number_text = require "crossfold.text.number_text"
local options = require "crossfold.options"
local result_class = require "crossfold.result.class"
local provenance = require "crossfold.result.provenance"
local until_rules = require "crossfold.variance.until_rules"

local result = result_class.new "crossfold.RepeatUntil"

local fields = { "learner", "data", "rows", "metric", "splitter", "rule", "confidence", "repeats", "mean", "low",
  "high", "width", "wanted_width", "reached", "max_repeats", "note", "undefined" }

-- What equal scores say: a rule by their spread has none to go by.
local function note_of(facts, self)
  if facts.rule == "normal" and self.low == self.high then
    return ("all %d repeats gave the same score; at %s confidence another repeat differs with a probability of at "
      .. "most %s"):format(self.repeats, number_text.confidence(facts.confidence),
        number_text.fixed(1 - (1 - facts.confidence) ^ (1 / self.repeats), 2))
  end
end

-- The result of the facts that cf.repeat_until found; see until.lua.
function result.new(facts)
  local self = setmetatable({
    facts = facts, learner = facts.learner, data = facts.data, rows = facts.rows, metric = facts.metric,
    splitter = facts.splitter, rule = facts.rule, confidence = facts.confidence, repeats = #facts.values,
    wanted_width = facts.width, max_repeats = facts.max_repeats, undefined = facts.undefined,
  }, result)
  if self.undefined then return self end
  self.mean = native.summary(facts.values).mean
  local low, high = until_rules.interval(facts, facts.values)
  self.low, self.high = math.max(low, facts.least or low), math.min(high, facts.most or high)
  self.width = self.high - self.low
  if self.width < 0 then
    self.mean, self.low, self.high, self.width = nil, nil, nil, nil
    self.undefined = "no mean fits all repeats: they are not independent draws of one distribution"
    return self
  end
  -- The last digit of the width may be rounded up.
  self.reached = self.width <= facts.width * (1 + 1e-12)
  self.note = note_of(facts, self)
  return self
end

local types = { metric = "string", learner = "string", data = "string", rows = "integer", splitter = "string",
  rule = "string", width = "number", confidence = "number", first = "integer", max_repeats = "integer",
  values = "table", batches = "table", seed = "integer" }

-- The same of what a store has, which may be anything. Raises what is wrong with it.
function result.of_stored(facts)
  if type(facts) ~= "table" then error("it is not a table", 0) end
  for _, name in ipairs(options.sorted_keys(types)) do
    local value = facts[name]
    local found = types[name] == "integer" and math.type(value) or type(value)
    if found ~= types[name] then error(("%s is a %s, not a %s"):format(name, type(value), types[name]), 0) end
  end
  local known = false
  for _, name in ipairs(until_rules.names) do known = known or name == facts.rule end
  if not known then error(("it has the rule '%s', which this Crossfold does not know"):format(facts.rule), 0) end
  for i, value in ipairs(facts.values) do
    if type(value) ~= "number" then error(("value %d is a %s, not a number"):format(i, type(value)), 0) end
  end
  for _, name in ipairs { "least", "most" } do
    if facts[name] ~= nil and type(facts[name]) ~= "number" then error(name .. " is not a number", 0) end
  end
  if facts.undefined == nil and #facts.values < facts.first then error("it has too few repeats", 0) end
  facts.where_from = provenance.of_stored(facts.where_from)
  return result.new(facts)
end

-- The scores of the repeats, in their order.
function result:values() return table.move(self.facts.values, 1, #self.facts.values, 1, {}) end

-- The numbers of repeats of each batch: the rule looked after each.
function result:batches() return table.move(self.facts.batches, 1, #self.facts.batches, 1, {}) end

-- One line: of what the interval is.
function result:title()
  return ("%s of '%s' on '%s' (%d rows), repeats of %s"):format(self.metric, self.learner, self.data, self.rows,
    self.splitter)
end

local meaning = {
  normal = "by their spread, from the first %d on (Stein 1945), which takes the scores of repeats to be close to "
    .. "normal",
  bounded = "by bets on scores from %s to %s, a rule that holds for any distribution (Waudby-Smith and Ramdas 2024)",
}

local function rule_text(self)
  local facts = self.facts
  if self.rule == "normal" then return meaning.normal:format(facts.first) end
  return meaning.bounded:format(number_text.chosen(facts.least), number_text.chosen(facts.most))
end

-- All of it in plain English, with what the interval is of and what not.
function result:sentence()
  if self.undefined then
    return ("The mean %s over repeats is undefined: %s."):format(self.metric, self.undefined)
  end
  local text = ("The mean %s over %d repeats is %s, %s interval %s to %s (width %s; %s)."):format(self.metric,
    self.repeats, number_text.fixed(self.mean), number_text.confidence(self.confidence), number_text.fixed(self.low),
    number_text.fixed(self.high), number_text.fixed(self.width), rule_text(self))
  if not self.reached then
    text = ("%s The width %s was not reached with max_repeats = %d; the interval is valid all the same."):format(text,
      number_text.chosen(self.wanted_width), self.max_repeats)
  end
  if self.note then text = ("%s %s."):format(text, (self.note:gsub("^%l", string.upper))) end
  return text .. (" It is the interval of the expected score over all random partitions of these %d rows, the only "
    .. "thing that repeats can narrow. It does not say how far the score on new rows may be from it."):format(self.rows)
end

-- Seed, data and plugin that the numbers came from, as of a result of cf.evaluate.
function result:provenance() return provenance.shown(self.facts.where_from or {}) end

-- The figures that people read, and their fields.
function result:shown()
  local columns = { { "mean", "mean" }, { "low", "low" }, { "high", "high" }, { "width", "width" },
    { "repeats", "repeats" } }
  if self.undefined then columns[#columns + 1] = { "undefined", "undefined" } end
  return columns
end

local function shown_table(self)
  local columns, row = {}, {}
  for i, column in ipairs(self:shown()) do columns[i], row[column[1]] = column[1], self[column[2]] end
  return columns, { row }
end

function result:__tostring()
  return ("%s\n%s\n%s"):format(self:title(), native.table_text(shown_table(self)), self:sentence())
end

local function table_row(self)
  local row = {}
  for _, name in ipairs(fields) do row[name] = self[name] end
  return { row }
end

result_class.add_to(result, fields, table_row, {
  latex = function(self) return native.table_latex(shown_table(self)) end,
})

return options.methods(result, { "batches", "provenance", "report", "sentence", "to", "values" }, nil,
  { "report", "to" })
