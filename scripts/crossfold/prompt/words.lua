-- Options and arguments that take one of a few words, for completion: by the function's name behind "cf.",
-- or by the method's name behind a colon. tests/scripts/prompt/prompt_test.lua compares them with
-- scripts/meta/crossfold.d.lua.
local points = { "all", "corners", "hull" }
local choose = { "best", "one_se", "within_noise" }
local test = { "corrected_t", "mcnemar" }
local weights = { "equal", "inverse_variance", "rank", "size" }
local adjust = { "holm", "hochberg", "bonferroni", "benjamini_hochberg" }
local keep = { "labels", "probabilities", "none" }
local vote = { "majority", "probabilities", "mean" }
local correction = { "nadeau_bengio", "none" }
local isolate = { "auto", "none", "worker", "fresh" }
local on_store_error = { "continue", "stop" }
local aggregation = { "pooled", "vertical", "folds" }
local on_error = { "record", "stop" }
local inactive = { "refuse", "drop" }
local curve = { "roc", "precision_recall", "det", "calibration", "lift", "cost", "thresholds" }
local binning = { "uniform", "quantile" }
local loss = { "zero_one", "squared" }

local words = {}

words.options = {
  [":crossing"] = { correction = correction, weights = weights },
  [":curve"] = {
    aggregation = aggregation,
    binning = binning,
    interval = { "normal", "bootstrap" },
    points = points,
  },
  [":fit"] = { correction = correction, weights = weights },
  [":summary"] = { correction = correction },
  bagging = { vote = vote },
  bias_variance = {
    isolate = isolate, on_store_error = on_store_error, loss = loss, method = { "kohavi_wolpert", "domingos" },
  },
  bootstrap_632 = {
    isolate = isolate, on_store_error = on_store_error, loss = { "error_rate", "squared" }, method = { "632+", "632" },
  },
  calibration = { method = { "platt", "isotonic" } },
  compare = {
    adjust = adjust,
    test = { "corrected_t", "mcnemar", "five_by_two_t", "five_by_two_f", "unpaired_t", "paired_t" },
  },
  cross_predict = { isolate = isolate, on_store_error = on_store_error, keep = { "labels", "probabilities" } },
  curve = { binning = binning, points = points },
  evaluate = { isolate = isolate, on_store_error = on_store_error, keep = keep, on_error = on_error },
  grid_search = { choose = choose, inactive = inactive },
  halving_search = { choose = choose, inactive = inactive },
  learning_curve = {
    isolate = isolate, on_store_error = on_store_error,
    keep = keep,
    on_error = on_error,
    schedule = { "geometric", "arithmetic" },
  },
  metric = { direction = { "higher", "lower", "neither" } },
  parallel = { isolate = isolate, on_store_error = on_store_error },
  ["plot.bias_variance"] = { method = { "kohavi_wolpert", "domingos", "squared" } },
  ["plot.calibration"] = { aggregation = aggregation },
  ["plot.cost"] = { aggregation = aggregation },
  ["plot.det"] = { aggregation = aggregation },
  ["plot.learning_curve"] = { scale = { "linear", "log" } },
  ["plot.lift"] = { aggregation = aggregation },
  ["plot.precision_recall"] = { aggregation = aggregation },
  ["plot.roc"] = { aggregation = aggregation },
  race_search = { choose = choose, inactive = inactive },
  random_search = { choose = choose },
  read = {
    encoding = {
      "utf-8", "utf8", "latin1", "iso-8859-1", "windows-1252", "cp1252", "utf-16", "utf-16le", "utf-16be",
    },
    format = { "arff", "arrow", "arrows", "csv", "db", "duckdb", "feather", "ipc", "json", "jsonl", "libsvm",
               "ndjson", "parquet", "sqlite", "sqlite3", "svm", "svmlight", "tsv" },
    task = { "classification", "regression" },
  },
  run = { isolate = isolate, on_store_error = on_store_error },
  ["stats.accuracy_interval"] = {
    method = { "wilson", "wilson_corrected", "normal", "clopper_pearson", "agresti_coull", "jeffreys" },
  },
  ["stats.adjust_p"] = { method = adjust },
  ["stats.bias_variance"] = { loss = loss },
  ["stats.bootstrap_interval"] = { method = { "bca", "percentile" }, statistic = { "mean", "median" } },
  ["stats.critical_difference"] = { method = { "nemenyi", "bonferroni_dunn" } },
  ["stats.detectable_difference"] = { test = test },
  ["stats.mcnemar"] = { method = { "exact", "mid_p", "chi_squared", "corrected" } },
  ["stats.no_information_error"] = { loss = loss },
  ["stats.power"] = { test = test },
  ["stats.power_law"] = { weights = weights },
  ["stats.rows_needed"] = { test = test },
  ["stats.sign_test"] = { ties = { "dropped", "split" } },
  ["stats.wilcoxon"] = { method = { "auto", "exact", "normal" }, zeros = { "wilcox", "pratt", "zsplit" } },
  threshold = { costs = { "data" }, metric = { "f1", "accuracy", "balanced_accuracy", "youden", "mcc" } },
  voting = { vote = vote },
}

-- The first argument of functions and methods.
words.arguments = {
  [":curve"] = curve,
  [":passed"] = { "leak", "risk", "note" },
  curve = curve,
  ["plot.applicable"] = {
    "bias_variance", "calibration", "confusion", "cost", "critical_difference", "det", "failures", "folds",
    "grid", "learning_curve", "lift", "precision_recall", "roc", "summary", "times", "tuning",
    "validation_curve",
  },
}

return words
