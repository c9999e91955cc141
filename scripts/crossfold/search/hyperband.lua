-- Hyperband (Li, Jamieson, DeSalvo, Rostamizadeh and Talwalkar 2018, "Hyperband: a novel bandit-based approach to
-- hyperparameter optimization", JMLR 18, algorithm 1): successive halving in several brackets, from many candidates
-- that begin with little of the resource to few that have all of it at once, because nobody knows beforehand how much
-- of the resource it takes to tell good candidates from bad ones.
--
--   cf.hyperband{
--     learner = "xgboost", space = { eta = { low = 0.01, high = 1 }, max_depth = { low = 1, high = 8 } },
--     resource = "rounds", min_resource = 5, max_resource = 135, factor = 3,
--     splitter = ..., metric = ...,
--   }
--
-- With s_max + 1 the number of rounds from max_resource down to min_resource, bracket s = s_max .. 0 has
-- ceil((s_max + 1) / (s + 1) factor^s) candidates and s + 1 rounds; floor(n / factor^i) of its n candidates are left in
-- round i = 0 .. s. The brackets run at the same time. The candidates are drawn as in random_search; if the space or
-- the budget has fewer, each bracket gets its share. Only candidates that had the whole resource can be chosen.
--
-- The resource and the rounds: search/rounds.lua.
local candidates = require "crossfold.search.candidates"
local inner_scores = require "crossfold.search.inner_scores"
local options = require "crossfold.options"
local rounds = require "crossfold.search.rounds"
local run = require "crossfold.run"
local search = require "crossfold.search.search"
local search_budget = require "crossfold.search.budget"

local hyperband = {}

local kind = { name = "hyperband", at_most = true }
kind.options = candidates.declare(kind.name, {
  space = options.joined(candidates.options.space, { "table!" }), seed = candidates.options.seed,
}, rounds.options)

-- { rounds =, candidates = } of every bracket, as in the paper.
local function whole_brackets(self)
  local n_rounds, list = rounds.most(self), {}
  for s = n_rounds - 1, 0, -1 do
    list[#list + 1] = { rounds = s + 1, candidates = -(-n_rounds * self.factor ^ s // (s + 1)) }
  end
  return list
end

local function total(brackets)
  local n = 0
  for _, bracket in ipairs(brackets) do n = n + math.tointeger(bracket.candidates) end
  return n
end

-- The brackets of n candidates: { first =, candidates =, sizes =, resource = }; those without any are left out.
function kind.brackets(self, n)
  local list, whole, sum, first = {}, whole_brackets(self), 0, 1
  local all = total(whole)
  for _, bracket in ipairs(whole) do
    sum = sum + math.tointeger(bracket.candidates)
    local last, sizes = sum * n // all, {}
    for i = 1, bracket.rounds do
      sizes[i] = math.max(1, math.tointeger((last - first + 1) // self.factor ^ (i - 1)))
    end
    if last >= first then
      list[#list + 1] = { first = first, candidates = last - first + 1, sizes = sizes,
        resource = rounds.resource(self, 1, bracket.rounds) }
    end
    first = last + 1
  end
  return list
end

function kind.cells_for(self, n, n_folds)
  local cells = 0
  for _, bracket in ipairs(kind.brackets(self, n)) do
    for _, size in ipairs(bracket.sizes) do cells = cells + size * n_folds end
  end
  return cells
end

function kind.setup(self, o)
  rounds.setup(self, o)
  o.candidates = total(whole_brackets(self))
end

function kind.finish(self) rounds.check(self, rounds.most(self)) end

-- Runs one bracket; a function for run.parallel.
local function bracket_task(self, bracket, place, seed, found)
  return function()
    local live = {}
    for c = bracket.first, bracket.first + bracket.candidates - 1 do live[#live + 1] = found.places[c] end
    local list, last, board, _, reason = rounds.run(self, live, bracket.sizes, found.board, found.splits, seed,
      found.entries)
    for _, c in ipairs(live) do found.entries[c].bracket = place end
    found.brackets[place] = { rounds = list, last = last, board = board, reason = reason }
  end
end

-- The candidates that had the whole resource, in their order; those of the first bracket if there are none.
local function finalists(found)
  local places = {}
  for _, bracket in ipairs(found.brackets) do
    if bracket.board == found.board then table.move(bracket.last, 1, #bracket.last, #places + 1, places) end
  end
  table.sort(places)
  if #places > 0 then return places, found.board end
  return found.brackets[1].last, found.brackets[1].board
end

function kind.explore(self, data, seed)
  local splits, detail = self:splits(data, seed), { resource = self.resource, brackets = {} }
  local found = { splits = splits, board = inner_scores.board(self, #splits), brackets = {} }
  found.places, found.entries = search_budget.places(self, #splits, detail)
  local tasks, cells = {}, 0
  for i, bracket in ipairs(kind.brackets(self, #found.places)) do
    tasks[i] = bracket_task(self, bracket, i, seed, found)
  end
  run.parallel(tasks)
  for i, bracket in ipairs(found.brackets) do
    detail.brackets[i] = bracket.rounds
    for _, round in ipairs(bracket.rounds) do cells = cells + round.cells end
  end
  local places, board = finalists(found)
  local last, counted, reason = inner_scores.entries(board, self, places)
  for c, entry in pairs(last) do
    local before = found.entries[c]
    entry.round, entry.resource, entry.bracket = before.round, before.resource, before.bracket
    found.entries[c] = entry
  end
  return { entries = found.entries, places = places, board = board, folds = counted, reason = reason, cells = cells,
    detail = detail }
end

function hyperband.new(given) return search.new(kind, given) end

return hyperband
