local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestComponents = {}

-- The names after "known: ": sorted, each once, and each accepted by `make`.
local function known_names(problem, make)
  local list = assert(problem:match("known: (.*)$"), problem)
  local names = {}
  for name in (list .. ", "):gmatch("(.-), ") do
    lu.assertTrue(#names == 0 or names[#names] < name, list)
    names[#names + 1] = name
    make(name)
  end
  return list, names
end

function TestComponents:test_names_of_other_tools_are_translated()
  local function assert_meant(ours, make, ...)
    lu.assertStrContains(fixtures.message(make, ...), ("did you mean '%s'? known: "):format(ours))
  end
  assert_meant("k", cf.learner, "knn", { n_neighbors = 3 })
  assert_meant("trees", cf.learner, "random_forest", { n_estimators = 3 })
  assert_meant("rounds", cf.learner, "adaboost", { n_estimators = 3 })
  assert_meant("folds", cf.splitter, "kfold", { n_splits = 3 })
  assert_meant("folds", cf.splitter, "time_series", { n_splits = 3 })
  assert_meant("repeats", cf.splitter, "holdout", { n_splits = 3 })
  assert_meant("matthews_correlation", cf.metric, "mcc")
  assert_meant("least_squares", cf.learner, "linear_regression")
  assert_meant("least_squares", cf.evaluate, { data = fixtures.iris(), learners = "linear_regression",
    splitter = "kfold", metrics = "accuracy" })
end

function TestComponents:test_a_spec_shows_what_was_given()
  lu.assertEquals(tostring(cf.learner("knn", { k = 7, distance = "manhattan" })),
    "knn{distance=manhattan,k=7}")
  lu.assertEquals(tostring(cf.pipeline { cf.transform("standardize"), cf.learner("knn", { k = 3 }) }),
    "standardize|knn{k=3}")
end

function TestComponents:test_params_include_the_defaults()
  local params = cf.learner("knn", { k = 7 }):params()
  lu.assertEquals(params.k, 7)
  lu.assertEquals(params.distance, "euclidean")
end

function TestComponents:test_with_changes_a_copy()
  local five = cf.learner("knn", { k = 5 })
  lu.assertEquals(tostring(five:with { k = 7 }), "knn{k=7}")
  lu.assertEquals(tostring(five), "knn{k=5}")
end

function TestComponents:test_an_integral_float_is_an_integer()
  lu.assertEquals(cf.learner("knn", { k = 3.0 }):params().k, 3)
end

function TestComponents:test_unknown_ids_are_told_with_the_known_ones()
  local problem = fixtures.message(cf.learner, "knnn")
  local needs_packages = { sklearn = true, r_formula = true }  -- of Python and R, which may be missing
  local list, names = known_names(problem, function(name)
    if not needs_packages[name] then lu.assertNotNil(cf.learner(name)) end
  end)
  lu.assertEquals(problem, "cannot find learner 'knnn': did you mean 'knn'? known: " .. list)
  for _, name in ipairs { "debug", "featureless", "knn", "naive_bayes" } do
    lu.assertTableContains(names, name)
  end
  lu.assertStrContains(fixtures.message(cf.metric, "acuracy"), "did you mean 'accuracy'?")
  lu.assertStrContains(fixtures.message(cf.splitter, "kfolds"), "did you mean 'kfold'?")
  lu.assertStrContains(fixtures.message(cf.transform, "standardise"), "did you mean 'standardize'?")
end

function TestComponents:test_every_problem_is_told_at_once()
  local distances, names = known_names(fixtures.message(cf.learner, "knn", { distance = "manhatan" }),
    function(name) return cf.learner("knn", { distance = name }) end)
  lu.assertTableContains(names, "manhattan")
  lu.assertEquals(fixtures.message(cf.learner, "knn", { k = 0, distance = "manhatan", kk = 1 }),
    "cannot make learner 'knn': 3 problems: (1) distance = 'manhatan' is not a choice; did you mean "
    .. "'manhattan'? known: " .. distances .. "; (2) k = 0 is out of range; it must be an integer >= 1; "
    .. "(3) unknown parameter 'kk'; did you mean 'k'? known: distance, k, p, weights")
end

function TestComponents:test_pipelines_end_in_a_learner()
  lu.assertError(cf.pipeline, { cf.transform("standardize") })
  lu.assertError(cf.pipeline, { cf.learner("knn"), cf.learner("knn") })
  lu.assertError(cf.pipeline, { 5 })
end

function TestComponents:test_a_model_predicts_what_it_learnt()
  local data = fixtures.separable()
  local model = cf.learner("knn", { k = 1 }):fit(data, { seed = 1 })
  local prediction = model:predict(data:without_target())
  lu.assertEquals(prediction:labels(), data:target())
  lu.assertEquals(#prediction:probabilities(), 12)
  lu.assertEquals(tostring(model), "model of knn{k=1}")
end

function TestComponents:test_a_classifier_refuses_a_numeric_target_with_a_way_out()
  local data = cf.dataset { name = "n", target = "y", columns = {
    { name = "x", values = { 1, 2 } }, { name = "y", values = { 1, 2 } } } }
  lu.assertStrContains(fixtures.message(function() cf.learner("naive_bayes"):fit(data) end),
    "classification")
end

function TestComponents:test_a_prediction_for_hidden_rows_has_no_truth()
  local data = fixtures.separable()
  local prediction = cf.learner("knn", { k = 1 }):fit(data):predict(data:without_target())
  lu.assertEquals(fixtures.message(function() return prediction:truth() end),
    "cannot read the truth of a prediction: the target of its rows is hidden; predict rows that "
    .. "show it")
end

function TestComponents:test_the_truth_is_that_of_the_rows_predicted()
  local other = cf.dataset { name = "other", target = "y", columns = {
    { name = "x", values = { 1, 2 } }, { name = "y", values = { "high", "strange" } } } }
  local prediction = cf.learner("knn", { k = 1 }):fit(fixtures.separable()):predict(other)
  lu.assertEquals(prediction:truth(), { "high", "strange" })
  lu.assertEquals(prediction:labels(), { "low", "low" })
end

function TestComponents:test_fit_refuses_options_that_it_does_not_know()
  local data = fixtures.separable()
  lu.assertEquals(fixtures.message(function() cf.learner("knn"):fit(data, { sed = 1 }) end),
    "fit: unknown option 'sed'; known: seed, start")
  lu.assertEquals(fixtures.message(function() cf.learner("knn"):fit(data, { seed = "x" }) end),
    "fit: option 'seed' must be an integer, got a string")
end

function TestComponents:test_an_id_with_parameters_in_it_is_told()
  local ok, problem = pcall(cf.metric, "f1{average=macro}")
  lu.assertFalse(ok)
  lu.assertStrContains(problem, "cannot find metric 'f1{average=macro}': an id has no parameters in it; give them "
    .. "as a table, as in cf.metric(\"f1\", { ... })")
  ok, problem = pcall(cf.pipeline, { "standardize", "knn{k=3}" })
  lu.assertFalse(ok)
  lu.assertStrContains(problem, "cf.learner(\"knn\", { ... })")
end

function TestComponents:test_a_name_without_quotes_is_told()
  for kind, example in pairs { learner = "knn", metric = "accuracy", splitter = "kfold",
    transform = "standardize" } do
    local ok, problem = pcall(cf[kind], nil)
    lu.assertFalse(ok)
    lu.assertStrContains(problem, ("%s: expected an id or a table of functions, got a nil; put an id in "
      .. "quotes, as in cf.%s(\"%s\")"):format(kind, kind, example))
  end
end

function TestComponents:test_wrong_types_are_told_on_the_line_of_the_script()
  for _, f in ipairs {
    function() return cf.transform() end,
    function() return cf.learner("knn", 5) end,
    function() return cf.splitter("kfold", "x") end,
    function() return cf.metric("accuracy", true) end,
    function() return cf.evaluate { learners = 5 } end,
    function() return cf.run({}, { workers = -1 }) end,
  } do
    local ok, problem = pcall(f)
    lu.assertFalse(ok)
    lu.assertStrContains(problem, "component_test.lua:")
    lu.assertStrContains(problem, tostring(debug.getinfo(f, "S").linedefined))
  end
end

function TestComponents:test_names_do_not_end_at_a_nul()
  lu.assertError(cf.learner, "knn\0x")
  lu.assertError(cf.learner, "knn", { ["k\0x"] = 3 })
end

function TestComponents:test_equal_numbers_make_equal_seeds()
  lu.assertEquals(cf.seed(1, 2.0), cf.seed(1, 2))
  lu.assertError(cf.seed, 1, 0 / 0)
end

function TestComponents:test_a_tail_call_keeps_its_line()
  local chunk = load("\nreturn require('crossfold').learner('knn', { kk = 1 })", "@mine.lua")
  local ok, problem = pcall(chunk)
  lu.assertFalse(ok)
  lu.assertStrContains(problem, "mine.lua:2: cannot make learner 'knn'")
end
