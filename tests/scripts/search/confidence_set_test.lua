-- The candidates of a search that cannot be distinguished from the best, and the rule that takes the simplest of them.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestConfidenceSet = {}

local function search(changes)
  return cf.grid_search(fixtures.with({ learner = "knn", grid = { k = { 1, 5, 15, 31, 95 } }, metric = "accuracy",
    splitter = cf.splitter("kfold", { folds = 5, stratify = true }) }, changes))
end

local function found_by(changes)
  return (select(2, search(changes):fit(fixtures.iris(), { seed = 1 })))
end

function TestConfidenceSet:test_a_candidate_that_is_clearly_worse_is_not_in_it()
  local set = found_by():confidence_set()
  lu.assertEquals(set.candidates[5].candidate, "knn{k=95}")
  lu.assertFalse(set.candidates[5].in_set)
  lu.assertEquals(#set.set, 4)
  lu.assertEquals(tostring(set), "4 of 5 candidates cannot be distinguished from the best by accuracy at level 95 %: "
    .. "knn{k=1}, knn{k=5}, knn{k=15}, knn{k=31}.")
end

function TestConfidenceSet:test_the_best_is_always_in_it()
  for _, confidence in ipairs { 0.5, 0.9, 0.99 } do
    local found = found_by()
    local set, best = found:confidence_set { confidence = confidence }, nil
    for _, entry in ipairs(set.candidates) do
      if entry.candidate == found.candidate then best = entry end
    end
    lu.assertTrue(best.in_set)
  end
end

function TestConfidenceSet:test_sentences_of_all_and_of_one()
  lu.assertEquals(tostring(found_by { grid = { k = { 1, 5 } } }:confidence_set()),
    "None of the 2 candidates can be distinguished from the best by accuracy at level 95 %.")
  lu.assertEquals(tostring(found_by { grid = { k = { 5, 95 } } }:confidence_set()),
    "'knn{k=5}' is better by accuracy than the other candidate, at level 95 %.")
end

function TestConfidenceSet:test_a_metric_that_is_not_a_mean_over_rows_needs_another()
  local found = found_by { metric = "cohen_kappa" }
  lu.assertStrMatches(fixtures.message(found.confidence_set, found), "confidence_set: 'cohen_kappa' has no score of "
    .. "each row: .*; give metric = one that is a mean over rows")
  lu.assertEquals(found:confidence_set { metric = "accuracy" }.metric, "accuracy")
end

function TestConfidenceSet:test_the_simplest_in_the_set_is_taken()
  local found = found_by { choose = "simplest in the set", simplest = { k = "higher" } }
  local set = {}
  for _, entry in ipairs(found.inner) do set[entry.candidate] = entry.in_set end
  lu.assertEquals(set, { ["knn{k=1}"] = true, ["knn{k=5}"] = true, ["knn{k=15}"] = true, ["knn{k=31}"] = true,
    ["knn{k=95}"] = false })
  lu.assertEquals(found.candidate, "knn{k=31}")
end

function TestConfidenceSet:test_the_rule_needs_the_predictions()
  lu.assertEquals(fixtures.message(search, { choose = "simplest in the set", simplest = { k = "higher" },
    keep_inner = false }), "grid_search: choose = 'simplest in the set' needs the predictions of all candidates; "
    .. "leave out keep_inner = false")
end

function TestConfidenceSet:test_the_rule_needs_scores_of_rows()
  lu.assertStrMatches(fixtures.message(found_by, { choose = "simplest in the set", simplest = { k = "higher" },
    metric = "cohen_kappa" }), "grid_search: choose = \"simplest in the set\": 'cohen_kappa' has no score of each "
    .. "row: .*; choose by \"within_noise\"")
end

function TestConfidenceSet:test_folds_of_one_row_are_refused()
  local found = found_by { splitter = "leave_one_out" }
  lu.assertEquals(fixtures.message(found.confidence_set, found), "cannot test which candidates are as good as the "
    .. "best: every inner fold has one row, which has no deviation from its mean; use folds of two rows or more")
end

function TestConfidenceSet:test_samples_that_cannot_reject_are_refused()
  local found = found_by()
  lu.assertEquals(fixtures.message(found.confidence_set, found, { samples = 10 }), "confidence_set: samples = 10 is "
    .. "too few to reject a candidate at confidence = 0.95; use 249 or more")
  lu.assertEquals(fixtures.message(found.confidence_set, found, { confidence = 0.999, samples = 1000 }),
    "confidence_set: samples = 1000 is too few to reject a candidate at confidence = 0.999; use 12499 or more")
  lu.assertEquals(fixtures.message(found.confidence_set, found, { confidence = 1 }),
    "confidence_set: confidence = 1 is out of range; use a number between 0 and 1")
end

function TestConfidenceSet:test_a_high_confidence_draws_as_often_as_it_needs()
  local set = found_by { grid = { k = { 5, 95 } } }:confidence_set { confidence = 0.999 }
  lu.assertEquals(set.samples, 12500)
  lu.assertEquals(tostring(set), "'knn{k=5}' is better by accuracy than the other candidate, at level 99.9 %.")
end

function TestConfidenceSet:test_a_low_alpha_does_not_let_every_candidate_in()
  local found = found_by { choose = "simplest in the set", simplest = { k = "higher" }, alpha = 0.001 }
  lu.assertEquals(found.candidate, "knn{k=31}")
  local shares = {}
  for _, one in ipairs(found_by { choose = "simplest in the set", simplest = { k = "higher" }, alpha = 0.005,
    grid = { k = { 5, 95 } } }:corrected { samples = 20 }.chosen) do shares[one.candidate] = one.share end
  lu.assertEquals(shares, { ["knn{k=5}"] = 1 })
end

function TestConfidenceSet:test_candidates_that_differ_by_rounding_are_equal()
  local x, y = {}, {}
  for i = 1, 60 do x[i], y[i] = (i * 37) % 60 / 60, (i * 37) % 60 / 7 + (i * 11) % 5 end
  local data = cf.dataset { name = "line", target = "y", columns = { { name = "x", values = x },
    { name = "y", values = y } } }
  local _, found = cf.grid_search { learner = "ridge", grid = { l2 = { 1e-13, 2e-13, 1e6 } }, metric = "mse",
    splitter = cf.splitter("kfold", { folds = 5 }) }:fit(data, { seed = 1 })
  local set = found:confidence_set()
  lu.assertEquals(set.candidates[1].p, 1)
  lu.assertEquals(set.candidates[2].p, 1)
  lu.assertFalse(set.candidates[3].in_set)
end

function TestConfidenceSet:test_one_candidate_is_no_comparison()
  lu.assertEquals(tostring(found_by { grid = { k = { 5 } } }:confidence_set()), "There is one candidate, 'knn{k=5}'.")
end

-- What the rule says of a search on `data`, and how many fits it made before.
local function refused(changes, data)
  local n = 0
  local counted = cf.learner {
    name = "counted", params = { k = { type = "integer", low = 1, high = 9, default = 1 } },
    fit = function() n = n + 1 return {} end,
    predict = function(_, rows)
      local labels = {}
      for i = 1, #rows do labels[i] = rows:classes()[1] end
      return { labels = labels }
    end,
  }
  local given = fixtures.with({ learner = counted, grid = { k = { 1, 2 } }, choose = "simplest in the set",
    simplest = { k = "higher" } }, changes)
  local value = search(given)
  return fixtures.message(value.fit, value, data or fixtures.iris(), { seed = 1 }), n
end

function TestConfidenceSet:test_the_rule_refuses_before_the_first_fit()
  local message, n = refused { metric = "f1_macro" }
  lu.assertStrMatches(message, "grid_search: choose = \"simplest in the set\": 'f1{average=macro}' has no score of "
    .. "each row: .*; choose by \"within_noise\"")
  lu.assertEquals(n, 0)
  message, n = refused { splitter = "leave_one_out" }
  lu.assertEquals(message, "grid_search: choose = \"simplest in the set\": every fold of 'leave_one_out' has one row, "
    .. "which has no deviation from its mean; use folds of two rows or more")
  lu.assertEquals(n, 0)
  message, n = refused { splitter = cf.splitter("time_series", { folds = 3 }) }
  lu.assertStrContains(message, "are in the order of the rows, so they are not exchangeable")
  lu.assertEquals(n, 0)
end

function TestConfidenceSet:test_the_rule_takes_metrics_that_are_means_over_rows()
  for _, metric in ipairs { "accuracy", "log_loss", "brier", "error_rate" } do
    lu.assertEquals(found_by { choose = "simplest in the set", simplest = { k = "higher" }, metric = metric,
      grid = { k = { 15, 31 } } }.choose, "simplest in the set")
  end
end
