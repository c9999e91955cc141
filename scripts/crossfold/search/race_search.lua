-- A race: candidates are evaluated fold by fold, and who is worse than the leader by a paired test
-- leaves. What the stated error means: search/racing.lua.
--
--   cf.race_search{
--     learner = "knn", grid = { k = {1, 3, 5, 7, 9} },         -- or space, candidates, seed
--     error = 0.05, min_folds = 5, every = 1,
--     splitter = cf.splitter("kfold", { folds = 10, repeats = 3 }), metric = "accuracy",
--   }
--
-- Folds come in the order of the splits. The race ends after the last fold, or when one is left. Only
-- who is left then can be chosen. Who fails in a fold is out.
local native = require "crossfold.native"
local candidates = require "crossfold.search.candidates"
local inner_scores = require "crossfold.search.inner_scores"
local racing = require "crossfold.search.racing"
local search = require "crossfold.search.search"
local search_budget = require "crossfold.search.budget"

local race_search = {}

local kind = { name = "race_search", at_most = true }
kind.options = candidates.declare(kind.name, candidates.options, {
  error = { "number", 0.05, doc = "Probability that the best candidate is dropped." },
  min_folds = { "integer", 5, doc = "Number of inner folds before candidates are dropped." },
  every = { "integer", 1, doc = "Number of inner folds from one test to the next." },
})

function kind.cells_for(_, n, n_folds) return n * n_folds end

function kind.setup(self, o)
  if not (o.error > 0 and o.error < 1) then
    native.fail("race_search: error = %s is out of range; use a number between 0 and 1", native.format_number(o.error))
  end
  if o.min_folds < 2 then
    native.fail("race_search: min_folds = %d is out of range; a test needs 2 folds or more", o.min_folds)
  end
  if o.every < 1 then native.fail("race_search: every = %d is out of range; use 1 or more", o.every) end
  self.error, self.min_folds, self.every = o.error, o.min_folds, o.every
end

-- Live candidates that did not fail; the entries of the others stay as they are now.
local function without_failures(board, live, found, entries)
  local left = {}
  for _, c in ipairs(live) do
    entries[c] = found[c]
    if not board.rows[c].failure then left[#left + 1] = c end
  end
  return left
end

-- Takes the losers of one look out of `live` and writes into their entries why.
local function drop_losers(self, race, live, found, folds)
  local values = {}
  for _, c in ipairs(live) do
    if found[c].mean then values[c] = found[c].values end
  end
  local share = #folds > 0 and inner_scores.test_share(race.board, folds) or nil
  local different = share and inner_scores.different(race.board, folds)
  local leader, dropped = racing.look(values, live, self.direction, share, race.level, different)
  local left = {}
  for _, c in ipairs(live) do
    if dropped[c] then
      found[c].dropped_after, found[c].p = race.board.n_folds, dropped[c]
      found[c].worse_than = self.candidates[leader].name
    else
      left[#left + 1] = c
    end
  end
  return left, leader
end

-- The stretches of folds between looks: the ends of all, the last fold included.
local function stretch_ends(self, n_folds)
  local ends = racing.looks(n_folds, self.min_folds, self.every)
  local n_looks = #ends
  ends[n_looks + 1] = n_folds
  return ends, n_looks
end

function kind.explore(self, data, seed)
  local splits, detail = self:splits(data, seed), {}
  local live, entries = search_budget.places(self, #splits, detail)
  local ends, n_looks = stretch_ends(self, #splits)
  local race = { board = inner_scores.board(self, 0),
    level = racing.level(self.error, #live, n_looks) }
  local rounds, raced, first = {}, live, 1
  local counted, reason
  for i, last in ipairs(ends) do
    race.board.n_folds = last
    inner_scores.run(race.board, self, live, { splits = splits, first = first, last = last }, seed)
    first = last + 1
    local found
    found, counted, reason = inner_scores.entries(race.board, self, live)
    local leader
    raced = live
    live = without_failures(race.board, live, found, entries)
    if i <= n_looks then live, leader = drop_losers(self, race, live, found, counted) end
    rounds[i] = { folds = last, candidates = #raced, left = #live,
      leader = leader and self.candidates[leader].name }
    if #live <= 1 then break end
  end
  detail.rounds, detail.looks, detail.error, detail.level = rounds, n_looks, self.error, race.level
  -- If the last ones failed, they say why; who was dropped before does not come back.
  return { entries = entries, places = #live > 0 and live or raced, board = race.board,
    folds = counted, reason = reason, detail = detail }
end

function race_search.new(given) return search.new(kind, given) end

return race_search
