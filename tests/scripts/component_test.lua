local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestComponents = {}

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
  lu.assertEquals(fixtures.message(cf.learner, "knnn"),
    "cannot find learner 'knnn': did you mean 'knn'? known: debug, featureless, knn, naive_bayes")
  lu.assertStrContains(fixtures.message(cf.metric, "acuracy"), "did you mean 'accuracy'?")
  lu.assertStrContains(fixtures.message(cf.splitter, "kfolds"), "did you mean 'kfold'?")
  lu.assertStrContains(fixtures.message(cf.transform, "standardise"), "did you mean 'standardize'?")
end

function TestComponents:test_every_problem_is_told_at_once()
  lu.assertEquals(fixtures.message(cf.learner, "knn", { k = 0, distance = "manhatan", kk = 1 }),
    "cannot make learner 'knn': 3 problems: (1) distance = 'manhatan' is no choice; did you mean "
    .. "'manhattan'? known: chebyshev, euclidean, manhattan, minkowski; (2) k = 0 is out of range; "
    .. "it is an integer >= 1; (3) unknown parameter 'kk'; did you mean 'k'? known: distance, k, p, "
    .. "weights")
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
