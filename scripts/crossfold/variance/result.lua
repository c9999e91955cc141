-- Defines the result of cf.variance: a ledger of the sources of variance of each learner's score.
local native = require "crossfold.native"
local number_text = require "crossfold.text.number_text"
local options = require "crossfold.options"
local result_class = require "crossfold.result.class"
local outperforming = require "crossfold.variance.outperforming"
local provenance = require "crossfold.result.provenance"
local variance_buy = require "crossfold.variance.buy"
local variance_ledger = require "crossfold.variance.ledger"

local result = result_class.new "crossfold.Variance"

-- The result of the facts that cf.variance found; see variance.lua.
function result.new(facts)
  local self = setmetatable({ facts = facts, ledgers = {} }, result)
  for i, row in ipairs(facts.learners) do self.ledgers[i] = variance_ledger.of(facts, row) end
  return self
end

local function require_type(value, wanted, name)
  local actual = wanted == "integer" and math.type(value) or type(value)
  if actual ~= wanted then error(("%s is a %s, not a %s"):format(name, type(value), wanted), 0) end
end

local fields = { data = "string", rows = "integer", drawn = "string", splitter = "string", folds = "integer",
  sources = "table", held = "table", learners = "table", confidence = "number", seed = "integer", metric = "table" }

-- The scores of a learner of a store: a number or false per draw.
local function check_scores(row, n)
  require_type(row, "table", "a learner")
  require_type(row.name, "string", "the name of a learner")
  require_type(row.scores, "table", "scores")
  require_type(row.problems, "table", "problems")
  if #row.scores ~= n then error(("there are %d scores, not %d"):format(#row.scores, n), 0) end
  for i, score in ipairs(row.scores) do
    if score ~= false then require_type(score, "number", ("score %d"):format(i)) end
    if row.problems[i] then require_type(row.problems[i], "string", ("problem %d"):format(i)) end
  end
end

-- The same of what a store has, which may be anything. Raises what is wrong with it.
function result.of_stored(facts)
  require_type(facts, "table", "the ledger")
  for _, name in ipairs(options.sorted_keys(fields)) do require_type(facts[name], fields[name], name) end
  for _, name in ipairs { "least", "most" } do
    if facts[name] ~= nil then require_type(facts[name], "number", name) end
  end
  require_type(facts.metric.text, "string", "the metric")
  require_type(facts.metric.direction, "integer", "the direction of the metric")
  local n = 1
  for _, source in ipairs(facts.sources) do
    require_type(source, "table", "a source")
    require_type(source.source, "string", "the name of a source")
    require_type(source.units, "integer", "the number of units")
    n = n * source.units
  end
  for _, row in ipairs(facts.learners) do check_scores(row, n) end
  facts.where_from = provenance.of_stored(facts.where_from)
  return result.new(facts)
end

-- The ledger of a learner, which may be left out if there is one; and its row of the facts.
local function ledger_of(self, method, learner)
  local names = {}
  for i, ledger in ipairs(self.ledgers) do names[i] = ledger.name end
  if learner == nil and #names ~= 1 then
    native.fail("%s: there are several learners; name one of %s", method, table.concat(names, ", "))
  end
  local i = learner == nil and 1 or options.place_of(method .. ": there is no learner", learner, names)
  return self.ledgers[i], self.facts.learners[i]
end

-- One row per learner and source: { learner, source, units = draws in each draw of the source before, df, mean_square,
-- estimate (unbiased, may be negative), variance = that or 0, sd, share of the total, standard_error, low, high = the
-- interval of the variance, note, undefined }.
function result:rows()
  local rows = {}
  for _, ledger in ipairs(self.ledgers) do
    for _, component in ipairs(ledger.components or {}) do
      rows[#rows + 1] = options.joined({ learner = ledger.name }, component)
    end
    if ledger.undefined then rows[#rows + 1] = { learner = ledger.name, undefined = ledger.undefined } end
  end
  return rows
end

-- One row per learner: { learner, metric, scores = their number, mean, low, high = the interval of the mean over these
-- draws, sd of one score, left_out = draws of the first source without all scores, undefined }.
function result:summary()
  local rows = {}
  for i, ledger in ipairs(self.ledgers) do
    rows[i] = { learner = ledger.name, metric = self.facts.metric.text, scores = ledger.scores, mean = ledger.mean,
      low = ledger.low, high = ledger.high, sd = ledger.sd, left_out = ledger.left_out, undefined = ledger.undefined }
  end
  return rows
end

-- One row per score: { learner, data, split, tuning, seed = numbers of the draws of the sources that vary, value,
-- undefined }.
function result:scores()
  local rows, sources = {}, self.facts.sources
  for _, entry in ipairs(self.facts.learners) do
    for p, score in ipairs(entry.scores) do
      local row, rest = { learner = entry.name, value = score or nil, undefined = entry.problems[p] or nil }, p - 1
      for s = #sources, 1, -1 do
        row[sources[s].source], rest = rest % sources[s].units + 1, rest // sources[s].units
      end
      rows[#rows + 1] = row
    end
  end
  return rows
end

local buy_options = options.declare("Variance:buy", {
  width = { "number!", doc = "The width that the interval of the mean score is to have." },
  learner = { "string", doc = "The learner, where there are several." },
})

local printable = { __tostring = function(found) return found.sentence end }

-- How many draws of which source an interval of this width takes: { width, now, target, sources = { { source, draws,
-- needed, floor } }, cheapest = { fits, width, draws = by source }, data = { sd, width, rows }, sentence, undefined }.
function result:buy(given)
  local o = options.check("buy", given, buy_options)
  if not (o.width > 0 and o.width < math.huge) then
    native.fail("buy: width = %s is not above 0", native.format_number(o.width))
  end
  local ledger, row = ledger_of(self, "buy", o.learner)
  local found = variance_buy.of(self.facts, ledger, o.width, row.cells_per_tuning)
  found.sentence = variance_buy.sentence(found)
  return setmetatable(found, printable)
end

local beats_options = options.declare("Variance:outperforming", {
  first = { "string", doc = "The learner whose probability it is; default the first one." },
  second = { "string", doc = "The other one; default the second one." },
  gamma = { "number", 0.75, doc = "The least probability that is meaningful." },
})

-- The probability that the first learner gets the better score when all sources are drawn again: { first, second,
-- probability, low, high, pairs, draws, gamma, verdict, sentence, undefined }.
function result:outperforming(given)
  local o = options.check("outperforming", given, beats_options)
  local facts = self.facts
  if #facts.learners < 2 then
    native.fail("outperforming: there is one learner; give cf.variance two as 'learners'")
  end
  if facts.metric.direction == 0 then
    native.fail("outperforming: metric '%s' has no better values", facts.metric.text)
  end
  local _, first = ledger_of(self, "outperforming", o.first or facts.learners[1].name)
  local _, second = ledger_of(self, "outperforming", o.second or facts.learners[2].name)
  if first == second then native.fail("outperforming: 'first' and 'second' are one learner; name two") end
  local found = outperforming.of(facts, first, second, o.gamma)
  found.sentence = outperforming.sentence(facts, found)
  return setmetatable(found, printable)
end

local function design_text(facts)
  local parts = {}
  for s, source in ipairs(facts.sources) do
    local each = s > 1 and " in each" or ""
    local of_data = source.source == "data" and (facts.drawn == "bootstrap" and " (samples with replacement)"
      or " (independent datasets)") or ""
    parts[s] = ("%s: %d%s%s"):format(source.source, source.units, of_data, each)
  end
  local held = #facts.held > 0 and "; held fixed: " .. table.concat(facts.held, ", ") or ""
  return ("%s on '%s', %d rows, %s; %s%s"):format(facts.metric.text, facts.data, facts.rows, facts.splitter,
    table.concat(parts, ", "), held)
end

-- One line: of what the ledger is.
function result:title() return design_text(self.facts) end

-- "61 % comes from the data, 30 % from the split".
local function shares_text(ledger)
  local parts = {}
  for i, component in ipairs(ledger.components) do
    parts[i] = ("%s %sfrom the %s"):format(number_text.share(component.share), i == 1 and "comes " or "",
      component.source)
  end
  return table.concat(parts, ", ")
end

local function ledger_sentence(facts, ledger)
  if ledger.undefined then return ("The ledger of '%s' is undefined: %s."):format(ledger.name, ledger.undefined) end
  local mean = ("The mean %s of '%s' over these draws is %s (%s interval %s to %s)"):format(facts.metric.text,
    ledger.name, number_text.fixed(ledger.mean), number_text.confidence(facts.confidence),
    number_text.fixed(ledger.low), number_text.fixed(ledger.high))
  if ledger.total == 0 then return mean .. "; no score differs from another." end
  local text = ("%s. Of the variance of one score (sd %s), %s."):format(mean, number_text.fixed(ledger.sd),
    shares_text(ledger))
  for _, component in ipairs(ledger.components) do
    if component.estimate < 0 then
      text = ("%s The estimate for the %s is negative (%s) and counts as 0."):format(text, component.source,
        number_text.fixed(component.estimate, 6))
    elseif component.note then
      text = ("%s %s."):format(text, (component.note:gsub("^%l", string.upper)))
    end
  end
  if ledger.left_out > 0 then
    text = ("%s %d of %d draws of %s are left out, because a score is missing; the first: %s."):format(text,
      ledger.left_out, facts.sources[1].units, facts.sources[1].source, ledger.reason)
  end
  return text
end

-- What the ledgers say, one sentence or more per learner.
function result:sentence()
  local parts = {}
  for i, ledger in ipairs(self.ledgers) do parts[i] = ledger_sentence(self.facts, ledger) end
  if #self.ledgers == 2 and self.facts.metric.direction ~= 0 then parts[3] = self:outperforming().sentence end
  return table.concat(parts, "\n")
end

-- Seed, data and plugins that the numbers came from, as of a result of cf.evaluate.
function result:provenance()
  local found = provenance.shown(self.facts.where_from or {})
  found.seed, found.splitter = self.facts.seed, design_text(self.facts)
  return found
end

local columns = { "learner", "source", "units", "df", "mean_square", "estimate", "variance", "sd", "share",
  "standard_error", "low", "high", "note", "undefined" }
local shown = { "source", "draws", "df", "sd", "variance", "low", "high", "share" }

-- The columns that people read, and rows of the ledger of one learner.
local function shown_table(ledger)
  local rows = {}
  for i, component in ipairs(ledger.components) do
    rows[i] = { source = component.source, draws = component.units, df = math.tointeger(component.df),
      sd = number_text.fixed(component.sd), variance = number_text.fixed(component.variance, 6),
      low = number_text.fixed(component.low, 6), high = number_text.fixed(component.high, 6),
      share = component.share and number_text.share(component.share) }
  end
  return shown, rows
end

-- Headings of a ledger for people, and its rows as text; none if it is undefined.
function result:shown(i)
  if self.ledgers[i].undefined then return shown, {} end
  return shown_table(self.ledgers[i])
end

function result:__tostring()
  local parts = { design_text(self.facts) }
  for _, ledger in ipairs(self.ledgers) do
    if not ledger.undefined then
      parts[#parts + 1] = ("%s%s"):format(#self.ledgers > 1 and ledger.name .. "\n" or "",
        native.table_text(shown_table(ledger)))
    end
  end
  parts[#parts + 1] = self:sentence()
  return table.concat(parts, "\n\n")
end

local function latex(self)
  local tables = {}
  for _, ledger in ipairs(self.ledgers) do
    if not ledger.undefined then tables[#tables + 1] = native.table_latex(shown_table(ledger)) end
  end
  return table.concat(tables, "\n")
end

result_class.add_to(result, columns, result.rows, { latex = latex })

return options.methods(result, { "buy", "outperforming", "provenance", "report", "rows", "scores", "sentence",
  "summary", "to" }, nil, { "buy", "outperforming", "report", "to" })
