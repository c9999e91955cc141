local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestGridSearch = {}

local threefold = cf.splitter("kfold", { folds = 3, shuffle = false })

local function search(changes)
  local options = { learner = "knn", grid = { k = { 1, 3 } }, splitter = threefold,
    metric = "accuracy" }
  for key, value in pairs(changes or {}) do options[key] = value end
  return cf.grid_search(options)
end

function TestGridSearch:test_names_are_sorted_and_the_last_varies_fastest()
  local _, detail = search { grid = { k = { 1, 3 }, distance = { "euclidean", "manhattan" } } }
    :fit(fixtures.separable(), { seed = 1 })
  local names = {}
  for i, entry in ipairs(detail.inner) do names[i] = entry.candidate end
  lu.assertEquals(names, {
    "knn{distance=euclidean,k=1}", "knn{distance=euclidean,k=3}",
    "knn{distance=manhattan,k=1}", "knn{distance=manhattan,k=3}",
  })
end

function TestGridSearch:test_equal_candidates_give_the_earlier_one()
  local _, detail = search { grid = { k = { 3, 1 } } }:fit(fixtures.separable(), { seed = 1 })
  lu.assertEquals(detail.inner[1].mean, detail.inner[2].mean)
  lu.assertEquals(detail.chosen, { k = 3 })
end

function TestGridSearch:test_lower_is_better_where_the_metric_says_so()
  local _, by_error = search { metric = "error_rate", grid = { k = { 1, 7 } } }
    :fit(fixtures.iris(), { seed = 1 })
  local _, by_accuracy = search { metric = "accuracy", grid = { k = { 1, 7 } } }
    :fit(fixtures.iris(), { seed = 1 })
  lu.assertEquals(by_error.chosen, by_accuracy.chosen)
end

function TestGridSearch:test_a_candidate_that_fails_is_out_with_its_reason()
  local _, detail = search { grid = { k = { 50, 1 } } }:fit(fixtures.separable(), { seed = 1 })
  lu.assertEquals(detail.chosen, { k = 1 })
  lu.assertNil(detail.inner[1].mean)
  lu.assertStrContains(detail.inner[1].failure, "k = 50 exceeds the 8 training rows")
end

function TestGridSearch:test_no_candidate_left_is_an_error_with_the_first_reason()
  lu.assertEquals(fixtures.message(function()
    search { grid = { k = { 50, 60 } } }:fit(fixtures.separable(), { seed = 1 })
  end), "cannot choose among 2 candidates: none could be evaluated; the first failed at check knn: "
    .. "k = 50 exceeds the 8 training rows")
end

function TestGridSearch:test_every_problem_of_the_grid_is_told_at_once()
  local message = fixtures.message(search, { grid = { k = { 0, -1 }, distance = { "euclid" } } })
  lu.assertStrContains(message, "k = 0 is out of range")
  lu.assertStrContains(message, "k = -1 is out of range")
  lu.assertStrContains(message, "distance = 'euclid' is no choice")
end

function TestGridSearch:test_bad_grids_are_refused()
  lu.assertEquals(fixtures.message(search, { grid = { k = {} } }),
    "grid_search: the values of 'k' must be a list that is not empty")
  lu.assertEquals(fixtures.message(search, { grid = { k = 5 } }),
    "grid_search: the values of 'k' must be a list that is not empty")
  lu.assertEquals(fixtures.message(search, { grid = { k = { 3, 3.0 } } }),
    "grid_search: the setting knn{k=3} occurs twice")
  lu.assertStrContains(fixtures.message(search, { grids = {} }), "unknown option 'grids'")
  lu.assertStrContains(fixtures.message(search, { learner = search() }), "not a search")
end

function TestGridSearch:test_a_list_of_grids_is_searched_in_order()
  local _, detail = search { grid = { { k = { 3 } }, { distance = { "manhattan" }, k = { 1 } } } }
    :fit(fixtures.separable(), { seed = 1 })
  lu.assertEquals(detail.inner[1].candidate, "knn{k=3}")
  lu.assertEquals(detail.inner[2].candidate, "knn{distance=manhattan,k=1}")
end

function TestGridSearch:test_parameters_of_a_pipeline_are_found_by_name()
  local pipeline = cf.pipeline { cf.transform("standardize"), cf.learner("knn") }
  local _, detail = search { learner = pipeline, grid = { ["knn.k"] = { 1 }, scale = { true, false } } }
    :fit(fixtures.separable(), { seed = 1 })
  lu.assertEquals(#detail.inner, 2)
  lu.assertStrContains(detail.inner[2].candidate, "scale=false")
end

function TestGridSearch:test_a_metric_undefined_everywhere_is_an_error_with_its_reason()
  local never = cf.metric { name = "never", direction = "higher",
    score = function() return nil, "there is nothing to see" end }
  lu.assertStrContains(fixtures.message(function()
    search { metric = never }:fit(fixtures.separable(), { seed = 1 })
  end), "never is undefined in every inner fold: there is nothing to see")
end

function TestGridSearch:test_the_chosen_model_is_fitted_on_all_rows()
  local data = fixtures.separable()
  local model, detail = search { grid = { k = { 1 } } }:fit(data, { seed = 1 })
  lu.assertEquals(detail.chosen, { k = 1 })
  lu.assertEquals(model:predict(data):labels(), data:target())
end

function TestGridSearch:test_a_hole_among_the_values_is_refused()
  lu.assertEquals(fixtures.message(search, { grid = { k = { 1, nil, 3 } } }),
    "grid_search: the values of 'k': element 2 of 3 is nil; leave it out")
end

function TestGridSearch:test_an_inner_fold_column_must_be_no_feature()
  local data = cf.dataset { name = "folded", target = "y", columns = {
    { name = "x", values = { 1, 2, 3, 4 } }, { name = "part", values = { 1, 2, 1, 2 } },
    { name = "y", values = { "a", "a", "b", "b" } } } }
  lu.assertEquals(fixtures.message(cf.evaluate, { data = data, metrics = "accuracy",
    learners = { s = search { splitter = cf.splitter("predefined", { column = "part" }) } },
    splitter = cf.splitter("kfold", { folds = 2 }) }),
    "cannot search on 'folded': the fold column 'part' is a feature of it; read the data with "
    .. "folds = \"part\"")
end
