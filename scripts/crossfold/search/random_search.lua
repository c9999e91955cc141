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
local candidates = require "crossfold.search.candidates"
local full_search = require "crossfold.search.full_search"
local options = require "crossfold.options"
local search = require "crossfold.search.search"

local random_search = {}

local kind = {
  name = "random_search", may_time = true, may_ask = true,
  options = candidates.declare("random_search", {
    space = options.joined(candidates.options.space, { "table!" }),
    candidates = candidates.options.candidates, seed = candidates.options.seed,
  }),
  cells_for = full_search.cells_for, explore = full_search.explore,
}

function random_search.new(given) return search.new(kind, given) end

return random_search
