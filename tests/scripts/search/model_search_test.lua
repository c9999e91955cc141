local lu = require "luaunit"
local cf = require "crossfold"
local parzen = require "crossfold.search.parzen"
local search_space = require "crossfold.search.space"
local fixtures = require "fixtures"

TestModelSearch = {}

local threefold = cf.splitter("kfold", { folds = 3, shuffle = false })

local function search(changes)
  return cf.model_search(fixtures.with({ learner = "knn",
    space = { k = { low = 1, high = 60 }, distance = { "manhattan", "minkowski" }, p = { low = 1, high = 8 } },
    candidates = 14, initial = 6, batch = 4, splitter = threefold, metric = "accuracy", seed = 1 }, changes))
end

local function names(detail)
  return fixtures.column(detail.inner, "candidate")
end

function TestModelSearch:test_it_begins_as_the_random_search_with_the_same_seed()
  local data = fixtures.iris()
  local random = cf.random_search { learner = "knn", candidates = 6, splitter = threefold, metric = "accuracy",
    seed = 1,
    space = { k = { low = 1, high = 60 }, distance = { "manhattan", "minkowski" }, p = { low = 1, high = 8 } } }
  local _, drawn = random:fit(data, { seed = 1 })
  local _, detail = search():fit(data, { seed = 1 })
  lu.assertEquals(table.move(names(detail), 1, 6, 1, {}), names(drawn))
  for i, entry in ipairs(drawn.inner) do lu.assertEquals(detail.inner[i].mean, entry.mean) end
end

function TestModelSearch:test_no_candidate_is_evaluated_twice_and_the_best_is_taken()
  for _, surrogate in ipairs { "tpe", "random_forest" } do
    local _, detail = search { surrogate = surrogate }:fit(fixtures.iris(), { seed = 1 })
    lu.assertEquals(#detail.inner, 14)
    lu.assertEquals(detail.cells, 42)
    lu.assertEquals(detail.surrogate, surrogate)
    local seen, best = {}, 0
    for _, entry in ipairs(detail.inner) do
      lu.assertNil(seen[entry.candidate])
      seen[entry.candidate] = true
      best = math.max(best, entry.mean)
    end
    lu.assertEquals(detail.mean, best)
  end
end

function TestModelSearch:test_any_number_of_workers_gives_the_same_bits()
  for _, surrogate in ipairs { "tpe", "random_forest" } do
    local texts = {}
    for i, workers in ipairs { 1, 2, 7 } do
      local result = cf.evaluate { data = fixtures.iris(), learners = { s = search { surrogate = surrogate } },
        splitter = threefold, metrics = "accuracy", workers = workers }
      local lines = { result:to { csv = true } }
      for _, row in ipairs(result:tuning("s")) do
        for _, entry in ipairs(row.inner) do lines[#lines + 1] = ("%s %a"):format(entry.candidate, entry.mean) end
      end
      texts[i] = table.concat(lines, "\n")
    end
    lu.assertEquals(texts[2], texts[1])
    lu.assertEquals(texts[3], texts[1])
  end
end

function TestModelSearch:test_a_second_run_finds_all_its_cells_in_the_store()
  local store = fixtures.new_store()
  local function run(candidates)
    return cf.evaluate { data = fixtures.iris(), learners = { s = search { candidates = candidates } },
      splitter = threefold, metrics = "accuracy", store = store }
  end
  local first = run(10)
  local n_cells = cf.store_status(store).cells
  -- A search that goes on for longer begins with the same candidates.
  local longer = run(14)
  for f, row in ipairs(longer:tuning("s")) do
    for c, entry in ipairs(first:tuning("s")[f].inner) do
      lu.assertEquals(row.inner[c].candidate, entry.candidate)
      lu.assertEquals(row.inner[c].mean, entry.mean)
    end
  end
  local n_longer = cf.store_status(store).cells
  lu.assertTrue(n_longer > n_cells)
  run(14)
  lu.assertEquals(cf.store_status(store).cells, n_longer)
  fixtures.remove_store(store)
end

function TestModelSearch:test_parameters_without_effect_are_left_out()
  local _, detail = search { candidates = 30 }:fit(fixtures.iris(), { seed = 1 })
  local seen = {}
  for _, entry in ipairs(detail.inner) do
    seen[entry.params.distance] = true
    lu.assertEquals(entry.params.p ~= nil, entry.params.distance == "minkowski")
  end
  lu.assertEquals(seen, { manhattan = true, minkowski = true })
end

function TestModelSearch:test_candidates_that_fail_are_data_and_are_not_chosen()
  -- 100 training rows, 67 in each inner fold: a greater k fails.
  local _, detail = search { space = { k = { low = 1, high = 400 } }, candidates = 30, initial = 10 }
    :fit(fixtures.iris(), { seed = 1 })
  local failed, after = 0, 0
  for i, entry in ipairs(detail.inner) do
    if entry.failure then
      lu.assertNil(entry.mean)
      lu.assertStrContains(entry.failure, "training rows")
      failed = failed + 1
      if i > 10 then after = after + 1 end
    end
  end
  lu.assertTrue(failed > 3)
  lu.assertTrue(detail.chosen.k < 100)
  -- 3 of 4 draws fail; proposals keep away from them.
  lu.assertTrue(after / 20 < 0.4, tostring(after))
end

function TestModelSearch:test_if_all_candidates_fail_the_search_fails_with_a_reason()
  local value = search { space = { k = { low = 300, high = 900 } } }
  lu.assertStrContains(fixtures.message(value.fit, value, fixtures.iris(), { seed = 1 }),
    "cannot choose among 14 candidates: none could be evaluated; the first failed at")
end

function TestModelSearch:test_a_space_with_few_settings_ends_the_search()
  local _, detail = search { space = { k = { low = 1, high = 8 } }, initial = 3 }:fit(fixtures.iris(), { seed = 1 })
  lu.assertEquals(#detail.inner, 8)
  lu.assertEquals(detail.stopped, "the space has no more than 8 settings")
end

function TestModelSearch:test_the_plan_says_at_most_and_the_budget_holds()
  local data = fixtures.iris()
  lu.assertEquals(tostring(search():plan(data)), "14 of 14 candidates on 3 inner folds: at most 42 cells per search")
  local value = search { budget = { cells = 30 } }
  lu.assertEquals(value:plan(data).cells, 30)
  local _, detail = value:fit(data, { seed = 1 })
  lu.assertEquals(detail.cells, 30)
  lu.assertEquals(detail.stopped, "10 of 14 candidates: the budget is 30 cells")
  local options = { learner = "knn", space = { k = { low = 1, high = 60 } }, splitter = threefold, metric = "accuracy",
    budget = { evaluations = 7 } }
  lu.assertEquals(tostring(cf.model_search(options)), "model_search{knn, 7 candidates}")
  lu.assertEquals(fixtures.message(search, { budget = { seconds = 1 } }),
    "model_search: option 'budget': seconds are for grid_search and random_search; give cells")
end

function TestModelSearch:test_a_rule_of_choice_goes_by_the_candidates_that_were_proposed()
  local _, detail = search { choose = "one_se", simplest = { k = "higher" } }:fit(fixtures.iris(), { seed = 1 })
  local best
  for _, entry in ipairs(detail.inner) do
    if entry.candidate == detail.best then best = entry end
  end
  local limit = best.mean - best.sd / math.sqrt(best.n_folds)
  for _, entry in ipairs(detail.inner) do
    if entry.params.k > detail.chosen.k then lu.assertTrue(entry.mean < limit + 1e-9) end
  end
  lu.assertTrue(detail.mean >= limit - 1e-9)
end

function TestModelSearch:test_it_searches_choices_pipelines_and_composites()
  local data = fixtures.iris()
  local space = { choice = { "near", "tree" }, ["near.k"] = { low = 1, high = 30 },
    ["tree.max_depth"] = { low = 1, high = 5 } }
  local either = cf.choice { near = "knn", tree = "decision_tree" }
  local _, inside = search { learner = cf.pipeline { "standardize", either }, space = space }:fit(data, { seed = 1 })
  local outer = cf.pipeline { "standardize", search { learner = either, space = space } }
  local _, around = outer:fit(data, { seed = 1 })
  lu.assertEquals(names(around), names(inside))
  lu.assertEquals(around.mean, inside.mean)
  local voting = cf.choice { near = "knn", tree = cf.voting { learners = { "decision_tree", "naive_bayes" } } }
  local model, detail = search { learner = voting, space = space }:fit(data, { seed = 1 })
  lu.assertEquals(#model:predict(data):labels(), 150)
  lu.assertNotNil(detail.chosen.choice)
end

function TestModelSearch:test_bad_options_are_refused()
  lu.assertEquals(fixtures.message(search, { batch = 0 }), "model_search: batch = 0 is out of range; use 1 or more")
  lu.assertEquals(fixtures.message(search, { candidates = 0 }),
    "model_search: candidates = 0 is out of range; use 1 or more")
  lu.assertEquals(fixtures.message(search, { surrogate = "gp" }),
    "model_search: surrogate = 'gp' is not one of random_forest, tpe")
  lu.assertStrContains(fixtures.message(search, { space = { distance = { "euclid" } } }),
    "model_search: cannot change 'knn': distance = 'euclid' is not a choice")
end

-- The density of settings (0.2, 2, x) and (0.9, 4, z), and the prior. Values: scipy 1.10, truncnorm and norm with
-- scale 0.2 2^(-1/7), of the formula at the top of parzen.lua.
function TestModelSearch:test_densities_are_those_of_another_program()
  local dimensions = {
    { name = "a", kind = "real", low = 0, high = 1, is_ordered = true },
    { name = "b", kind = "integer", low = 1, high = 4, is_ordered = true },
    { name = "c", kind = "list", values = { "x", "y", "z" } },
  }
  local function places(a, b, c) return search_space.places(dimensions, { a = a, b = b, c = c }) end
  local density = parzen.new(dimensions, { places(0.2, 2, "x"), places(0.9, 4, "z") })
  lu.assertAlmostEquals(density:log_density(places(0.3, 2, "x")), -1.0325245968031282, 1e-9)
  lu.assertAlmostEquals(density:log_density(places(0.9, 1, "y")), -3.5823325978181493, 1e-9)
end

function TestModelSearch:test_draws_have_the_density_that_is_claimed()
  local dimensions = { { name = "a", kind = "integer", low = 1, high = 5, log = true, is_ordered = true },
    { name = "c", kind = "list", values = { "x", "y" } } }
  local density = parzen.new(dimensions, { search_space.places(dimensions, { a = 2, c = "y" }) })
  local counts, n = {}, 4000
  for i = 1, n do
    local one = density:draw(cf.seed(7, i))
    local key = one.c .. one.a
    counts[key] = (counts[key] or 0) + 1
  end
  local sum = 0
  for a = 1, 5 do
    for _, c in ipairs { "x", "y" } do
      local p = math.exp(density:log_density(search_space.places(dimensions, { a = a, c = c })))
      sum = sum + p
      lu.assertAlmostEquals((counts[c .. a] or 0) / n, p, 4 * math.sqrt(p / n))
    end
  end
  lu.assertAlmostEquals(sum, 1, 1e-9)
end

-- A loss as that of a network's settings may be: a valley in which the learning rate depends on the units, with another
-- bottom on each of twenty surfaces, and a category that matters.
local function surface(i)
  local function at(name) return (cf.seed(11, "surface", i, name) >> 11) * 2.0 ^ -53 end
  local solver = at("solver") < 0.5 and "adam" or "sgd"
  return function(p)
    local rate, units, l2 = math.log(p.learning_rate, 10) / 4 + 1, math.log(p.units, 2) / 8, math.log(p.l2, 10) / 6 + 1
    local loss = 4 * (rate + units / 2 - at("rate") - 0.25) ^ 2 + (units - at("units")) ^ 2 + (l2 - at("l2")) ^ 2 / 2
    if p.solver ~= solver then loss = loss + 0.2 end
    return loss + (p.momentum and (p.momentum - at("momentum")) ^ 2 / 4 or 0)
  end
end

-- The lowest loss among the candidates of a search.
local function lowest(make, loss, seed, surrogate)
  local session = make { learner = "mlp", splitter = threefold, metric = "log_loss", candidates = 50, seed = seed,
    surrogate = surrogate, space = {
      learning_rate = { low = 1e-4, high = 1 }, units = { low = 1, high = 256 }, l2 = { low = 1e-6, high = 1 },
      solver = { "adam", "sgd" }, momentum = { low = 0, high = 0.99 },
    } }:session()
  while true do
    local batch = session:ask(4)
    if #batch == 0 then return session:best().score end
    for _, candidate in ipairs(batch) do session:tell(candidate.id, loss(candidate.params)) end
  end
end

-- tests/bench/model_search.md has the same comparison on data sets.
function TestModelSearch:test_50_evaluations_find_better_settings_than_a_random_search_on_twenty_surfaces()
  fixtures.skip_if_sanitized()
  local margins = { tpe = { ratio = 0.4, better = 17, p = 0.001 },
    random_forest = { ratio = 0.7, better = 14, p = 0.05 } }
  for surrogate, margin in pairs(margins) do
    local differences, better, sum, random_sum = {}, 0, 0, 0
    for i = 1, 20 do
      local random, model = lowest(cf.random_search, surface(i), i), lowest(cf.model_search, surface(i), i, surrogate)
      differences[i] = random - model
      better = better + (model < random and 1 or 0)
      sum, random_sum = sum + model, random_sum + random
    end
    local test = cf.stats.wilcoxon(differences)
    local text = ("%s: better on %d of 20, %.3f of the regret, p = %.5f"):format(surrogate, better, sum / random_sum,
      test.p)
    lu.assertTrue(sum < margin.ratio * random_sum and better >= margin.better and test.p < margin.p, text)
  end
end
