-- Shares the code of all searches: a search is a learner whose fit tries candidates by cross-validation inside
-- its training rows, chooses one of them and fits it. A kind of search is a table
--   name          "grid_search"
--   options       the declaration of its options, from candidates.declare
--   may_time      whether the budget may be in seconds
--   may_ask       whether a host may evaluate its candidates (search/session.lua)
--   setup(search, o)                    fills in fields of its own
--   cells_for(search, n, n_folds)       cells that n candidates need; at most, with `at_most` = true
--   brackets(search, n)                 of n candidates, for the plan; not for all kinds
--   explore(search, data, seed)         evaluates; returns { entries, places, board, folds, reason, detail }:
--       entries of all candidates, the places that can be chosen, the board and the folds that the
--       choice goes by, why some do not count, and more fields for the detail. A search that finds its
--       candidates as it goes also returns them, `candidates`, and the rule of choice for them, `rule`.
local native = require "crossfold.native"
local candidates = require "crossfold.search.candidates"
local composite_search = require "crossfold.search.composite_search"
local confidence_set = require "crossfold.search.confidence_set"
local fitting = require "crossfold.fitting"
local inner_scores = require "crossfold.search.inner_scores"
local learner = require "crossfold.learner"
local metric = require "crossfold.metric"
local options = require "crossfold.options"
local parameters = require "crossfold.parameters"
local run = require "crossfold.run"
local search_budget = require "crossfold.search.budget"
local search_result = require "crossfold.search.search_result"
local selection = require "crossfold.search.selection"
local session = require "crossfold.search.session"
local splitter = require "crossfold.splitter"

require "crossfold.ensemble.members"  -- declares the options of fit

local search = options.class "crossfold.Search"

function search:__tostring()
  local text = ("%s{%s, %d candidates"):format(self.kind.name, tostring(self.learner), search_budget.count(self))
  if self.draws and self.draws ~= #self.candidates then
    text = ("%s of %d draws"):format(text, self.draws)
  end
  if self.rule.choose ~= "best" then text = text .. ", " .. self.rule.choose end
  return text .. "}"
end

-- That of its learner: searches of one learner have the same inner folds and random numbers, which are those of the
-- learner itself if they choose its own setting.
function search:definition() return learner.definition(self.learner) end

-- Raises what would stop the search on any rows of `data`.
function search:check(data)
  fitting.check(self.learner, data)
  for m, value in ipairs(self.metrics) do
    if self.metrics.index[m] then native.check_metric(value, data) end
  end
  splitter.check_inner(self.splitter, data, "search")
  confidence_set.check_rule(self, data)
end

function search:cells_for(n, n_folds) return self.kind.cells_for(self, n, n_folds) end

-- The inner splits of `data`.
function search:splits(data, seed)
  return splitter.split(self.splitter, data, native.seed(seed, "splits"))
end

local function detail_of(self, found)
  local detail = found.detail or {}
  detail.metric, detail.choose = self.metric_name, self.rule.choose
  detail.inner, detail.cells = found.entries, found.cells or found.board.cells
  return detail
end

local function add_front(self, found, detail)
  if #self.metrics < 2 then return end
  local names, directions = {}, {}
  for m, value in ipairs(self.metrics) do
    names[m], directions[m] = metric.name(value), metric.direction(value)
  end
  detail.front = {}
  for i, c in ipairs(selection.front(found.entries, found.places, names, directions)) do
    detail.front[i] = found.candidates[c].name
  end
end

-- Why fewer cells may run than are asked for.
local function note_bounds(self)
  if self.kind.at_most then
    native.note_at_most(self.kind.name .. ": how many cells run depends on the scores")
  end
  if self.budget.seconds then
    native.note_at_most(("%s: it begins no round after %s s"):format(self.kind.name,
      native.format_number(self.budget.seconds)))
  end
end

-- All scores of a plan are equal. The last candidate of a grid is often the largest, and a plan had
-- better say too much than too little.
local function planned_choice(found)
  local chosen = found.candidates[found.places[#found.places]]
  return chosen.learner, { chosen = chosen.params, candidate = chosen.name }
end

-- What repeats the choice: see search_result.lua.
local function source_of(self, found)
  local n_dropped = 0
  local in_choice = options.set_of(found.places)
  for c, entry in pairs(found.entries) do
    if entry.mean and not in_choice[c] then n_dropped = n_dropped + 1 end
  end
  return { search = self, rule = found.rule, board = found.board, entries = found.entries, places = found.places,
    direction = self.direction, test_share = inner_scores.test_share(found.board, found.folds),
    different = selection.goes_by_folds(found.rule) and inner_scores.different(found.board, found.folds),
    n_dropped = n_dropped }
end

-- Chooses among the candidates on the rows of `data`. Returns the chosen learner and a table
-- { chosen = params, candidate = name, mean, sd, inner = {one entry per candidate}, ... }. If there is
-- nothing to choose, context.keep (may be nil) gets the table before the error is raised.
function search:resolve(data, context)
  note_bounds(self)
  confidence_set.check_rule(self, data)
  local found = self.kind.explore(self, data, context.seed)
  found.candidates, found.rule = found.candidates or self.candidates, found.rule or self.rule
  if native.planning() then return planned_choice(found) end
  local detail = detail_of(self, found)
  if selection.best(found.entries, found.places, self.direction) == nil then
    if context.keep then context.keep(detail) end
    native.fail(inner_scores.why_none(found.board, self, found.places, found.reason))
  end
  local source = source_of(self, found)
  if selection.needs_set(found.rule) then
    confidence_set.note(source, found.rule.alpha, native.seed(context.seed, "confidence set"))
  end
  local place, best = selection.choose(found.rule, found.entries, found.places, self.direction, source.test_share,
    source.different)
  local chosen = found.candidates[place]
  source.place = place
  detail.chosen, detail.candidate = chosen.params, chosen.name
  detail.mean, detail.sd = found.entries[place].mean, found.entries[place].sd
  detail.best = found.candidates[best].name
  add_front(self, found, detail)
  return chosen.learner, search_result.new(detail, source)
end

-- Chooses on all rows of `data`, then fits the chosen setting on all of them. Returns the model and
-- the same table as resolve.
function search:fit(data, context)
  options.dataset(self.kind.name .. ":fit", data)
  local o = options.check(self.kind.name .. ":fit", context, options.declarations["Search:fit"])
  local seed = o.seed or native.defaults().seed
  local chosen, detail = self:resolve(data, { seed = native.seed(seed, "inner") })
  return run.fit(chosen, data, seed), detail
end

local plan = {}

function plan:__tostring()
  local most = self.at_most and "at most " or ""
  local text = ("%d of %d candidates on %d inner folds: %s%d cells per search"):format(self.candidates,
    self.of, self.folds, most, self.cells)
  if self.seconds then
    text = ("%s, no round begun after %s s"):format(text, native.format_number(self.seconds))
  end
  if self.brackets then
    local counts, n_rounds = {}, {}
    for i, bracket in ipairs(self.brackets) do counts[i], n_rounds[i] = bracket.candidates, #bracket.sizes end
    text = ("%s, in brackets of %s candidates with %s rounds"):format(text, table.concat(counts, ", "),
      table.concat(n_rounds, ", "))
  end
  if self.outer_folds then
    text = ("%s; %d outer folds: %s%d cells"):format(text, self.outer_folds, most, self.total_cells)
  end
  return text
end

local function plan_one(self, data, seed)
  local n_folds = #self:splits(data, seed)
  local n = search_budget.affordable(self, n_folds)
  return { candidates = n, of = search_budget.count(self), folds = n_folds,
    cells = self:cells_for(n, n_folds), at_most = self.kind.at_most or nil,
    seconds = self.budget.seconds, brackets = self.kind.brackets and self.kind.brackets(self, n) }
end

local plan_options = options.declare("Search:plan", {
  splitter = { "any", is = "splitter", doc = "The outer splits, to plan the search in each of them." },
  seed = { "integer", doc = "Seed of the inner splits; default the seed of the program." },
})

-- What the search would cost on `data`, without running a learner. With an outer `splitter` also all
-- outer folds together: one search and one cell of the chosen learner each.
function search:plan(data, given)
  local what = self.kind.name .. ":plan"
  options.dataset(what, data)
  local o = options.check(what, given, plan_options)
  local seed = o.seed or native.defaults().seed
  local planned = plan_one(self, data, seed)
  if o.splitter then
    local outer = splitter.check(o.splitter, what .. ": option 'splitter'")
    local splits = splitter.split(outer, splitter.prepare(outer, data), native.seed(seed, "splits"))
    planned.outer_folds, planned.total_cells, planned.each = #splits, 0, {}
    for s = 1, #splits do
      local one = plan_one(self, splits:train(s), seed)
      planned.each[s] = one.cells
      planned.total_cells = planned.total_cells + one.cells + 1
    end
  end
  return setmetatable(planned, plan)
end

-- Ask and tell: see search/session.lua.
function search:session(given) return session.new(self, given) end

-- All metrics, the one that decides first.
local function check_metrics(o, what)
  local deciding = metric.list(o.metric, what .. ": option 'metric'")
  if #deciding ~= 1 then native.fail(what .. ": exactly one metric decides") end
  if metric.direction(deciding[1]) == 0 then
    native.fail("%s: metric '%s' has no better direction, so it cannot decide", what, metric.name(deciding[1]))
  end
  if o.metrics == nil then return deciding end
  local all = { deciding[1] }
  for _, value in ipairs(metric.list(o.metrics, what .. ": option 'metrics'")) do
    if metric.name(value) ~= metric.name(deciding[1]) then all[#all + 1] = value end
  end
  return metric.list(all, what .. ": option 'metrics'")
end

-- The same search with transforms before its learner: `before` makes of a learner the one with them. The
-- transforms are fitted inside the inner folds.
function search:map_learners(before)
  local list = {}
  for c, candidate in ipairs(self.candidates) do
    local changed = before(candidate.learner)
    list[c] = { params = candidate.params, learner = changed, name = tostring(changed) }
  end
  local inner = self.before
  return composite_search.around(learner.copy(self, { learner = before(self.learner), candidates = list,
    before = inner and function(value) return before(inner(value)) end or before }))
end

function search:splits_rows() return true end

-- See parameters.lua: the parameters that it does not search can be changed.
function search:parts() return { parameters.part(self.learner) } end

function search:with_parts(_, values)
  return search.new(self.kind, learner.copy(self.given, { learner = values[1] }))
end

search.with = parameters.with

-- Whether the predictions of all candidates are kept: true, false, or nil as the memory allows.
local function check_keep(o, what)
  if not selection.needs_set(o) then return o.keep_inner end
  if o.keep_inner == false then
    native.fail("%s: choose = '%s' needs the predictions of all candidates; leave out keep_inner = false", what,
      o.choose)
  end
  return true
end

-- A search of a kind, from the options of a script.
function search.new(kind, given)
  local o = options.check(kind.name, given, kind.options)
  local base = learner.check(o.learner, kind.name .. ": option 'learner'")
  local metrics = check_metrics(o, kind.name)
  local self = setmetatable({
    kind = kind, given = given, learner = base,
    splitter = splitter.check(o.splitter, kind.name .. ": option 'splitter'"),
    metrics = metrics,
    metric_name = metric.name(metrics[1]),
    direction = metric.direction(metrics[1]),
    keep_inner = check_keep(o, kind.name),
    budget = search_budget.check(o.budget, kind.may_time, kind.name),
  }, search)
  if kind.setup then kind.setup(self, o) end
  self.candidates, self.draws = candidates.make(self.learner, o, kind.name)
  self.rule = selection.rule(o, self.candidates, kind.name)
  if kind.finish then kind.finish(self, o) end
  return composite_search.around(self)
end

options.methods(search, { "fit", "plan", "session", "with" }, "search:", { "fit", "plan", "session" })

return search
