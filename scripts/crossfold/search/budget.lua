-- What a search may cost, said before it runs: budget = { cells = 2000 }, { evaluations = 50 } or { seconds = 60 }.
--   cells    one cell is one candidate on one inner fold. Candidates are cut off, the last first, until
--            the cells that are planned fit. Reproducible.
--   evaluations  the same for candidates.
--   seconds  candidates are evaluated in rounds, in their order, and no round is started after that
--            time. Which candidates that were depends on the machine and on what else runs: not
--            reproducible, so the inner table says who was left out.
local native = require "crossfold.native"
local inner_scores = require "crossfold.search.inner_scores"
local options = require "crossfold.options"

local search_budget = {}

local declared = options.declare("SearchBudget", {
  cells = { "integer", doc = "Maximum number of cells that are planned." },
  evaluations = { "integer", doc = "Maximum number of candidates." },
  seconds = { "number", doc = "Time after which no round is started, in grid_search and random_search." },
})

-- The budget of an option, or an empty one. `may_time`: whether seconds are possible.
function search_budget.check(given, may_time, what)
  if given == nil then return {} end
  local budget = options.check(what .. ": option 'budget'", given, declared)
  local name = options.one_of(what .. ": option 'budget'", budget, { "cells", "evaluations", "seconds" })
  local amount = budget[name]
  if not (amount > 0 and amount < math.huge) then
    native.fail("%s: option 'budget': %s = %s is out of range; use a number above 0", what, name,
      native.format_number(amount))
  end
  if budget.seconds and not may_time then
    native.fail("%s: option 'budget': seconds are for grid_search and random_search; give cells", what)
  end
  return budget
end

-- The number of candidates that a search may evaluate.
function search_budget.count(search) return search.evaluations or #search.candidates end

-- How many of the first candidates a search can pay for on `n_folds` inner folds.
function search_budget.affordable(search, n_folds)
  local cells, n = search.budget.cells, math.min(search_budget.count(search), search.budget.evaluations or math.huge)
  if not cells then return n end
  while n > 0 and search:cells_for(n, n_folds) > cells do n = n - 1 end
  if n == 0 then
    native.fail("cannot search within %d cells: the first candidate alone needs %d; raise the budget", cells,
      search:cells_for(1, n_folds))
  end
  return n
end

-- "the budget is 20 cells", of a budget that is not in seconds.
function search_budget.text(search)
  local budget = search.budget
  return ("the budget is %d %s"):format(budget.cells or budget.evaluations, budget.cells and "cells" or "evaluations")
end

-- The places of the candidates that a search can pay for, and the entries of those that it cannot. If
-- there are such, `detail.stopped` says so.
function search_budget.places(search, n_folds, detail)
  local n = search_budget.affordable(search, n_folds)
  local places, entries = {}, {}
  for c = 1, n do places[c] = c end
  for c = n + 1, #search.candidates do
    entries[c] = inner_scores.skipped(search, c, "not evaluated: " .. search_budget.text(search))
  end
  if n < #search.candidates then
    detail.stopped = ("%d of %d candidates: %s"):format(n, #search.candidates, search_budget.text(search))
  end
  return places, entries
end

return search_budget
