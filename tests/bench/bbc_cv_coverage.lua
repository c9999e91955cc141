-- How good the corrected score of a search is, and how often the confidence set holds the best candidate, on simulated
-- predictions whose true accuracies are known:
--   crossfold run tests/bench/bbc_cv_coverage.lua [data sets of each row] [simulation]
-- Results of a run: bbc_cv_coverage.md. The simulation is that of Tsamardinos, Greasidou and Borboudakis 2018, section
-- 5.1: candidates have true accuracies, each row of each candidate is right with that probability, and the search
-- takes the candidate with the best mean. Beta: accuracies from Beta(9, 6), rows independent, as in the paper. Equal:
-- all accuracies 0.8. Shared: Beta(9, 6), and in 70 % of the cases a row is right by a number that all candidates
-- share, so that candidates mostly fail in the same rows, as real ones do.
local native = require "crossfold.native"
local cf = require "crossfold"
local confidence_set = require "crossfold.search.confidence_set"
local corrected = require "crossfold.search.corrected"

local data_sets = math.tointeger(tonumber(arg[1] or 1000))
local samples, folds = 300, 10
local accuracy = cf.metric("accuracy")

local function gamma(shape)
  local sum = 0
  for _ = 1, shape do sum = sum - math.log(1 - math.random()) end
  return sum
end

local function beta(a, b)
  local x = gamma(a)
  return x / (x + gamma(b))
end

local worlds = {
  beta = { accuracy = function() return beta(9, 6) end, shared = 0 },
  equal = { accuracy = function() return 0.8 end, shared = 0 },
  shared = { accuracy = function() return beta(9, 6) end, shared = 0.7 },
}

-- The rows that a candidate is right in, as labels: all rows are of class "right".
local function labels_of(p, common, share)
  local labels = {}
  for i, u in ipairs(common) do
    if math.random() >= share then u = math.random() end
    labels[i] = u < p and "right" or "wrong"
  end
  return labels
end

-- What a search would have kept of n rows and n_candidates candidates, and the true accuracies.
local function simulate(world, data, splits, n, n_candidates)
  local predictions, common = native.inner_predictions(splits, false), {}
  for i = 1, n do common[i] = math.random() end
  local truths, entries, places, best = {}, {}, {}, 1
  for c = 1, n_candidates do
    truths[c], places[c] = world.accuracy(), c
    local labels, right = labels_of(truths[c], common, world.shared), 0
    for _, label in ipairs(labels) do right = right + (label == "right" and 1 or 0) end
    entries[c] = { candidate = "c" .. c, params = {}, mean = right / n }
    if entries[c].mean > entries[best].mean then best = c end
    for fold = 1, folds do
      local of_fold, test = {}, splits:test(fold)
      for i, row in ipairs(test:row_ids()) do of_fold[i] = labels[row] end
      predictions:add(c, fold, native.prediction(test, { labels = of_fold }, data))
    end
  end
  return { search = { metrics = { accuracy }, rule = { choose = "best" } }, entries = entries, places = places,
    board = { predictions = predictions, splits = splits }, direction = 1, n_dropped = 0, place = best }, truths
end

local function dataset(n)
  local values, truth = {}, {}
  for i = 1, n do values[i], truth[i] = i, "right" end
  return cf.dataset { name = "simulated", target = "y", columns = { { name = "x", values = values },
    { name = "y", values = truth, levels = { "right", "wrong" } } } }
end

local function covers(found, truth) return found.low <= truth and truth <= found.high end

-- One line of the table.
local function row(name, n, n_candidates)
  math.randomseed(cf.seed(20180723, name, n, n_candidates))
  local world, data = worlds[name], dataset(n)
  local splits = cf.split(cf.splitter("kfold", { folds = folds }), data, { seed = 1 })
  local sums = { optimistic = 0, corrected = 0, percentile = 0, rescaled = 0, in_set = 0, size = 0 }
  local function add(key, x) sums[key] = sums[key] + x end
  for d = 1, data_sets do
    local source, truths = simulate(world, data, splits, n, n_candidates)
    local truth, best = truths[source.place], 1
    for c, p in ipairs(truths) do if p > truths[best] then best = c end end
    local o = { confidence = 0.95, samples = samples, seed = d }
    local paper = corrected.of(source, o)
    -- Of n rows about q n are left out, a draw without replacement: the variances of the means are (1 - q) / (q n) and
    -- 1 / n times that of a row.
    local q = (1 - 1 / n) ^ n
    local ratio = math.sqrt((1 - q) / q)
    local narrow = { low = paper.value - (paper.value - paper.low) / ratio,
      high = paper.value + (paper.high - paper.value) / ratio }
    add("optimistic", paper.pooled - truth)
    add("corrected", paper.value - truth)
    add("percentile", covers(paper, truth) and 1 or 0)
    add("rescaled", covers(narrow, truth) and 1 or 0)
    local set = confidence_set.of(source, { confidence = 0.95, samples = samples, seed = d })
    add("in_set", set.candidates[best].in_set and 1 or 0)
    add("size", #set.set)
    if d % 50 == 0 then collectgarbage() end
  end
  local function mean(key, digits) return cf.format_number(sums[key] / data_sets, digits) end
  print(("| %s | %d | %d | %s | %s | %s | %s | %s | %s |"):format(name, n, n_candidates, mean("optimistic", 4),
    mean("corrected", 4), mean("percentile", 3), mean("rescaled", 3), mean("in_set", 3), mean("size", 1)))
  io.stdout:flush()
end

print("| simulation | rows | candidates | bias of the inner mean | bias corrected | cover 95 % | rescaled | "
  .. "best in set | size of the set |")
print("|---|---|---|---|---|---|---|---|---|")
for _, name in ipairs(arg[2] and { arg[2] } or { "beta", "equal", "shared" }) do
  for _, size in ipairs { { 40, 20 }, { 100, 50 } } do row(name, size[1], size[2]) end
end
