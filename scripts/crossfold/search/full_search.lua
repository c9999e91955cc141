-- Searches that evaluate every candidate on every inner fold: cf.grid_search and cf.random_search.
local native = require "crossfold.native"
local candidates = require "crossfold.search.candidates"
local inner_scores = require "crossfold.search.inner_scores"
local options = require "crossfold.options"
local search = require "crossfold.search.search"
local search_budget = require "crossfold.search.budget"

local full_search = {}

-- Cells that one round of a search with a budget in seconds has at least, so that several cores have
-- work.
local cells_of_round = 32

local function cells_for(_, n, n_folds) return n * n_folds end

-- Evaluates candidates in their order until the time is up. Returns the places of those evaluated.
local function run_in_rounds(one, board, places, folds, seed)
  local start, done = native.seconds(), {}
  local step = math.max(1, cells_of_round // folds.last)
  while #done < #places and (#done == 0 or native.seconds() - start < one.budget.seconds) do
    local round = table.move(places, #done + 1, math.min(#places, #done + step), 1, {})
    inner_scores.run(board, one, round, folds, seed)
    table.move(round, 1, #round, #done + 1, done)
  end
  return done
end

-- As run_in_rounds; those that are left out get an entry that says so, and the detail, too.
local function run_for_seconds(one, board, places, folds, seed, entries, detail)
  local done = run_in_rounds(one, board, places, folds, seed)
  local seconds = native.format_number(one.budget.seconds)
  for i = #done + 1, #places do
    entries[places[i]] = inner_scores.skipped(one, places[i], ("not evaluated: the budget is %s s"):format(seconds))
  end
  if #done < #places then
    detail.stopped = ("stopped after %d of %d candidates: %s s"):format(#done, #places, seconds)
  end
  return done
end

local function explore(one, data, seed)
  local splits, detail = one:splits(data, seed), {}
  local places, entries = search_budget.places(one, #splits, detail)
  local board = inner_scores.board(one, #splits)
  local folds = { splits = splits, first = 1, last = #splits }
  if one.budget.seconds then
    places = run_for_seconds(one, board, places, folds, seed, entries, detail)
  else
    inner_scores.run(board, one, places, folds, seed)
  end
  local found, counted, reason = inner_scores.entries(board, one, places)
  for c, entry in pairs(found) do entries[c] = entry end
  return { entries = entries, places = places, board = board, folds = counted, reason = reason,
    detail = detail }
end

-- Grid search with internal cross-validation: a learner whose fit tries every setting of a grid by
-- cross-validation inside its training rows and keeps the best one.
--
--   cf.grid_search{
--     learner  = cf.learner("knn"),
--     grid     = { k = {1, 3, 5}, distance = {"manhattan", "euclidean"} },
--     splitter = cf.splitter("kfold", { folds = 10, stratify = true }),
--     metric   = "accuracy",
--   }
--
-- The order of the candidates: search/candidates.lua. Their scores: search/inner_scores.lua. Which one is taken:
-- search/selection.lua. If no candidate is left, the search fails.
local grid_kind = {
  name = "grid_search", may_time = true, may_ask = true,
  options = candidates.declare("grid_search", {
    grid = options.joined(candidates.options.grid, { "table!" }), inactive = candidates.options.inactive,
  }),
  cells_for = cells_for, explore = explore,
}

function full_search.grid(given) return search.new(grid_kind, given) end

-- Random search (Bergstra and Bengio 2012, "Random search for hyper-parameter optimization"): as a grid
-- search, but over settings that are drawn.
--
--   cf.random_search{
--     learner    = cf.learner("libsvm"),
--     space      = { C = { low = 1e-3, high = 1e3, scale = "log" }, kernel = { "rbf", "linear" } },
--     candidates = 60,
--     splitter   = cf.splitter("kfold", { folds = 10, stratify = true }),
--     metric     = "accuracy",
--   }
--
-- The settings are drawn once, when the search is made, with its own `seed`: all outer folds search
-- the same candidates, and what is chosen can be compared. Draw i is the same however many there are.
local random_kind = {
  name = "random_search", may_time = true, may_ask = true,
  options = candidates.declare("random_search", {
    space = options.joined(candidates.options.space, { "table!" }),
    candidates = candidates.options.candidates, seed = candidates.options.seed,
  }),
  cells_for = cells_for, explore = explore,
}

function full_search.random(given) return search.new(random_kind, given) end

return full_search
