local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestGridSearch = {}

local threefold = cf.splitter("kfold", { folds = 3, shuffle = false })

local function search(changes)
  return cf.grid_search(fixtures.with({ learner = "knn", grid = { k = { 1, 3 } }, splitter = threefold,
    metric = "accuracy" }, changes))
end

function TestGridSearch:test_names_are_sorted_and_the_last_varies_fastest()
  local _, detail = search { grid = { k = { 1, 3 }, distance = { "euclidean", "manhattan" } } }
    :fit(fixtures.separable(), { seed = 1 })
  lu.assertEquals(fixtures.column(detail.inner, "candidate"), {
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
  lu.assertStrContains(message, "distance = 'euclid' is not a choice")
end

function TestGridSearch:test_bad_grids_are_refused()
  lu.assertEquals(fixtures.message(search, { grid = { k = {} } }),
    "grid_search: the values of 'k' must be a list that is not empty")
  lu.assertEquals(fixtures.message(search, { grid = { k = 5 } }),
    "grid_search: the values of 'k' must be a list that is not empty")
  lu.assertEquals(fixtures.message(search, { grid = { k = { 3, 3.0 } } }),
    "grid_search: the setting knn{k=3} occurs twice")
  lu.assertStrContains(fixtures.message(search, { grids = {} }), "unknown option 'grids'")
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

local minkowski_grid = { distance = { "euclidean", "minkowski" }, p = { 1, 3 } }

function TestGridSearch:test_a_parameter_without_effect_is_refused_with_the_way_out()
  lu.assertEquals(fixtures.message(search, { grid = minkowski_grid }),
    "grid_search: cannot change 'knn': 'p' has no effect while distance = euclidean; it needs "
    .. "distance = minkowski\n  inactive = \"drop\" leaves out of a setting what has no effect in it")
end

function TestGridSearch:test_what_has_no_effect_can_be_dropped_and_equal_settings_count_once()
  local _, detail = search { grid = minkowski_grid, inactive = "drop" }
    :fit(fixtures.separable(), { seed = 1 })
  lu.assertEquals(fixtures.column(detail.inner, "candidate"),
    { "knn{distance=euclidean}", "knn{distance=minkowski,p=1}",
    "knn{distance=minkowski,p=3}" })
end

function TestGridSearch:test_dropping_does_not_hide_a_setting_that_is_written_twice()
  lu.assertEquals(fixtures.message(search, { grid = { k = { 3, 3.0 } }, inactive = "drop" }),
    "grid_search: the setting knn{k=3} occurs twice")
  lu.assertEquals(fixtures.message(search, { inactive = "merge" }),
    "grid_search: inactive = 'merge' is not one of drop, refuse")
end

function TestGridSearch:test_a_plan_tells_the_cells_without_running()
  local value = search { grid = { k = { 1, 3, 500 } } }
  lu.assertEquals(tostring(value:plan(fixtures.separable())),
    "3 of 3 candidates on 3 inner folds: 9 cells per search")
  local plan = value:plan(fixtures.separable(), { splitter = cf.splitter("kfold", { folds = 4 }) })
  lu.assertEquals(tostring(plan),
    "3 of 3 candidates on 3 inner folds: 9 cells per search; 4 outer folds: 40 cells")
  lu.assertEquals(plan.each, { 9, 9, 9, 9 })
end

function TestGridSearch:test_a_budget_of_cells_cuts_off_the_last_candidates()
  local value = search { grid = { k = { 1, 3, 5 } }, budget = { cells = 8 } }
  lu.assertEquals(tostring(value:plan(fixtures.separable())),
    "2 of 3 candidates on 3 inner folds: 6 cells per search")
  local _, detail = value:fit(fixtures.separable(), { seed = 1 })
  lu.assertEquals(detail.cells, 6)
  lu.assertEquals(detail.stopped, "2 of 3 candidates: the budget is 8 cells")
  lu.assertEquals(detail.inner[3], { candidate = "knn{k=5}", params = { k = 5 }, n_folds = 0,
    skipped = "not evaluated: the budget is 8 cells" })
end

function TestGridSearch:test_a_budget_of_seconds_leaves_out_what_it_cannot_begin()
  local ks = {}
  for k = 1, 40 do ks[k] = k end
  -- The first round always runs: 32 cells or more, here 10 candidates of 3 folds.
  local _, detail = search { grid = { k = ks }, budget = { seconds = 1e-9 } }
    :fit(fixtures.iris(), { seed = 1 })
  lu.assertEquals(detail.stopped, "stopped after 10 of 40 candidates: 1e-09 s")
  lu.assertEquals(detail.inner[11].skipped, "not evaluated: the budget is 1e-09 s")
  local _, whole = search { grid = { k = ks }, budget = { seconds = 1000 } }
    :fit(fixtures.iris(), { seed = 1 })
  lu.assertNil(whole.stopped)
  lu.assertEquals(whole.inner[10].mean, detail.inner[10].mean)
  lu.assertNotNil(whole.inner[40].mean)
end

function TestGridSearch:test_bad_budgets_are_refused()
  local cases = {
    { {}, "give one of the options cells, evaluations, seconds" },
    { { cells = 1, seconds = 1 }, "options 'cells' and 'seconds' exclude each other; give one" },
    { { cells = 0 }, "cells = 0 is out of range; use a number above 0" },
  }
  for _, case in ipairs(cases) do
    lu.assertEquals(fixtures.message(search, { budget = case[1] }),
      "grid_search: option 'budget': " .. case[2])
  end
  lu.assertEquals(fixtures.message(function()
    search { budget = { cells = 2 } }:fit(fixtures.separable(), { seed = 1 })
  end), "cannot search within 2 cells: the first candidate alone needs 3; raise the budget")
end

function TestGridSearch:test_more_metrics_are_kept_and_one_decides()
  local data = fixtures.iris()
  local _, one = search { metric = "accuracy" }:fit(data, { seed = 1 })
  local _, two = search { metric = "accuracy", metrics = { "log_loss", "accuracy" } }
    :fit(data, { seed = 1 })
  lu.assertEquals(two.chosen, one.chosen)
  for c, entry in ipairs(two.inner) do
    lu.assertEquals(entry.mean, one.inner[c].mean)
    lu.assertEquals(entry.metrics.accuracy.mean, entry.mean)
    lu.assertEquals(type(entry.metrics.log_loss), "table")
  end
  lu.assertNil(one.inner[1].metrics)
end

function TestGridSearch:test_a_metric_that_is_only_kept_does_not_stop_the_choice()
  local never = cf.metric { name = "never", direction = "higher",
    score = function() return nil, "there is nothing to see" end }
  local _, detail = search { metrics = { "accuracy", never } }:fit(fixtures.separable(), { seed = 1 })
  lu.assertEquals(detail.inner[1].metrics.never, { n_folds = 0 })
  lu.assertEquals(detail.inner[1].n_folds, 3)
  lu.assertEquals(detail.front, {})
end

function TestGridSearch:test_the_inner_table_of_every_outer_fold_is_kept()
  local result = cf.evaluate { data = fixtures.separable(), metrics = "accuracy",
    learners = { s = search { grid = { k = { 7, 1 } } } },
    splitter = cf.splitter { name = "uneven", split = function()
      return { splits = { { train = { 1, 2, 3, 10, 11, 12 }, test = { 4, 9 } },
        { train = { 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12 }, test = { 6 } } } }
    end } }
  local rows = result:tuning("s")
  lu.assertStrContains(rows[1].inner[1].failure, "k = 7 exceeds the 4 training rows")
  lu.assertEquals(rows[1].chosen, { k = 1 })
  lu.assertEquals(#rows[2].inner, 2)
  lu.assertEquals(rows[2].mean, rows[2].inner[rows[2].chosen.k == 7 and 1 or 2].mean)
end

function TestGridSearch:test_a_search_with_nothing_to_choose_keeps_its_inner_table()
  local result = cf.evaluate { data = fixtures.separable(), metrics = "accuracy",
    learners = { s = search { grid = { k = { 50 } } } }, splitter = threefold }
  local rows = result:tuning("s")
  lu.assertEquals(#rows, 3)
  lu.assertNil(rows[1].chosen)
  lu.assertStrContains(rows[1].inner[1].failure, "k = 50 exceeds the 5 training rows")
  lu.assertStrContains(rows[1].failure, "fit s: cannot choose among 1 candidates")
end

function TestGridSearch:test_the_rows_of_tuning_can_be_printed()
  -- A wide gap between the classes: the nearest neighbour never errs. The failing candidate is k = 50.
  local data = cf.dataset { name = "gap", target = "y", columns = {
    { name = "x", values = { 1, 2, 3, 4, 5, 6, 101, 102, 103, 104, 105, 106 } },
    { name = "y", values = { "a", "a", "a", "a", "a", "a", "b", "b", "b", "b", "b", "b" } } } }
  local inner = cf.splitter("kfold", { folds = 3, shuffle = false, stratify = true })
  local result = cf.evaluate { data = data, metrics = "accuracy",
    learners = { s = search { grid = { k = { 50, 1 } }, splitter = inner },
      none = search { grid = { k = { 50 } }, splitter = inner } },
    splitter = cf.splitter("kfold", { folds = 2, shuffle = false, stratify = true }) }
  lu.assertEquals(tostring(result:tuning("s")), table.concat({
    "repeat  fold  chosen    inner accuracy",
    "------  ----  --------  --------------",
    "     1     1  knn{k=1}          1.0000",
    "     1     2  knn{k=1}          1.0000",
    "(inner accuracy is optimistic: it made the choice; the scores on the outer test rows: result:scores())",
  }, "\n"))
  local failed = tostring(result:tuning("none"))
  lu.assertStrContains(failed, "repeat  fold  chosen  inner accuracy  failure")
  lu.assertNotStrContains(failed, "optimistic")
  lu.assertStrContains(failed, "fit none: cannot choose among 1 candidates: none could be evaluated")
end

function TestGridSearch:test_a_search_can_be_a_member_of_an_ensemble()
  local data = fixtures.iris()
  local voting = cf.voting { learners = { search(), "naive_bayes", search { grid = { k = { 5 } } } } }
  local result = cf.evaluate { data = data, learners = { v = voting }, metrics = "accuracy",
    splitter = cf.splitter("kfold", { folds = 3, stratify = true }) }
  lu.assertEquals(#result:failures(), 0)
  lu.assertTrue(result:summary()[1].mean > 0.9)
end
