-- The candidates of a search that cannot be distinguished from the best, and the rule that takes the simplest of them.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestConfidenceSet = {}

local function search(changes)
  local options = { learner = "knn", grid = { k = { 1, 5, 15, 31, 95 } }, metric = "accuracy",
    splitter = cf.splitter("kfold", { folds = 5, stratify = true }) }
  for key, value in pairs(changes or {}) do options[key] = value end
  return cf.grid_search(options)
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
  for _, level in ipairs { 0.5, 0.9, 0.99 } do
    local found = found_by()
    local set, best = found:confidence_set { level = level }, nil
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
