-- A search that learns from the scores of the settings that it has tried, next to a random search with the same number
-- of settings; and Hyperband, which tries many settings with few boosting rounds.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local data = cf.read(here .. "/../data/breast_cancer.csv", { target = "class" })

--###begin searches
local inner = cf.splitter("kfold", { folds = 3, stratify = true })
local either = cf.pipeline { "standardize", cf.choice { near = "knn", tree = "decision_tree" } }
local space = {
  choice = { "near", "tree" },
  ["near.k"] = { low = 1, high = 60, scale = "log" }, ["near.distance"] = { "manhattan", "euclidean", "minkowski" },
  ["near.p"] = { low = 1, high = 8 },          -- has an effect with Minkowski's distance only
  ["tree.max_depth"] = { low = 1, high = 12 }, ["tree.min_leaf"] = { low = 1, high = 50 },
}
local learns = cf.model_search {
  learner = either, space = space, splitter = inner, metric = "brier",
  candidates = 40, seed = 3,                   -- 10 drawn, then batches of 4
}
local random = cf.random_search {
  learner = either, space = space, splitter = inner, metric = "brier", candidates = 40, seed = 3,
}
--###end searches

local outer = cf.splitter("kfold", { folds = 3, stratify = true })
print(learns:plan(data, { splitter = outer }))
local result = cf.evaluate {
  data = data, learners = { learns = learns, random = random }, splitter = outer, metrics = "brier", seed = 42,
}
print(result)
print(result:tuning("learns"))

--###begin trials
-- The best mean after some numbers of candidates. The random search drew some settings twice, which count once.
local function best_so_far(learner)
  local best, texts = math.huge, {}
  local inner_table = result:tuning(learner)[1].inner
  for i, entry in ipairs(inner_table) do
    best = math.min(best, entry.mean or math.huge)
    if i % 10 == 0 or i == #inner_table then texts[#texts + 1] = ("%d: %s"):format(i, cf.format_number(best, 4)) end
  end
  return table.concat(texts, "  ")
end
print("\nbest inner Brier score so far, in the first outer fold")
print("  learns  " .. best_so_far("learns"))
print("  random  " .. best_so_far("random"))
--###end trials

--###begin hyperband
local hyperband = cf.hyperband {
  learner = "adaboost", space = { max_depth = { low = 1, high = 6 }, learning_rate = { low = 0.01, high = 2 } },
  resource = "rounds", min_resource = 2, max_resource = 54, splitter = inner, metric = "brier", seed = 1,
}
print(hyperband:plan(data))
local _, found = hyperband:fit(data, { seed = 1 })
for b, rounds in ipairs(found.brackets) do
  local texts = {}
  for r, round in ipairs(rounds) do texts[r] = ("%d with %d rounds"):format(round.candidates, round.resource) end
  print(("  bracket %d: %s"):format(b, table.concat(texts, ", ")))
end
print("chosen: " .. found.candidate)
--###end hyperband
