-- Evaluates every candidate on every inner fold, for grid_search and random_search.
local native = require "crossfold.native"
local inner_scores = require "crossfold.search.inner_scores"
local search_budget = require "crossfold.search.budget"

local full_search = {}

-- Cells that one round of a search with a budget in seconds has at least, so that several cores have
-- work.
local cells_of_round = 32

function full_search.cells_for(_, n, n_folds) return n * n_folds end

-- Evaluates candidates in their order until the time is up. Returns the places of those evaluated.
local function run_in_rounds(search, board, places, folds, seed)
  local start, done = native.seconds(), {}
  local step = math.max(1, cells_of_round // folds.last)
  while #done < #places and (#done == 0 or native.seconds() - start < search.budget.seconds) do
    local round = table.move(places, #done + 1, math.min(#places, #done + step), 1, {})
    inner_scores.run(board, search, round, folds, seed)
    table.move(round, 1, #round, #done + 1, done)
  end
  return done
end

-- As run_in_rounds; those that are left out get an entry that says so, and the detail, too.
local function run_for_seconds(search, board, places, folds, seed, entries, detail)
  local done = run_in_rounds(search, board, places, folds, seed)
  local seconds = native.format_number(search.budget.seconds)
  for i = #done + 1, #places do
    entries[places[i]] = inner_scores.skipped(search, places[i],
      ("not evaluated: the budget is %s s"):format(seconds))
  end
  if #done < #places then
    detail.stopped = ("stopped after %d of %d candidates: %s s"):format(#done, #places, seconds)
  end
  return done
end

function full_search.explore(search, data, seed)
  local splits, detail = search:splits(data, seed), {}
  local places, entries = search_budget.places(search, #splits, detail)
  local board = inner_scores.board(search, #splits)
  local folds = { splits = splits, first = 1, last = #splits }
  if search.budget.seconds then
    places = run_for_seconds(search, board, places, folds, seed, entries, detail)
  else
    inner_scores.run(board, search, places, folds, seed)
  end
  local found, counted, reason = inner_scores.entries(board, search, places)
  for c, entry in pairs(found) do entries[c] = entry end
  return { entries = entries, places = places, board = board, folds = counted, reason = reason,
    detail = detail }
end

return full_search
