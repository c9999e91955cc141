-- Options and arguments that take one of a few words, for completion: by the function's name behind "cf.",
-- or by the method's name behind a colon. tests/scripts/prompt_test.lua compares them with
-- scripts/meta/crossfold.d.lua.
local isolate = { "none", "worker", "fresh" }
local keep = { "labels", "probabilities", "none" }
local kept = { "labels", "probabilities" }
local choose = { "best", "one_se", "within_noise" }
local inactive = { "refuse", "drop" }
local vote = { "majority", "probabilities", "mean" }
local loss = { "zero_one", "squared" }
local power = { "corrected_t", "mcnemar" }
local curves = { "roc", "precision_recall", "det", "calibration", "lift", "cost", "thresholds" }

local words = {}

words.options = {
  bias_variance = { isolate = isolate, loss = loss },
  bootstrap_632 = { isolate = isolate, loss = { "error_rate", "squared" }, method = { "632+", "632" } },
  calibration = { method = { "platt", "isotonic" } },
  compare = {
    adjust = { "holm", "hochberg", "bonferroni", "none" },
    test = { "corrected_t", "mcnemar", "five_by_two_t", "five_by_two_f", "unpaired_t", "paired_t" },
  },
  cross_predict = { isolate = isolate, keep = kept },
  evaluate = { isolate = isolate, keep = keep, on_error = { "record", "stop" } },
  grid_search = { choose = choose, inactive = inactive },
  halving_search = { choose = choose, inactive = inactive },
  learning_curve = {
    isolate = isolate, keep = keep, on_error = { "record", "stop" }, schedule = { "geometric", "arithmetic" },
  },
  metric = { direction = { "higher", "lower", "neither" } },
  parallel = { isolate = isolate },
  race_search = { choose = choose, inactive = inactive },
  random_search = { choose = choose },
  read = { format = { "csv", "tsv", "arff", "libsvm" }, task = { "classification", "regression" } },
  run = { isolate = isolate },
  voting = { vote = vote },
  bagging = { vote = vote },
  ["stats.accuracy_interval"] = {
    method = { "wilson", "wilson_corrected", "normal", "clopper_pearson", "agresti_coull", "jeffreys" },
  },
  ["stats.adjust_p"] = { method = { "holm", "hochberg", "bonferroni" } },
  ["stats.bias_variance"] = { loss = loss },
  ["stats.bootstrap_interval"] = { method = { "bca", "percentile" }, statistic = { "mean", "median" } },
  ["stats.critical_difference"] = { method = { "nemenyi", "bonferroni_dunn" } },
  ["stats.detectable_difference"] = { test = power }, ["stats.power"] = { test = power },
  ["stats.rows_needed"] = { test = power },
  ["stats.no_information_error"] = { loss = loss },
  [":curve"] = { aggregation = { "pooled", "vertical", "folds" } },
  [":fit"] = {
    correction = { "nadeau_bengio", "none" }, weights = { "equal", "inverse_variance", "rank", "size" },
  },
  [":summary"] = { correction = { "nadeau_bengio", "none" } },
}

-- The first argument of functions and methods.
words.arguments = {
  curve = curves, [":curve"] = curves, [":passed"] = { "leak", "risk", "note" },
}

return words
