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
local candidates = require "crossfold.search.candidates"
local full_search = require "crossfold.search.full_search"
local options = require "crossfold.options"
local search = require "crossfold.search.search"

local grid_search = {}

local kind = {
  name = "grid_search", may_time = true, may_ask = true,
  options = candidates.declare("grid_search", {
    grid = options.joined(candidates.options.grid, { "table!" }), inactive = candidates.options.inactive,
  }),
  cells_for = full_search.cells_for, explore = full_search.explore,
}

function grid_search.new(given) return search.new(kind, given) end

return grid_search
