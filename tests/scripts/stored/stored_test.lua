-- Results read back from stores: as the live ones, bit for bit.
local lu = require "luaunit"
local cf = require "crossfold"
local findings = require "crossfold.stored.findings"
local fixtures = require "fixtures"
local native = require "crossfold.native"

local iris = fixtures.iris()
local kfold = cf.splitter("kfold", { folds = 4, stratify = true })
local inner = cf.splitter("kfold", { folds = 3, stratify = true })

-- Where two values first differ, "[3].mean: 0.5 and nil"; nil if they are the same, numbers bit for bit.
local function difference(a, b, where)
  if math.type(a) == "float" and math.type(b) == "float" then
    if ("%a"):format(a) == ("%a"):format(b) then return nil end
  elseif type(a) == "table" and type(b) == "table" then
    local keys = {}
    for key in pairs(a) do keys[key] = true end
    for key in pairs(b) do keys[key] = true end
    for key in pairs(keys) do
      local found = difference(a[key], b[key], ("%s[%s]"):format(where, tostring(key)))
      if found then return found end
    end
    return nil
  elseif a == b and math.type(a) == math.type(b) then
    return nil
  end
  return ("%s: %s and %s"):format(where, tostring(a), tostring(b))
end

local function assert_same(found, expected, what)
  lu.assertNil(difference(found, expected, what or ""))
end

local curve_kinds = { "roc", "precision_recall", "det", "calibration", "lift", "cost", "thresholds",
  "reliability", "decision" }

local function same_by_learner(found, live, learner, dataset, o)
  local where = { dataset = dataset }
  local ok, tuning = pcall(live.tuning, live, learner, where)
  local found_ok, found_tuning = pcall(found.tuning, found, learner, where)
  lu.assertEquals(found_ok, ok)
  if ok then assert_same(found_tuning, tuning) end
  if not o.classes then return end
  lu.assertEquals(found:confusion(learner, where).counts, live:confusion(learner, where).counts)
  assert_same(found:class_report(learner, where), live:class_report(learner, where))
  for _, kind in ipairs(o.curves and curve_kinds or {}) do
    local given = { learner = learner, dataset = dataset, positive = o.positive, aggregation = "folds" }
    lu.assertEquals(found:curve(kind, given):to { csv = true }, live:curve(kind, given):to { csv = true })
  end
end

-- A cell that several fallbacks ask for at once is computed for each, and has its own seconds.
local function folds_of(result, o)
  local rows = result:folds()
  for _, row in ipairs(o.shared and rows or {}) do row.fit_seconds, row.predict_seconds = nil, nil end
  return rows
end

-- That a stored result says in all of its methods what the live one says. o: classes = whether it
-- classifies, curves = whether it has probabilities, lua = whether metrics in Lua are among its own.
local function assert_equal_results(found, live, o)
  assert_same(found:scores(), live:scores(), "scores")
  assert_same(found:summary(), live:summary(), "summary")
  assert_same(found:predictions(), live:predictions(), "predictions")
  assert_same(found:failures(), live:failures(), "failures")
  assert_same(found:warnings(), live:warnings(), "warnings")
  assert_same(found:notes(), live:notes(), "notes")
  assert_same(folds_of(found, o), folds_of(live, o), "folds")
  assert_same(found:provenance(), live:provenance(), "provenance")
  lu.assertEquals(tostring(found), tostring(live))
  for _, format in ipairs { "csv", "json", "latex" } do
    lu.assertEquals(found:to { [format] = true }, live:to { [format] = true })
  end
  if not o.lua then assert_same(found:pooled(), live:pooled(), "pooled") end
  for _, dataset in ipairs(live:provenance().datasets) do
    for _, learner in ipairs(live:provenance().learners) do
      same_by_learner(found, live, learner.name, dataset.name, o)
    end
  end
end

TestStored = {}

function TestStored:setUp()
  local name = os.tmpname()
  os.remove(name)
  self.store = name .. ".cfdb"
end

function TestStored:tearDown()
  for _, ending in ipairs { "", "-wal", "-shm" } do os.remove(self.store .. ending) end
end

function TestStored:evaluate(learners, more)
  local given = {
    learners = learners, splitter = kfold, metrics = { "accuracy", "log_loss" }, store = self.store,
    seed = 3,
  }
  if not (more and more.datasets) then given.data = iris end
  return cf.evaluate(fixtures.with(given, more))
end

function TestStored:read(given)
  return cf.stored(fixtures.with({ store = self.store }, given))
end

-- The one result that is there.
function TestStored:result()
  local found = self:read()
  lu.assertEquals(found.damaged, {})
  lu.assertEquals(#found.results, 1)
  return found.results[1]
end

function TestStored:test_a_classification_is_as_it_was()
  local live = self:evaluate({ knn = "knn", bayes = "naive_bayes", pipe = cf.pipeline {
    cf.transform("standardize"), cf.learner("knn", { k = 7 }) } },
    { keep = "probabilities", metrics = { "accuracy", "log_loss", "f1_macro", "brier" },
      splitter = cf.splitter("kfold", { folds = 4, repeats = 2 }) })
  assert_equal_results(self:result(), live, { classes = true, curves = true, positive = "setosa" })
end

function TestStored:test_labels_and_no_predictions_are_as_they_were()
  for _, keep in ipairs { "labels", "none" } do
    local live = self:evaluate({ knn = "knn", vote = cf.voting { learners = { "knn", "naive_bayes" } } },
      { keep = keep, seed = #keep })
    local found = self:read().results
    assert_equal_results(found[#found], live, { classes = keep == "labels" })
    lu.assertEquals(fixtures.message(found[#found].curve, found[#found], "roc", { learner = "knn" }),
      fixtures.message(live.curve, live, "roc", { learner = "knn" }))
    if keep == "none" then
      lu.assertEquals(fixtures.message(found[#found].confusion, found[#found], "knn"),
        fixtures.message(live.confusion, live, "knn"))
    end
  end
end

function TestStored:test_a_regression_is_as_it_was()
  local x, y = {}, {}
  for i = 1, 40 do
    x[i] = i / 7
    y[i] = i % 5 == 0 and cf.null or (i * 37 % 11) / 3
  end
  for i = 1, 40 do if y[i] == cf.null then y[i] = -0.0 end end
  local data = cf.dataset { name = "line", target = "y",
    columns = { { name = "x", values = x }, { name = "y", values = y } } }
  local live = self:evaluate({ knn = "knn", ols = "least_squares" },
    { data = data, metrics = { "mse", "mae", "r2" }, splitter = cf.splitter("kfold", { folds = 5,
      stratify = false }) })
  assert_equal_results(self:result(), live, {})
end

function TestStored:test_searches_and_their_choices_are_as_they_were()
  local function search(kind, more)
    return cf[kind](fixtures.with({ learner = "knn", metric = "accuracy", splitter = inner }, more))
  end
  local live = self:evaluate {
    grid = search("grid_search", { grid = { k = { 1, 5, 9 } }, choose = "one_se",
      simplest = { k = "higher" }, metrics = { "log_loss" } }),
    random = search("random_search", { space = { k = { low = 1, high = 15 } }, candidates = 4 }),
    halving = search("halving_search", { grid = { k = { 1, 3, 5, 7 } },
      min_resource = 0.5 }),
    tuned = cf.pipeline { search("grid_search", { grid = { k = { 1, 9 } } }),
      cf.calibration { method = "platt" } },
  }
  assert_equal_results(self:result(), live, { classes = true })
end

function TestStored:test_what_is_put_together_in_lua_is_as_it_was()
  local nearest = cf.learner {
    name = "first class", fit = function(data) return data:classes()[1] end,
    predict = function(class, rows) return fixtures.repeated(class, #rows) end,
  }
  local live = self:evaluate({
    vote = cf.voting { learners = { "knn", "naive_bayes" }, vote = "probabilities" },
    bag = cf.bagging { learner = "decision_tree", n = 3 }, lua = nearest,
  }, { metrics = { "accuracy" }, keep = "probabilities" })
  assert_equal_results(self:result(), live, { classes = true })
end

function TestStored:test_failures_and_the_scores_of_a_fallback_are_as_they_were()
  local fails = cf.learner("debug", { action = "throw_in_predict", when_row = 7 })
  local broken = cf.learner { name = "broken", fit = function() error("no luck", 0) end,
    predict = function() end }
  local search = cf.grid_search { learner = fails, grid = { when_row = { 7, 8 } }, metric = "accuracy",
    splitter = inner }
  local learners = { knn = "knn", fails = fails, broken = broken, search = search }
  local live = self:evaluate(learners)
  lu.assertTrue(#live:failures() > 5)
  assert_equal_results(self:result(), live, {})
  for i, fallback in ipairs { cf.learner("featureless"), cf.voting { learners = { "knn", "naive_bayes" } },
    cf.grid_search { learner = "knn", grid = { k = { 1, 5 } }, metric = "accuracy", splitter = inner },
    fails } do
    live = self:evaluate(learners, { on_error = fallback, seed = 10 + i })
    local found = self:read().results
    assert_equal_results(found[#found], live, { classes = i < 4, shared = true })
  end
end

function TestStored:test_scores_of_metrics_in_lua_are_there_fold_by_fold()
  local share = cf.metric { name = "share", direction = "lower", score = function(truth, predicted)
    if truth[1] ~= predicted[1] then return nil, "the first row is wrong" end
    return predicted[2] == truth[2] and math.huge or 1 / 3
  end }
  local raises = cf.metric { name = "raises", direction = "higher", score = function(_, predicted)
    if predicted[3] == "versicolor" then error("no score", 0) end
    return 1
  end }
  local learners = { knn = "knn", vote = cf.voting { learners = { "knn", "naive_bayes" } } }
  local live = self:evaluate(learners, { metrics = { share, "accuracy" } })
  assert_equal_results(self:result(), live, { classes = true, lua = true })
  lu.assertEquals(self:result():pooled()[1].undefined,
    "metric 'share' is written in Lua, and the store has its scores fold by fold only; give it to "
      .. "cf.stored in the option metrics")
  live = self:evaluate(learners, { metrics = { raises }, seed = 4 })
  assert_equal_results(self:read().results[2], live, { lua = true })
end

function TestStored:test_several_datasets_weights_and_costs_are_as_they_were()
  local x, y, w = {}, {}, {}
  for i = 1, 30 do
    x[i], w[i] = i, 1 + i % 4
    y[i] = (i <= 15 or i % 6 == 0) and "low" or "high"
  end
  local weighted = cf.dataset { name = "weighted", target = "y", weights = "w",
    costs = { low = { high = 5 }, high = { low = 1 } },
    columns = { { name = "x", values = x }, { name = "y", values = y }, { name = "w", values = w } } }
  local live = self:evaluate({ tree = "decision_tree", bayes = "naive_bayes", cost = cf.pipeline {
    cf.learner("decision_tree"), cf.minimum_cost {} } },
    { datasets = { weighted = weighted, part = weighted:select { 1, 2, 3, 4, 5, 6, 7, 8, 16,
      17, 19, 20, 21, 22, 23, 25 } }, metrics = { "accuracy", "cost" } })
  assert_equal_results(self:result(), live, { classes = true })
end

function TestStored:test_results_come_in_the_order_of_the_script_and_can_be_compared()
  local first = self:evaluate { knn = "knn", bayes = "naive_bayes" }
  local second = self:evaluate({ knn = cf.learner("knn", { k = 1 }) }, { seed = 3 })
  self:evaluate({ other = "naive_bayes" }, { splitter = inner })
  local found = self:read()
  lu.assertEquals(#found.results, 3)
  assert_equal_results(found.results[1], first, { classes = true })
  assert_equal_results(found.results[2], second, { classes = true })
  local options = { metric = "accuracy" }
  lu.assertEquals(tostring(cf.compare(found.results[1], options)), tostring(cf.compare(first, options)))
  assert_same(cf.compare(found.results[1], options):rows(), cf.compare(first, options):rows())
  lu.assertEquals(tostring(cf.compare({ found.results[1], self:evaluate { tree = "decision_tree" } },
    options)), tostring(cf.compare({ first, self:evaluate { tree = "decision_tree" } }, options)))
end

function TestStored:test_a_comparison_of_different_splits_is_refused_as_it_was()
  local first, other = self:evaluate { knn = "knn" }, self:evaluate({ bayes = "naive_bayes" },
    { splitter = inner })
  local found = self:read().results
  lu.assertEquals(fixtures.message(cf.compare, found, { metric = "accuracy" }),
    fixtures.message(cf.compare, { first, other }, { metric = "accuracy" }))
end

function TestStored:test_studies_are_as_they_were_and_no_results()
  local curve = cf.learning_curve { data = iris, learners = { "knn", "naive_bayes" }, trials = 4,
    metrics = "error_rate", sizes = { 10, 20, 40, 60, 80 }, store = self.store, seed = 2 }
  local part = cf.learning_curve { data = iris:select { 1, 2, 3, 4, 5, 51, 52, 53, 54, 55, 101, 102,
    103, 104, 105, 106 }, test = iris:select { 20, 70, 120 }, learners = "knn", trials = 2,
    metrics = "accuracy", sizes = { 8, 12 }, store = self.store }
  local parts = cf.bias_variance { data = iris, learners = { "knn", "decision_tree" }, rounds = 6,
    store = self.store }
  local validation
  cf.parallel({ function()
    validation = cf.validation_curve { data = iris, learner = "knn", parameter = "k",
      values = { 1, 5, 200 }, splitter = inner, metric = "accuracy" }
  end }, { store = self.store })
  local found = self:read()
  lu.assertEquals({ #found.damaged, #found.results, #found.curves, #found.bias_variance,
    #found.validation_curves }, { 0, 0, 2, 1, 1 })
  for i, live in ipairs { curve, part } do
    assert_same(found.curves[i]:rows(), live:rows())
    assert_same(found.curves[i]:summary(), live:summary())
    lu.assertEquals(tostring(found.curves[i]), tostring(live))
  end
  lu.assertEquals(tostring(found.curves[1]:fit("knn")), tostring(curve:fit("knn")))
  assert_same(found.curves[1]:provenance(), curve:provenance())
  assert_same(found.bias_variance[1]:provenance(), parts:provenance())
  assert_same(found.validation_curves[1]:provenance(), validation:provenance())
  lu.assertEquals({ curve:provenance().seed, validation:provenance().datasets[1].hash }, { 2, iris:hash() })
  assert_same(found.bias_variance[1]:rows(), parts:rows())
  assert_same(found.bias_variance[1]:per_row("knn"), parts:per_row("knn"))
  lu.assertEquals(tostring(found.bias_variance[1]), tostring(parts))
  assert_same(found.validation_curves[1]:rows(), validation:rows())
  assert_same(found.validation_curves[1]:summary(), validation:summary())
  lu.assertEquals(tostring(found.validation_curves[1]), tostring(validation))
end

function TestStored:test_what_a_learner_evaluates_inside_is_no_result()
  local nested = cf.learner {
    name = "nested",
    fit = function(data)
      cf.evaluate { data = data, learners = "knn", splitter = inner, metrics = "accuracy" }
      return cf.learner("knn"):fit(data)
    end,
    predict = function(model, data) return model:predict(data):labels() end,
  }
  local live = self:evaluate { nested = nested }
  assert_equal_results(self:result(), live, { classes = true })
end

-- The learner of a stored result is its name, so the metric of its search is, too.
function TestStored:test_the_axis_of_a_search_ends_where_its_metric_does()
  local folds = cf.splitter("kfold", { folds = 2 })
  local live = self:evaluate({ s = cf.grid_search { learner = "knn", grid = { k = { 1, 3, 5 } },
    splitter = folds, metric = "accuracy" } }, { metrics = "log_loss" })
  local function ends(result)
    local y = cf.plot.grid(result).y
    return { y.least, y.most }
  end
  lu.assertEquals(ends(live), { 0.0, 1.0 })
  lu.assertEquals(ends(self:result()), { 0.0, 1.0 })
end

local function share_of(direction)
  return cf.metric { name = "share", direction = direction or "higher",
    score = function(truth, predicted)
      local hits = 0
      for i, name in ipairs(truth) do hits = hits + (name == predicted[i] and 1 or 0) end
      return hits / #truth
    end }
end

function TestStored:test_a_metric_in_lua_that_is_given_has_pooled_scores()
  local live = self:evaluate({ knn = "knn" }, { metrics = { "accuracy", share_of() } })
  local found = self:read { metrics = { share_of() } }
  assert_equal_results(found.results[1], live, { classes = true })
end

function TestStored:test_metrics_that_are_not_those_of_the_store_are_refused()
  self:evaluate({ knn = "knn" }, { metrics = { "accuracy", share_of() } })
  local function message(...) return fixtures.message(self.read, self, { metrics = { ... } }) end
  lu.assertEquals(message(share_of("lower")),
    "stored: metric 'share' has direction 'lower', the one in the store 'higher'")
  lu.assertEquals(message(cf.metric { name = "other", direction = "lower", score = function() end }),
    ("stored: no result in '%s' has a metric 'other' that is written in Lua"):format(self.store))
  lu.assertEquals(message("accuracy"), "stored: metric 1 is a string; only those written in Lua are needed, "
    .. "as cf.metric{ name =, direction =, score = } makes them")
end

function TestStored:test_bootstrap_estimates_are_as_they_were()
  local live = {
    cf.bootstrap_632 { data = iris, learner = "knn", repeats = 5, store = self.store },
    cf.bootstrap_632 { data = iris, learner = cf.voting { learners = { "knn", "naive_bayes" } },
      repeats = 4, method = "632", seed = 2, store = self.store },
  }
  local found = self:read()
  lu.assertEquals({ #found.damaged, #found.results, #found.bootstrap_632 }, { 0, 0, 2 })
  for i, estimate in ipairs(live) do
    assert_same(found.bootstrap_632[i], estimate)
    assert_same(found.bootstrap_632[i]:provenance(), estimate:provenance())
    lu.assertEquals(tostring(found.bootstrap_632[i]), tostring(estimate))
    lu.assertEquals(found.bootstrap_632[i]:to { csv = true }, estimate:to { csv = true })
  end
  lu.assertStrContains(tostring(found), tostring(live[2]))
  lu.assertStrContains(cf.report { store = self.store }, "error rate of &#39;knn&#39; on &#39;iris&#39;")
end

-- A second evaluation of the same cells finds them, and notes what the first one did.
function TestStored:test_a_result_of_cells_that_were_found_is_as_it_was()
  self:evaluate { knn = "knn", fails = cf.learner("debug", { action = "throw_in_predict", when_row = 7 }) }
  local live = self:evaluate { knn = "knn",
    fails = cf.learner("debug", { action = "throw_in_predict", when_row = 7 }) }
  assert_equal_results(self:read().results[2], live, {})
end

function TestStored:test_a_plan_notes_nothing()
  cf.plan(function() self:evaluate { knn = "knn" } end)
  lu.assertErrorMsgContains("there is no such file", cf.stored, { store = self.store })
end

-- An evaluation that ends with an error leaves what it had come to.
function TestStored:test_folds_that_were_never_computed_are_missing()
  pcall(self.evaluate, self, {
    a = "knn", b = cf.learner { name = "stops", predict = function() end,
      fit = function() error("enough", 0) end },
  }, { on_error = "stop" })
  local result = self:result()
  local rows = result:summary()
  lu.assertEquals({ rows[1].learner, rows[1].defined, rows[1].failed, rows[1].missing },
    { "a", 0, 0, 4 })
  lu.assertEquals({ rows[3].learner, rows[3].defined, rows[3].failed, rows[3].missing },
    { "b", 0, 1, 3 })
  lu.assertEquals(result:scores()[16].undefined, "not computed yet")
  lu.assertEquals(result:folds()[8].failure, "not computed yet")
  lu.assertStrContains(tostring(result), "7 folds are not computed yet")
end

function TestStored:test_predictions_beyond_the_limit_are_told()
  local live = self:evaluate({ knn = "knn" }, { store_predictions = false, keep = "probabilities" })
  local found = self:result()
  assert_same(found:scores(), live:scores())
  lu.assertEquals(found:predictions(), {})
  lu.assertEquals(fixtures.message(found.confusion, found, "knn"),
    "confusion: the store has no predictions of 4 of 4 folds; run again with room for predictions")
  lu.assertEquals(fixtures.message(found.curve, found, "roc", { learner = "knn" }),
    "curve: the store has no predictions of 4 of 4 folds; run again with room for predictions")
  lu.assertEquals(found:pooled()[1].undefined, "the store has no predictions of 4 of 4 folds")
end

-- What is saved has no cells, so no seconds.
function TestStored:test_a_saved_result_is_as_it_was()
  local live = cf.evaluate { data = iris, splitter = kfold, metrics = { "accuracy", "log_loss" }, seed = 3,
    on_error = cf.learner("featureless"), learners = {
      knn = "knn", vote = cf.voting { learners = { "knn", "naive_bayes" } },
      fails = cf.learner("debug", { action = "throw_in_predict", when_row = 7 }),
      search = cf.grid_search { learner = "knn", grid = { k = { 1, 5 } }, metric = "accuracy",
        splitter = inner },
    } }
  live:save(self.store)
  assert_equal_results(self:result(), live, { classes = true, shared = true })
  local second = self.store .. "2"
  self:result():save(second)
  assert_equal_results(cf.stored { store = second }.results[1], live, { classes = true, shared = true })
  for _, ending in ipairs { "", "-wal", "-shm" } do os.remove(second .. ending) end
end

-- As in stores of older programs.
function TestStored:test_a_run_that_noted_nothing_has_what_its_cells_tell()
  local splits = cf.split(kfold, iris, { seed = 5 })
  local metrics = { cf.metric("accuracy"), cf.metric("log_loss") }
  local outcomes = cf.run({ { learner = "knn", splits = splits, metrics = metrics, keep = "probabilities" },
    { learner = "naive_bayes", splits = splits, metrics = metrics, keep = "probabilities" } },
    { store = self.store })
  local result = self:result()
  local rows = result:scores()
  lu.assertEquals(#rows, 16)
  lu.assertEquals({ rows[1].learner, rows[1].dataset, rows[1].metric, rows[1].fold },
    { "knn", "iris", "accuracy", 1 })
  for i = 1, 8 do
    assert_same(rows[2 * i - 1].value, (outcomes:score(i, 1)))
    assert_same(rows[2 * i].value, (outcomes:score(i, 2)))
  end
  lu.assertEquals(#result:predictions(), 300)
  lu.assertEquals(cf.compare(result, { metric = "accuracy" }):rows()[1].splits, 4)
end

-- Replaces one value somewhere in a tree of tables.
local function spoil(value, draw)
  local strange = { 0, -1, 1e300, "x", true, {}, { {} }, 3, ("9"):rep(20), { ["#number"] = "nan" } }
  if type(value) ~= "table" or next(value) == nil or draw(6) == 1 then return strange[draw(#strange)] end
  local copy, keys = {}, {}
  for key, field in pairs(value) do copy[key], keys[#keys + 1] = field, key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  local key = keys[draw(#keys)]
  copy[key] = draw(8) > 1 and spoil(copy[key], draw) or nil
  return copy
end

-- Findings with good checksums that say anything: what cannot be is reported, and nothing else
-- happens.
function TestStored:test_findings_of_a_stranger_are_read_or_told()
  self:evaluate({ knn = "knn", fails = cf.learner("debug", { action = "throw_in_predict", when_row = 7 }),
    search = cf.grid_search { learner = "knn", grid = { k = { 1, 5 } }, metric = "accuracy",
      splitter = inner } }, { on_error = cf.learner("featureless") })
  cf.learning_curve { data = iris, learners = "knn", trials = 2, metrics = "accuracy",
    sizes = { 10, 20 }, store = self.store }
  local ledger = native.open_ledger(self.store, 1)
  local list, seed = ledger:findings(), 1
  ledger:close()
  local function draw(n)
    seed = seed * 48271 % 2147483647
    return seed % n + 1
  end
  local told = 0
  for _ = 1, 120 do
    local one = list[draw(#list)]
    local function note(body)
      native.record_findings({ store = self.store }, one.experiment, { { kind = one.kind,
        name = one.name, body = findings.encode(body), splits = one.splits } })
    end
    note(spoil(one.body, draw))
    local found = self:read()
    told = told + (#found.damaged > 0 and 1 or 0)
    for _, problem in ipairs(found.damaged) do
      lu.assertNil(problem:find("attempt to", 1, true), problem)
    end
    for _, result in ipairs(found.results) do lu.assertIsTable(result:scores()) end
    note(one.body)
  end
  lu.assertTrue(told > 15)
  lu.assertEquals(self:read().damaged, {})
end

function TestStored:test_ledgers_of_variance_and_repeats_are_as_they_were()
  local ledger = cf.variance { data = iris, learners = { "knn", "naive_bayes" }, metric = "accuracy",
    sources = { data = 3, split = 2 }, store = self.store }
  local broken = cf.learner { name = "broken", fit = function() error("no", 0) end, predict = function() end }
  local repeats = {
    cf.repeat_until { data = iris, learner = "knn", metric = "accuracy", width = 0.1, first_repeats = 5,
      store = self.store },
    cf.repeat_until { data = iris, learner = broken, metric = "accuracy", width = 0.1, first_repeats = 5,
      store = self.store },
  }
  local found = self:read()
  lu.assertEquals({ #found.damaged, #found.variance, #found.repeat_until }, { 0, 1, 2 })
  lu.assertEquals(found.variance[1]:rows(), ledger:rows())
  lu.assertEquals(tostring(found.variance[1]), tostring(ledger))
  lu.assertEquals(found.variance[1]:provenance(), ledger:provenance())
  lu.assertEquals(tostring(found.variance[1]:buy { width = 0.1, learner = "knn" }),
    tostring(ledger:buy { width = 0.1, learner = "knn" }))
  for i, one in ipairs(repeats) do
    lu.assertEquals(tostring(found.repeat_until[i]), tostring(one))
    lu.assertEquals(found.repeat_until[i]:values(), one:values())
  end
  lu.assertStrContains(tostring(found), tostring(ledger))
  lu.assertStrContains(cf.report { store = self.store }, "Sources of variance")
end

-- Ledgers with a good checksum that say anything.
function TestStored:test_a_ledger_of_a_stranger_is_damaged()
  cf.variance { data = iris, learner = "knn", metric = "accuracy", sources = { split = 2 }, store = self.store }
  local ledger = native.open_ledger(self.store, 1)
  local one = ledger:findings()[1]
  ledger:close()
  local function damaged(change)
    local body = findings.decode(one.body)
    change(body)
    native.record_findings({ store = self.store }, one.experiment, { { kind = one.kind, name = one.name,
      body = findings.encode(body) } })
    return self:read().damaged[1]
  end
  lu.assertNil(damaged(function() end))
  lu.assertEquals(damaged(function(body) body.sources = 3 end), "experiment 1: sources is a number, not a table")
  lu.assertEquals(damaged(function(body) body.learners[1].scores = { 1 } end),
    "experiment 1: there are 1 scores, not 2")
  lu.assertEquals(damaged(function(body) body.learners[1].scores[2] = "x" end),
    "experiment 1: score 2 is a string, not a number")
  lu.assertEquals(damaged(function(body) body.learners[1] = 4 end), "experiment 1: a learner is a number, not a table")
  lu.assertEquals(damaged(function(body) body.sources[1].units = 1 end), "experiment 1: there are 2 scores, not 1")
end

-- A provenance with a good checksum that says anything.
function TestStored:test_the_provenance_of_a_stranger_is_told()
  cf.bootstrap_632 { data = iris, learner = "knn", repeats = 3, store = self.store }
  local ledger = native.open_ledger(self.store, 1)
  local one = ledger:findings()[1]
  ledger:close()
  local function damaged(change)
    local body = findings.decode(one.body)
    change(body.where_from)
    native.record_findings({ store = self.store }, one.experiment, { { kind = one.kind, name = one.name,
      body = findings.encode(body) } })
    local found = self:read()
    return found.damaged, #found.bootstrap_632
  end
  lu.assertEquals({ damaged(function() end) }, { {}, 1 })
  lu.assertEquals({ damaged(function(from) from.seed = nil end) }, { {}, 1 })
  lu.assertEquals({ damaged(function(from) from.seed = "x" end) },
    { { "experiment 1: seed of its provenance is not an integer" }, 0 })
  lu.assertEquals({ damaged(function(from) from.datasets[1].hash = {} end) },
    { { "experiment 1: hash of its provenance is not a string" }, 0 })
  lu.assertEquals({ damaged(function(from) from.learners[1] = 7 end) },
    { { "experiment 1: a part of its provenance is not a table" }, 0 })
end

function TestStored:test_unknown_runs_and_wrong_options_are_refused()
  self:evaluate { knn = "knn" }
  lu.assertEquals(fixtures.message(cf.stored, { store = self.store, run = 7 }),
    ("cannot read store '%s': there is no run 7; known: 1"):format(self.store))
  lu.assertEquals(fixtures.message(cf.stored, { store = self.store, run = 0 }),
    "stored: run = 0 is not the number of a run; cf.store_status lists them")
  lu.assertEquals(fixtures.message(cf.stored, {}), "stored: option 'store' is missing")
  lu.assertEquals(fixtures.message(cf.stored, { store = self.store, runs = 1 }),
    "stored: unknown option 'runs'; did you mean 'run'? known: metrics, run, store")
end

return TestStored
