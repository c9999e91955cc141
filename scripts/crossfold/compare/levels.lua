-- Lists how often a test at 0.05 finds a difference between equal learners, where that is more often than 0.07:
-- shares of 2000 simulated data sets of 100 rows, by tests/bench/level_of_tests.lua; one standard error is
-- at most 0.008; `more` is from tests/slow/type_one_error.lua (3000 data sets). Other designs that were
-- measured keep the level: 10 folds once have 0.040, 0.037, 0.013.
local comparison_levels = {}

local measured = {
  mcnemar_leave_one_out = { text = "leave-one-out", knn = 0.1305, tree = 0.1340, lda = 0.0605 },
  five_by_two_t = { text = "5 times 2 folds", knn = 0.1255, tree = 0.0730, lda = 0.0570 },
  five_by_two_f = { text = "5 times 2 folds", knn = 0.1575, tree = 0.0780, lda = 0.0570 },
  repeated_folds = { text = "10 times 10 folds", knn = 0.1035, tree = 0.0625, lda = 0.0450,
    more = "2.3 % with nearest means (80 rows, 3 times 10 folds)" },
  random_splits = { text = "30 splits, 1/3 tested", knn = 0.0830, tree = 0.0250, lda = 0.0420 },
}

-- With naive Bayes: 150 data sets, tests/bench/TYPE_ONE_ERROR.md.
local repeats_of_groups = "at alpha = 0.05 this test calls equal learners different in 7.3 % (stratified) and 8.0 to "
  .. "9.3 % of data sets with naive Bayes (simulated, 10 times 5 folds of 30 and 40 groups)"

local function key_of(test, design)
  if test == "McNemar mid-p" then return design.kind == "leave_one_out" and "mcnemar_leave_one_out" end
  if test == "5x2cv t" then return "five_by_two_t" end
  if test == "5x2cv F" then return "five_by_two_f" end
  if test ~= "corrected resampled t" then return nil end
  if design.kind == "kfold" then return design.repeats > 1 and "repeated_folds" end
  return design.kind == "resampled" and not design.heuristic and "random_splits"
end

local function percent(share) return ("%.1f %%"):format(100 * share) end

-- What a reader of this test over these splits should know about its level; nil where it was measured to be
-- kept, and where nothing was measured.
function comparison_levels.note(test, design)
  local key = key_of(test, design)
  if key == "repeated_folds" and design.groups then return repeats_of_groups end
  local found = measured[key]
  if not found then return nil end
  return ("at alpha = 0.05 this test calls equal learners different in %s of data sets with k nearest "
    .. "neighbours, %s with trees, %s with LDA (simulated on 100 rows, %s)%s"):format(percent(found.knn),
      percent(found.tree), percent(found.lda), found.text, found.more and ", " .. found.more or "")
end

-- The largest share of the test on leave-one-out, as text.
comparison_levels.of_leave_one_out = percent(measured.mcnemar_leave_one_out.tree)

return comparison_levels
