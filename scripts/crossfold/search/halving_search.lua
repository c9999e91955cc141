-- Successive halving (Jamieson and Talwalkar 2016, "Non-stochastic best arm identification and
-- hyperparameter optimization"): all candidates with little of a resource, the better 1/factor of them
-- with `factor` times as much, and so on; the last round has all of it.
--
--   cf.halving_search{
--     learner = "knn", grid = { k = {1, 3, 5, 7, 9, 11, 13, 15, 17} },   -- or space, candidates, seed
--     factor = 3, min_resource = 0.1, resource = "rows",
--     splitter = ..., metric = ...,
--   }
--
-- The resource: search/rounds.lua.
--
-- Rounds: the last has max_resource, each before it 1/factor of the next one, none less than
-- min_resource; there are no more than it takes to leave at least two candidates for the last.
-- ceil(n / factor) of the n candidates of a round go on, by their means, ties to the earlier. Who fails
-- in a round is out. Only candidates of the last round can be chosen.
local candidates = require "crossfold.search.candidates"
local inner_scores = require "crossfold.search.inner_scores"
local rounds = require "crossfold.search.rounds"
local search = require "crossfold.search.search"
local search_budget = require "crossfold.search.budget"

local halving_search = {}

local kind = { name = "halving_search", at_most = true, setup = rounds.setup }
kind.options = candidates.declare(kind.name, candidates.options, rounds.options)

-- Sizes of the rounds of n candidates.
local function sizes_of(self, n)
  local sizes = { n }
  while #sizes < rounds.most(self) and math.ceil(sizes[#sizes] / self.factor) > 1 do
    sizes[#sizes + 1] = math.ceil(sizes[#sizes] / self.factor)
  end
  return sizes
end

function kind.cells_for(self, n, n_folds)
  local cells = 0
  for _, size in ipairs(sizes_of(self, n)) do cells = cells + size * n_folds end
  return cells
end

function kind.finish(self) rounds.check(self, #sizes_of(self, #self.candidates)) end

function kind.explore(self, data, seed)
  local splits, detail = self:splits(data, seed), { resource = self.resource }
  local live, entries = search_budget.places(self, #splits, detail)
  local last, board, counted, reason, cells
  detail.rounds, last, board, counted, reason, cells = rounds.run(self, live, sizes_of(self, #live),
    inner_scores.board(self, #splits), splits, seed, entries)
  return { entries = entries, places = last, board = board, folds = counted, reason = reason,
    cells = cells, detail = detail }
end

function halving_search.new(given) return search.new(kind, given) end

return halving_search
