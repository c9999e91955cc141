local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestVariance = {}

local function uniform(...) return ((cf.seed(20, ...) >> 11) + 0.5) * 2.0 ^ -53 end

local function normal(...)
  return math.sqrt(-2 * math.log(uniform("a", ...))) * math.cos(2 * math.pi * uniform("b", ...))
end

local iris = fixtures.iris()

local function ledger_of(changes)
  local o = fixtures.with({ data = iris, learner = "decision_tree", metric = "accuracy", seed = 7 }, changes)
  if o.learners then o.learner = nil end
  if o.datasets then o.data = nil end
  return cf.variance(o)
end

local function message(changes) return fixtures.message(ledger_of, changes) end

local mean_prediction = cf.metric { name = "mean prediction", direction = "higher", score = function(_, predicted)
  local sum = 0
  for _, value in ipairs(predicted) do sum = sum + value end
  return sum / #predicted
end }

local sds = { data = 0.05, split = 0.03, seed = 0.02 }

-- A dataset whose column "effect" is drawn, of 8 rows.
local function sample(i)
  local effect, y = {}, {}
  for row = 1, 8 do effect[row], y[row] = sds.data * normal("data", i), row end
  return cf.dataset { name = "sample", target = "y", columns = { { name = "effect", values = effect },
    { name = "y", values = y } } }
end

-- Predicts 0.8 and what the dataset, the training rows and the seed of the fit add to it.
local planted = cf.learner {
  name = "planted",
  fit = function(data, context)
    local split = sds.split * normal("split", data:column("effect")[1] * 1e6 // 1 | 0, table.unpack(data:row_ids()))
    return 0.8 + data:column("effect")[1] + split + sds.seed * normal("seed", context.seed)
  end,
  predict = function(value, rows) return fixtures.repeated(value, #rows) end,
}

local function samples(n)
  local list = {}
  for i = 1, n do list[i] = sample(i) end
  return list
end

function TestVariance:test_planted_components_are_found_again()
  fixtures.skip_if_sanitized()
  local ledger = cf.variance { datasets = samples(60), learner = planted, metric = mean_prediction,
    sources = { split = 5, seed = 4 }, splitter = cf.splitter("holdout", { test_share = 0.5 }), seed = 3 }
  local rows = ledger:rows()
  lu.assertEquals(#rows, 3)
  for _, row in ipairs(rows) do
    local truth = sds[row.source] ^ 2
    lu.assertTrue(row.low < truth and truth < row.high, row.source)
    lu.assertAlmostEquals(row.estimate / truth, 1, 0.35)
  end
  lu.assertAlmostEquals(rows[1].share + rows[2].share + rows[3].share, 1, 1e-12)
  local scores = fixtures.column(ledger:scores(), "value")
  local components = cf.stats.variance_components { scores = scores, units = { 60, 5, 4 } }.components
  for s, row in ipairs(rows) do lu.assertEquals(row.estimate, components[s].estimate) end
end

-- Snedecor and Cochran 1967, 10.17; the numbers of the C++ test.
function TestVariance:test_a_hand_computed_analysis_of_variance()
  local found = cf.stats.variance_components { names = { "plant", "leaf" }, units = { 4, 3, 2 }, scores = { 3.28, 3.09,
    3.52, 3.48, 2.88, 2.80, 2.46, 2.44, 1.87, 1.92, 2.19, 2.19, 2.77, 2.66, 3.74, 3.44, 2.55, 2.55, 3.78, 3.87, 4.07,
    4.12, 3.31, 3.31 } }
  local seen = {}
  for i, c in ipairs(found.components) do
    seen[i] = ("%s %d %.4f %.4f"):format(c.source, c.df, c.mean_square, c.estimate)
  end
  lu.assertEquals(seen, { "plant 3 2.5201 0.3652", "leaf 8 0.3288 0.1611", "source 3 12 0.0067 0.0067" })
end

function TestVariance:test_a_negative_estimate_counts_as_zero_and_is_said()
  local found = cf.stats.variance_components { scores = { 0, 2, 2, 0 }, units = { 2, 2 } }
  local first = found.components[1]
  lu.assertEquals({ first.estimate, first.variance, first.sd, first.share, first.note }, { -1, 0, 0, 0,
    "the estimate is negative, which stands for a small variance or none" })
  lu.assertEquals(found.total, 2)
  local equal = cf.stats.variance_components { scores = { 1, 1, 1, 1 }, units = { 2, 2 } }
  lu.assertNil(equal.components[1].share)
  lu.assertEquals(equal.undefined, "no score differs from another, so there are no shares")
end

function TestVariance:test_a_deterministic_learner_has_no_variance_of_the_seed_and_the_ledger_says_so()
  local ledger = ledger_of { sources = { split = 4, seed = 3 } }
  local seed = ledger:rows()[2]
  lu.assertEquals({ seed.source, seed.estimate, seed.low, seed.high }, { "seed", 0, 0, 0 })
  lu.assertEquals(seed.note, "'decision_tree' gives the same score for every seed, so its component is 0")
  lu.assertStrContains(ledger:sentence(), "'decision_tree' gives the same score for every seed, so its component is 0.")
  lu.assertStrContains(tostring(ledger), "split: 4, seed: 3 in each; held fixed: data")
end

function TestVariance:test_the_same_for_any_workers_and_out_of_a_store()
  local o = { learner = "random_forest", sources = { data = 3, split = 2, seed = 2 }, workers = 1 }
  local one = ledger_of(o)
  local path = fixtures.new_store()
  o.workers, o.store = 4, path
  local four = ledger_of(o)
  local before = cf.store_status(path).computed
  local again = ledger_of(o)
  local after = cf.store_status(path)
  fixtures.remove_store(path)
  lu.assertEquals(four:scores(), one:scores())
  lu.assertEquals(tostring(again), tostring(one))
  lu.assertEquals(after.computed, before)
end

function TestVariance:test_all_fits_are_planned_as_one_batch()
  local plan = cf.plan(function() ledger_of { sources = { data = 5, split = 3, seed = 2 } } end)
  lu.assertEquals(plan.fits_asked, 30)
end

function TestVariance:test_the_number_of_a_draw_says_which_scores_share_it()
  local ledger = ledger_of { sources = { data = 2, split = 2 } }
  local rows = ledger:scores()
  local places = {}
  for i, row in ipairs(rows) do places[i] = { row.data, row.split, row.seed } end
  lu.assertEquals(places, { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 2, 2 } })
end

-- Notes the rows that it is fitted on and those that it predicts.
local function recorder(seen)
  return cf.learner {
    name = "recorder",
    fit = function(data)
      seen[#seen + 1] = { train = data:row_ids() }
      return seen[#seen]
    end,
    predict = function(entry, rows)
      entry.test = rows:row_ids()
      return fixtures.repeated("setosa", #rows)
    end,
  }
end

function TestVariance:test_copies_of_a_row_are_on_one_side_and_samples_have_the_rows_of_the_data()
  local seen = {}
  ledger_of { learner = recorder(seen), sources = { data = 3, split = 2 } }
  lu.assertEquals(#seen, 6)
  for _, entry in ipairs(seen) do
    lu.assertEquals(#entry.train + #entry.test, 150)
    local trained, copies = {}, 0
    for _, id in ipairs(entry.train) do
      if trained[id] then copies = copies + 1 end
      trained[id] = true
    end
    lu.assertTrue(copies > 10)
    for _, id in ipairs(entry.test) do lu.assertNil(trained[id]) end
  end
end

function TestVariance:test_groups_are_drawn_as_a_whole()
  local x, y, group = {}, {}, {}
  for i = 1, 40 do x[i], y[i], group[i] = i, i % 2 == 0 and "even" or "odd", "g" .. (i - 1) // 4 end
  local data = cf.dataset { name = "grouped", target = "y", groups = "group", columns = {
    { name = "x", values = x }, { name = "y", values = y }, { name = "group", values = group } } }
  local seen, any = {}, 0
  local learner = cf.learner { name = "recorder", fit = function(rows)
    local counts = {}
    for _, g in ipairs(rows:column("group")) do counts[g] = (counts[g] or 0) + 1 end
    seen[#seen + 1] = counts
    return "odd"
  end, predict = function(model, rows) return fixtures.repeated(model, #rows) end }
  cf.variance { data = data, learner = learner, metric = "accuracy", sources = { data = 4 },
    splitter = cf.splitter("holdout", { test_share = 0.5 }) }
  for _, counts in ipairs(seen) do
    for _, count in pairs(counts) do
      lu.assertEquals(count % 4, 0)
      if count > 4 then any = any + 1 end
    end
  end
  lu.assertTrue(any > 0)
end

-- A search that takes the k that its seed says, and notes its seeds.
local function lottery(seeds)
  return setmetatable({ resolve = function(_, _, context)
    seeds[#seeds + 1] = context.seed
    return cf.learner("knn", { k = context.seed % 2 == 0 and 1 or 75 }), { cells = 3 }
  end }, { __tostring = function() return "lottery" end })
end

function TestVariance:test_a_search_is_tuned_once_for_all_seeds_of_the_fit()
  local seeds = {}
  local ledger = ledger_of { learner = lottery(seeds), sources = { split = 2, tuning = 6, seed = 2 } }
  lu.assertEquals(#seeds, 12)
  local known = {}
  for _, seed in ipairs(seeds) do
    lu.assertNil(known[seed])
    known[seed] = true
  end
  local tuning, seed = ledger:rows()[2], ledger:rows()[3]
  lu.assertTrue(tuning.estimate > 0)
  lu.assertEquals(seed.estimate, 0)
end

function TestVariance:test_tuning_of_a_learner_that_is_no_search_is_said_to_be_nothing()
  local ledger = ledger_of { learners = { a = lottery {}, b = "knn" }, sources = { split = 3, tuning = 2 } }
  lu.assertEquals(ledger:rows()[4].note,
    "'b' is not a search and has nothing to tune, so the expected component is 0")
end

-- Fails where a row is among the training rows.
local function fragile(id)
  return cf.learner { name = "fragile", fit = function(data)
    for _, one in ipairs(data:row_ids()) do
      if one == id then error("row " .. id .. " is there", 0) end
    end
    return data:target()[1]
  end, predict = function(model, rows) return fixtures.repeated(model, #rows) end }
end

function TestVariance:test_draws_with_a_failed_fit_are_left_out_and_said()
  local ledger = ledger_of { learner = fragile(1), sources = { data = 12, seed = 2 } }
  local row = ledger:summary()[1]
  lu.assertTrue(row.left_out > 0 and row.left_out < 11)
  lu.assertEquals(row.scores, (12 - row.left_out) * 2)
  lu.assertStrContains(ledger:sentence(), ("%d of 12 draws of data are left out, because a score is missing; the "
    .. "first: fold 1 failed at fit fragile: row 1 is there."):format(row.left_out))
  local none = ledger_of { learner = cf.learner { name = "broken", fit = function() error("no", 0) end,
    predict = function() end }, sources = { split = 3 } }
  lu.assertEquals(none:rows()[1].undefined,
    "0 of 3 draws of split have all scores; the first problem: fold 1 failed at fit broken: no")
  lu.assertStrContains(tostring(none), "The ledger of 'broken' is undefined: 0 of 3 draws of split have all scores")
end

function TestVariance:test_folds_of_a_score_are_averaged()
  local ledger = ledger_of { sources = { split = 2 }, splitter = cf.splitter("kfold", { folds = 3 }) }
  for _, row in ipairs(ledger:scores()) do  -- thirds of 50 rows each
    lu.assertAlmostEquals(row.value * 150 % 1, 0, 1e-9)
  end
end

-- Scores that say which learner wins: the value of the learner's name and of the training rows.
local function by_rows(name, value)
  return cf.learner { name = name, fit = function(data) return value(data) end, predict = function(model, rows)
    return fixtures.repeated(model, #rows)
  end }
end

local function two(first, second, n)
  return cf.variance { datasets = samples(n), metric = mean_prediction,
    learners = { a = by_rows("a", first), b = by_rows("b", second) }, sources = { split = 2 },
    splitter = cf.splitter("holdout", { test_share = 0.5 }) }
end

function TestVariance:test_a_learner_that_always_wins_has_the_interval_of_clopper_and_pearson()
  local found = two(function() return 1 end, function() return 0 end, 20):outperforming()
  lu.assertEquals({ found.probability, found.high, found.pairs, found.draws }, { 1, 1, 40, 20 })
  lu.assertAlmostEquals(found.low, 0.025 ^ (1 / 20), 1e-12)
  lu.assertEquals(tostring(found), "'a' gets the better mean prediction than 'b' with probability 1.00 (95 % "
    .. "interval 0.83 to 1.00, from 40 pairs in 20 draws of data): 'a' is better, and that may matter (its "
    .. "probability may exceed 0.75).")
  local other = two(function() return 0 end, function() return 1 end, 20):outperforming()
  lu.assertEquals(other.probability, 0)
  lu.assertEquals(other.verdict, "'b' is better, and that may matter (its probability may exceed 0.75)")
end

function TestVariance:test_ties_are_half_a_win_and_say_nothing()
  local found = two(function() return 1 end, function() return 1 end, 10):outperforming()
  lu.assertEquals({ found.probability, found.verdict }, { 0.5, "not shown which one is better" })
  lu.assertTrue(found.low < 0.25 and found.high > 0.75)
end

-- Each draw says all or nothing; t of 29 degrees of freedom from SciPy.
function TestVariance:test_the_interval_is_one_over_the_draws_of_the_first_source()
  local function sign(data) return data:column("effect")[1] > 0 and 1 or -1 end
  local ledger = two(sign, function() return 0 end, 30)
  local positive = 0
  for i = 1, 30 do positive = positive + (sample(i):column("effect")[1] > 0 and 1 or 0) end
  local found = ledger:outperforming()
  local p = positive / 30
  lu.assertAlmostEquals(found.probability, p, 1e-12)
  -- The score interval of a t half width h: (p - m)^2 <= h^2 m (1 - m) / (p (1 - p)).
  local h = 2.0452296421327034 * math.sqrt(p * (1 - p) * 30 / 29) / math.sqrt(30)
  for _, m in ipairs { found.low, found.high } do
    lu.assertAlmostEquals((p - m) ^ 2, h ^ 2 * m * (1 - m) / (p * (1 - p)), 1e-10)
  end
  lu.assertEquals(ledger:outperforming { first = "b", second = "a" }.probability, 1 - p)
end

function TestVariance:test_what_to_buy_follows_from_the_components()
  local ledger = cf.variance { datasets = samples(10), learner = planted, metric = mean_prediction,
    sources = { split = 3, seed = 2 }, splitter = cf.splitter("holdout", { test_share = 0.5 }), seed = 3 }
  local v = fixtures.column(ledger:rows(), "variance")
  local t9 = 2.2621571627982049
  local bought = ledger:buy { width = 0.04 }
  local now = 2 * t9 * math.sqrt(v[1] / 10 + v[2] / 30 + v[3] / 60)
  lu.assertAlmostEquals(bought.now, now, 1e-12)
  lu.assertEquals(bought.target, "the population of the datasets")
  lu.assertNil(bought.data)
  -- Infinitely many splits leave the datasets, infinitely many seeds also the splits.
  lu.assertEquals(bought.sources[1].floor, 0)
  lu.assertAlmostEquals(bought.sources[2].floor, 2 * t9 * math.sqrt(v[1] / 10), 1e-12)
  lu.assertAlmostEquals(bought.sources[3].floor, 2 * t9 * math.sqrt(v[1] / 10 + v[2] / 30), 1e-12)
  lu.assertNil(bought.sources[2].needed)
  lu.assertNil(bought.sources[3].needed)
  -- The cheapest plan fits each dataset once: one more or less of them is too wide or not needed.
  local plan = bought.cheapest
  lu.assertEquals({ plan.draws.split, plan.draws.seed, plan.fits }, { 1, 1, plan.draws.data })
  lu.assertTrue(plan.width <= 0.04)
  lu.assertTrue(plan.width * math.sqrt(plan.draws.data / (plan.draws.data - 1)) > 0.04 * 0.999)
  lu.assertStrContains(tostring(bought), "No number of seeds alone is enough: the width stays above ")
end

function TestVariance:test_samples_of_one_dataset_cannot_be_bought()
  local bought = ledger_of { learner = "random_forest", metric = "log_loss",
    sources = { data = 10, split = 2, seed = 2 } }:buy { width = 0.05 }
  lu.assertEquals(bought.target, "this data set of 150 rows")
  lu.assertEquals({ bought.sources[1].source, bought.sources[2].source, bought.sources[3] }, { "split", "seed" })
  lu.assertAlmostEquals(bought.data.width, 2 * 1.959963984540054 * bought.data.sd, 1e-6)
  lu.assertStrContains(tostring(bought), "None of this narrows what the choice of the rows adds: sd ")
  local only = ledger_of { sources = { data = 4 } }:buy { width = 0.05 }
  lu.assertEquals(only.undefined,
    "only the data vary, and more samples of one data set say nothing new; vary the split, too")
end

function TestVariance:test_a_width_that_is_there_costs_nothing()
  local bought = ledger_of { sources = { split = 10, seed = 2 } }:buy { width = 0.9 }
  lu.assertStrContains(tostring(bought), " That is at most 0.9: nothing is to buy.")
end

function TestVariance:test_fits_of_a_search_count_its_inner_cells()
  local ledger = ledger_of { learner = lottery {}, sources = { split = 8, seed = 2 } }
  local bought = ledger:buy { width = 0.001 }
  -- A split with one seed is a cell and the three inner ones that the search reports.
  lu.assertEquals(bought.cheapest.fits, 4 * bought.cheapest.draws.split)
end

function TestVariance:test_what_cannot_be_taken_apart_is_refused()
  lu.assertEquals(fixtures.message(cf.variance, { data = iris, metric = "accuracy" }),
    "variance: give either 'learner' or 'learners'")
  lu.assertEquals(message { sources = { "date" } },
    "variance: there is no source 'date'; did you mean 'data'? known: data, seed, split, tuning")
  lu.assertEquals(message { sources = { split = 1 } }, "variance: sources.split = 1; a variance takes at least 2 "
    .. "draws; leave the source out to hold it fixed")
  lu.assertEquals(message { sources = {} }, "variance: option 'sources' names no source")
  lu.assertEquals(message { sources = { "tuning" } }, "variance: the source 'tuning' is the seed of a search, and "
    .. "no learner is one whose candidates are plugins; leave it out: the seed of the learner stands for all that it "
    .. "draws")
  lu.assertEquals(message { datasets = { iris, iris } }, "variance: datasets 1 and 2 are the same; give independent "
    .. "samples")
  lu.assertEquals(message { splitter = cf.splitter("leave_one_out"), sources = { split = 2 } }, "variance: splitter "
    .. "'leave_one_out' makes the same splits for every seed, so splits are not a source of variance; leave 'split' "
    .. "out of sources, or use a splitter that draws, as holdout or kfold")
end

function TestVariance:test_rows_with_a_time_are_not_drawn_with_replacement()
  local x, y, t = {}, {}, {}
  for i = 1, 20 do x[i], y[i], t[i] = i % 7, i % 3, i end
  local data = cf.dataset { name = "series", target = "y", time = "t", columns = { { name = "x", values = x },
    { name = "y", values = y }, { name = "t", values = t } } }
  lu.assertEquals(fixtures.message(cf.variance, { data = data, learner = "knn", metric = "rmse" }),
    "variance: the rows of 'series' have a time, so that a sample with replacement is not like new data; leave "
      .. "'data' out of sources, or give independent series as 'datasets'")
end

function TestVariance:test_methods_refuse_what_is_not_there()
  local one = ledger_of { sources = { split = 2 } }
  lu.assertEquals(fixtures.message(one.outperforming, one), "outperforming: there is one learner; give cf.variance "
    .. "two as 'learners'")
  lu.assertEquals(fixtures.message(one.buy, one, { width = 0 }), "buy: width = 0 is not above 0")
  local pair = ledger_of { learners = { "knn", "decision_tree" }, sources = { split = 2 } }
  lu.assertEquals(fixtures.message(pair.buy, pair, { width = 1 }),
    "buy: there are several learners; name one of knn, decision_tree")
  lu.assertEquals(fixtures.message(pair.buy, pair, { width = 1, learner = "kn" }),
    "buy: there is no learner 'kn'; did you mean 'knn'? known: decision_tree, knn")
end

function TestVariance:test_it_is_written_drawn_and_reported()
  local ledger = ledger_of { learners = { "random_forest", "decision_tree" },
    sources = { data = 4, split = 2, seed = 2 } }
  lu.assertStrContains(ledger:to { csv = true }, "learner,source,units,df,mean_square,estimate,variance,sd,share,"
    .. "standard_error,low,high,note,undefined\nrandom_forest,data,4,3,")
  lu.assertStrContains(ledger:to { latex = true }, "source & draws & df & sd & variance & low & high & share")
  local figure = cf.plot.variance(ledger, { learners = { "decision_tree" } })
  lu.assertEquals({ #figure.rows, figure.rows[1].source, figure.title },
    { 3, "data", "Sources of variance of the accuracy" })
  local page = ledger:report()
  lu.assertStrContains(page, "Sources of variance of the accuracy")
  lu.assertStrContains(page, "Of the variance of one score (sd ")
end
