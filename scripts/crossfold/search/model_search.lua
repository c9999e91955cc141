-- A search that learns: it begins as a random search, and then a model of the scores so far, the surrogate, says where
-- the next batch of candidates may be better.
--
--   cf.model_search{
--     learner    = cf.learner("libsvm"),
--     space      = { c = { low = 1e-3, high = 1e3 }, gamma = { low = 1e-4, high = 10 }, kernel = { "rbf", "linear" } },
--     candidates = 60, initial = 10, batch = 4, surrogate = "tpe",
--     splitter   = cf.splitter("kfold", { folds = 10, stratify = true }), metric = "accuracy",
--   }
--
-- The candidates of a batch are proposed together, before any of them is evaluated, and run at the same time. The batch
-- does not depend on the number of workers, so neither do the candidates. A resumed run proposes the same ones again,
-- because each follows from the seed and from the scores before it, and finds their cells in the store.
--
-- A candidate that fails counts as bad, and cannot be chosen. Surrogates, and which candidate comes next:
-- search/proposals.lua, search/forest.lua.
local native = require "crossfold.native"
local candidates = require "crossfold.search.candidates"
local inner_scores = require "crossfold.search.inner_scores"
local options = require "crossfold.options"
local proposals = require "crossfold.search.proposals"
local search = require "crossfold.search.search"
local search_budget = require "crossfold.search.budget"
local search_space = require "crossfold.search.space"
local selection = require "crossfold.search.selection"

local model_search = {}

local kind = { name = "model_search", at_most = true, may_ask = true }
kind.options = candidates.declare(kind.name, {
  space = options.joined(candidates.options.space, { "table!" }),
  candidates = { "integer", doc = "Number of settings that are evaluated; default that of the budget, or 60." },
  initial = { "integer", 10, doc = "Number of settings that are drawn before the surrogate proposes any." },
  batch = { "integer", 4, doc = "Number of settings that are proposed and evaluated at the same time." },
  surrogate = { "string", "tpe", words = options.sorted_keys(proposals.surrogates),
    doc = "The model of the scores: Parzen estimators, or a random forest with expected improvement." },
  seed = candidates.options.seed,
})

function kind.cells_for(_, n, n_folds) return n * n_folds end

function kind.setup(self, o)
  for _, name in ipairs { "initial", "batch" } do
    if o[name] < 1 then native.fail("model_search: %s = %d is out of range; use 1 or more", name, o[name]) end
  end
  o.candidates = o.candidates or self.budget.evaluations or 60
  self.base, self.dimensions = self.learner, search_space.check(self.learner, o.space, kind.name)
  self.evaluations, self.initial, self.batch = o.candidates, o.initial, o.batch
  self.surrogate, self.seed = o.surrogate, o.seed or native.defaults().seed
end

-- The candidates that random_search would try are checked; the first of them are where the search begins.
function kind.finish(self, o)
  self.draws, self.of_rule = nil, o
end

-- Adds the candidates of one batch to the list `trials`, and returns their places.
local function add_batch(self, trials, n)
  local places = {}
  for _ = 1, math.min(#trials < self.initial and self.initial - #trials or self.batch, n - #trials) do
    local candidate = proposals.next(self, trials)
    if not candidate then break end
    trials[#trials + 1] = candidate
    places[#places + 1] = #trials
  end
  return places
end

function kind.explore(self, data, seed)
  local splits, detail = self:splits(data, seed), { surrogate = self.surrogate, initial = self.initial }
  local n = search_budget.affordable(self, #splits)
  local trials, places = {}, {}
  local mine = setmetatable({ candidates = trials }, { __index = self })
  local board = inner_scores.board(mine, #splits)
  local folds = { splits = splits, first = 1, last = #splits }
  local entries, counted, reason
  while #trials < n do
    local batch = add_batch(self, trials, n)
    if #batch == 0 then break end
    table.move(batch, 1, #batch, #places + 1, places)
    inner_scores.add_rows(board, mine)
    inner_scores.run(board, mine, batch, folds, seed)
    entries, counted, reason = inner_scores.entries(board, mine, places)
    for c, trial in ipairs(trials) do
      trial.score, trial.failed = entries[c].mean, entries[c].mean == nil
    end
  end
  if #trials < n then detail.stopped = ("the space has no more than %d settings"):format(#trials) end
  if n < self.evaluations then
    detail.stopped = ("%d of %d candidates: %s"):format(n, self.evaluations, search_budget.text(self))
  end
  return { entries = entries, places = places, board = board, folds = counted, reason = reason, detail = detail,
    candidates = trials, rule = selection.rule(self.of_rule, trials, kind.name) }
end

function model_search.new(given) return search.new(kind, given) end

return model_search
