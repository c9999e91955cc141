-- Is a search that learns better than a random one? On the twenty data sets of tests/scripts/search/twenty_sets.lua,
-- 50 evaluations each:
--   crossfold run tests/bench/model_search.lua PROBLEM [runs of each search] [first data set] [last data set]
-- PROBLEM is svm or choice, see twenty_sets.lua. Results of a run: model_search.md.
--
-- Half of at most 200 rows are searched with 3 inner folds, the other half are the test. All searches of a run have the
-- same seed, and so the same inner folds and the same first 10 candidates.
--
-- Regret of a search: (score - best) / (median - best), where the best score is that of all searches of all runs
-- on the data set, and the median that of all candidates of the random searches: 0 is the best that was found, 1 a
-- setting drawn at random.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/../scripts/search/?.lua;" .. package.path
local cf = require "crossfold"
local twenty_sets = require "twenty_sets"

local problem = twenty_sets.problems[arg[1]]
local runs, first, last = tonumber(arg[2] or 3), tonumber(arg[3] or 1), tonumber(arg[4] or 20)
local kinds = { "random", "tpe", "random_forest" }
local inner = cf.splitter("kfold", { folds = 3 })

local function every_second(data, from)
  local rows = {}
  for i = from, #data, 2 do rows[#rows + 1] = i end
  return data:select(rows)
end

local function search(kind, metric, seed)
  local options = { learner = problem.learner, space = problem.space, splitter = inner, metric = metric,
    candidates = 50, seed = seed }
  if kind == "random" then return cf.random_search(options) end
  options.surrogate = kind
  return cf.model_search(options)
end

local function median(values)
  table.sort(values)
  return values[(#values + 1) // 2]
end

-- Inner and test scores, lower is better, of all searches on one data set: { kind = { list, list } }, and the scores of
-- the candidates of the random searches.
local function scores_on(data)
  local metric = problem[data:task()]
  local sign = metric == "accuracy" and -1 or 1
  local train, test = every_second(data, 1), every_second(data, 2)
  local scores, drawn = {}, {}
  for _, kind in ipairs(kinds) do scores[kind] = { {}, {} } end
  for run = 1, runs do
    for _, kind in ipairs(kinds) do
      local model, detail = search(kind, metric, run):fit(train, { seed = run })
      scores[kind][1][run] = sign * detail.mean
      scores[kind][2][run] = sign * cf.score { prediction = model:predict(test), metrics = metric }[metric]
      for _, entry in ipairs(kind == "random" and detail.inner or {}) do
        if entry.mean then drawn[#drawn + 1] = sign * entry.mean end
      end
    end
  end
  return scores, drawn
end

local function mean(values)
  local sum = 0
  for _, value in ipairs(values) do sum = sum + value end
  return sum / #values
end

-- Mean regrets of each kind: by the inner scores and by those of the test rows.
local function regrets_on(data)
  local scores, drawn = scores_on(data)
  local worst, regrets = median(drawn), {}
  local best = { math.huge, math.huge }
  for _, kind in ipairs(kinds) do
    for part = 1, 2 do
      for _, score in ipairs(scores[kind][part]) do best[part] = math.min(best[part], score) end
    end
  end
  for _, kind in ipairs(kinds) do
    regrets[kind] = {}
    for part = 1, 2 do
      regrets[kind][part] = (mean(scores[kind][part]) - best[part]) / (worst - best[1])
    end
  end
  return regrets
end

local totals, differences = {}, { tpe = { {}, {} }, random_forest = { {}, {} } }
for _, kind in ipairs(kinds) do totals[kind] = { {}, {} } end
print("| data set | rows | random | tpe | random_forest | random, test | tpe, test | random_forest, test |")
print("|---|---|---|---|---|---|---|---|")
local sets = twenty_sets.all(here .. "/../../scripts/data", 200)
for i = first, last do
  local data = sets[i]
  local regrets, line = regrets_on(data), { data:name() .. (data:task() == "regression" and " (numbers)" or ""), #data }
  for part = 1, 2 do
    for _, kind in ipairs(kinds) do
      line[#line + 1] = cf.format_number(regrets[kind][part], 3)
      table.insert(totals[kind][part], regrets[kind][part])
      if kind ~= "random" then
        table.insert(differences[kind][part], regrets.random[part] - regrets[kind][part])
      end
    end
  end
  print("| " .. table.concat(line, " | ") .. " |")
end

for part, name in ipairs { "inner scores", "test scores" } do
  for _, kind in ipairs(kinds) do
    local text = ("mean regret by %s, %s: %s"):format(name, kind, cf.format_number(mean(totals[kind][part]), 3))
    if kind ~= "random" and first < last then
      local better, worse = 0, 0
      for _, d in ipairs(differences[kind][part]) do
        if d > 1e-9 then better = better + 1 elseif d < -1e-9 then worse = worse + 1 end
      end
      local test = cf.stats.wilcoxon(differences[kind][part])
      text = ("%s; better than random on %d, worse on %d of %d; Wilcoxon signed ranks, two-sided p = %s"):format(text,
        better, worse, #totals[kind][part], test.p and cf.format_number(test.p, 4) or test.undefined)
    end
    print(text)
  end
end
