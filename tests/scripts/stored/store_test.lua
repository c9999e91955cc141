-- Cell stores: what is found again, and what the options mean.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

local iris = fixtures.iris()
local inner = cf.splitter("kfold", { folds = 3, stratify = true })

local function evaluate(store, learners, more)
  return cf.evaluate(fixtures.with({ data = iris, learners = learners,
    splitter = cf.splitter("kfold", { folds = 4, stratify = true }), metrics = { "accuracy", "log_loss" },
    store = store, seed = 3 }, more))
end

local function search(ks)
  return cf.grid_search { learner = "knn", grid = { k = ks }, metric = "accuracy", splitter = inner }
end

-- What `f` finds and computes in the store.
local function counts(store, f)
  local before = cf.store_status(store)
  f()
  local after = cf.store_status(store)
  return { found = after.found - before.found, computed = after.computed - before.computed }
end

TestStore = {}

function TestStore:setUp()
  local name = os.tmpname()
  os.remove(name)
  self.store = name .. ".cfdb"
  cf.run({}, { store = self.store })  -- makes the file
end

function TestStore:tearDown()
  for _, ending in ipairs { "", "-wal", "-shm" } do os.remove(self.store .. ending) end
end

function TestStore:test_a_second_run_finds_everything_and_prints_the_same()
  local learners = { knn = "knn", bayes = "naive_bayes" }
  local plain, first, second = evaluate(nil, learners), nil, nil
  lu.assertEquals(counts(self.store, function() first = evaluate(self.store, learners) end),
    { found = 0, computed = 8 })
  lu.assertEquals(counts(self.store, function() second = evaluate(self.store, learners) end),
    { found = 8, computed = 0 })
  lu.assertEquals(tostring(first), tostring(plain))
  lu.assertEquals(tostring(second), tostring(plain))
  lu.assertEquals(second:to { csv = true }, plain:to { csv = true })
  lu.assertEquals(second:predictions(), plain:predictions())
end

-- 4 outer folds x (2 candidates x 3 inner folds + the chosen one).
function TestStore:test_inner_cells_of_a_search_and_its_chosen_learners_are_found()
  local learners, first = { tuned = search { 1, 7 } }, nil
  lu.assertEquals(counts(self.store, function() first = evaluate(self.store, learners) end),
    { found = 0, computed = 28 })
  local second
  lu.assertEquals(counts(self.store, function() second = evaluate(self.store, learners) end),
    { found = 28, computed = 0 })
  lu.assertEquals(second:tuning("tuned"), first:tuning("tuned"))
  local rows = cf.store_status(self.store).learners
  lu.assertEquals(#rows, 2)
  lu.assertEquals({ rows[1].learner, rows[1].inner, rows[1].done }, { "tuned", false, 4 })
  lu.assertEquals({ rows[2].learner, rows[2].inner, rows[2].done }, { "tuned", true, 24 })
end

function TestStore:test_a_changed_learner_computes_its_own_cells_only()
  evaluate(self.store, { a = cf.learner("knn", { k = 3 }), b = "naive_bayes" })
  lu.assertEquals(counts(self.store, function()
    evaluate(self.store, { a = cf.learner("knn", { k = 4 }), b = "naive_bayes" })
  end), { found = 4, computed = 4 })
end

function TestStore:test_a_candidate_more_computes_its_own_cells_only()
  evaluate(self.store, { tuned = search { 1, 7 } })
  local found = counts(self.store, function() evaluate(self.store, { tuned = search { 1, 7, 9 } }) end)
  lu.assertEquals(found.found >= 24, true)
  lu.assertEquals(found.found + found.computed, 40)
end

function TestStore:test_cross_predict_gives_the_same_with_a_store()
  local function predict(store)
    return cf.cross_predict { data = iris, learner = "knn", splitter = inner, store = store,
      keep = "probabilities" }[1]
  end
  local plain = predict()
  lu.assertEquals(counts(self.store, function() predict(self.store) end), { found = 0, computed = 3 })
  local stored
  lu.assertEquals(counts(self.store, function() stored = predict(self.store) end),
    { found = 3, computed = 0 })
  lu.assertEquals(stored:labels(), plain:labels())
  lu.assertEquals(stored:probabilities(), plain:probabilities())
  lu.assertEquals(stored:row_ids(), plain:row_ids())
end

function TestStore:test_options_of_parallel_hold_for_what_it_runs()
  local splits = cf.split(inner, iris)
  local function cells() cf.run { { learner = "knn", splits = splits } } end
  lu.assertEquals(counts(self.store, function()
    cf.parallel({ cells, function()
      cf.run({ { learner = "naive_bayes", splits = splits } }, { store = false })
    end }, { store = self.store })
  end), { found = 0, computed = 3 })
  lu.assertEquals(counts(self.store, function()
    cf.run({ { learner = "knn", splits = splits } }, { store = self.store })
  end), { found = 3, computed = 0 })
end

function TestStore:test_bootstrap_samples_are_cells()
  local function estimate(store)
    return cf.bootstrap_632 { learner = "knn", data = iris, repeats = 5, store = store }
  end
  local plain = estimate()
  lu.assertEquals(counts(self.store, function() estimate(self.store) end), { found = 0, computed = 5 })
  lu.assertEquals(estimate(self.store), plain)
end

function TestStore:test_predictions_are_scored_again_without_fits()
  local result = evaluate(self.store, { knn = "knn", vote = cf.voting { learners = { "knn",
    "naive_bayes" } } })
  local again = cf.rescore { store = self.store, metrics = { "accuracy" } }
  lu.assertEquals(again.metrics, { "accuracy" })
  local rows = {}
  for _, row in ipairs(result:scores()) do
    if row.metric == "accuracy" then rows[#rows + 1] = { row.learner, row.fold, row.value } end
  end
  local found = {}
  for i, row in ipairs(again:scores()) do found[i] = { row.learner, row.fold, row.value } end
  lu.assertEquals(found, rows)
end

-- Folds of each learner that can be scored again.
local function folds_in(store)
  local folds = {}
  for _, row in ipairs(cf.rescore { store = store, metrics = "accuracy" }:scores()) do
    folds[row.learner] = (folds[row.learner] or 0) + 1
  end
  return folds
end

function TestStore:test_a_second_evaluation_of_an_ensemble_mixes_no_folds_with_the_first()
  local vote = { vote = cf.voting { learners = { "knn", "naive_bayes" } } }
  evaluate(self.store, vote)
  evaluate(self.store, vote, { splitter = inner })
  lu.assertEquals(folds_in(self.store), { vote = 4, ["vote, evaluation 2"] = 3 })
end

function TestStore:test_what_a_learner_evaluates_inside_is_no_fold_of_the_experiment()
  local nested = cf.learner {
    name = "nested",
    fit = function(data)
      evaluate(nil, { vote = cf.voting { learners = { "knn", "naive_bayes" } } }, { data = data })
      return cf.learner("knn"):fit(data)
    end,
    predict = function(model, data) return model:predict(data):labels() end,
  }
  evaluate(self.store, { nested = nested }, { splitter = inner })
  lu.assertEquals(folds_in(self.store), { nested = 3 })
end

function TestStore:test_a_saved_result_is_scored_again_like_the_result_itself()
  local result = evaluate(nil, {
    knn = "knn", vote = cf.voting { learners = { "knn", "naive_bayes" } },
    fails = cf.learner("debug", { action = "throw_in_predict", when_row = 7 }),
  })
  result:save(self.store)
  local expected, found = {}, {}
  for _, row in ipairs(result:scores()) do
    if row.metric == "accuracy" then
      expected[#expected + 1] = { row.learner, row.repeat_, row.fold, row.value or "none" }
    end
  end
  for i, row in ipairs(cf.rescore { store = self.store, metrics = "accuracy" }:scores()) do
    found[i] = { row.learner, row.repeat_, row.fold, row.value or "none" }
  end
  lu.assertEquals(#expected, 12)
  lu.assertItemsEquals(found, expected)
end

function TestStore:test_a_result_that_cannot_be_saved_says_why()
  local result = evaluate(self.store, { knn = "knn" })
  lu.assertEquals(fixtures.message(result.save, result, self.store),
    ("save: the folds of this result are in '%s' already"):format(self.store))
  lu.assertEquals(fixtures.message(result.save, result),
    "save: expected the path of a store, got a nil")
  local bare = evaluate(nil, { knn = "knn" }, { keep = "none" })
  lu.assertEquals(fixtures.message(bare.save, bare, self.store),
    "save: the result has no predictions; evaluate with keep = \"labels\" or \"probabilities\"")
end

function TestStore:test_a_store_without_predictions_cannot_be_scored_again()
  evaluate(self.store, { knn = "knn" }, { store_predictions = false })
  lu.assertEquals(cf.store_status(self.store).predictions, 0)
  lu.assertEquals(#cf.rescore { store = self.store, metrics = "accuracy" }:scores(), 4)
  lu.assertNil(cf.rescore { store = self.store, metrics = "log_loss" }:scores()[1].value)
end

function TestStore:test_what_is_no_store_is_refused_before_anything_runs()
  local path = self.store .. ".txt"
  local file <close> = assert(io.open(path, "w"))
  file:write(("no store\n"):rep(1000))
  file:flush()
  local message = fixtures.message(evaluate, path, { knn = "knn" })
  os.remove(path)
  lu.assertStrContains(message, path)
  lu.assertStrContains(message, "cannot open store")
end

function TestStore:test_wrong_options_are_refused()
  for _, case in ipairs {
    { { store = true }, "run: store = true names no file; give its path" },
    { { store = "" }, "run: store = '' names no file; leave it out, or use false for none" },
    { { store_predictions = "many" },
      "run: store_predictions = 'many' is not a size; use bytes, or a string as in \"512M\"" },
    { { store_predictions = true },
      "run: store_predictions = true is not a size; leave it out to keep all" },
    { { store = 5 }, "run: option 'store' must be a string or boolean, got an integer" },
  } do
    lu.assertEquals(fixtures.message(cf.run, {}, case[1]), case[2])
  end
  lu.assertEquals(fixtures.message(cf.rescore, { store = "x", metrics = "accuracy", run = 0 }),
    "rescore: run = 0 is not the number of a run; cf.store_status lists them")
end
