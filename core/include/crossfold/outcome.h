// The outcome of a cell: predictions and scores, or the reason why there are none. It is plain
// data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crossfold_plugin/status.h"

namespace crossfold {

// Predictions for some rows of a dataset. Arrays that do not apply are empty.
struct Prediction {
  std::vector<std::int64_t> rows;    // row ids
  std::vector<std::int32_t> labels;  // classification: class indices
  // Regression: one per row. Classification: rows x n_classes scores of a learner that has them
  // instead of probabilities (crossfold.scores/1).
  std::vector<double> values;
  std::int64_t n_classes = 0;
  std::vector<double> probabilities;  // rows x n_classes, row-major
};

// A metric's value, or why there is none. Undefined is never a number.
struct Score {
  bool defined = false;
  double value = 0;       // only if defined
  std::string undefined;  // the reason, if not
};

// The stage and the reason of a cell's failure.
struct Failure {
  std::string stage;  // "fit knn", "predict knn", "apply standardize", "score log_loss"
  cf_status code = CF_E_INTERNAL;
  std::string message;
  bool by_limit = false;  // by time, memory or a signal: another try may succeed
};

// kElsewhere: another shard computes the cell (shard.h); such an outcome is neither stored nor sent
// to another process.
enum class OutcomeStatus { kOk, kFailed, kCancelled, kElsewhere };

struct Outcome {
  OutcomeStatus status = OutcomeStatus::kCancelled;
  Failure failure;                    // if kFailed
  Prediction prediction;              // as the cell's `keep` asks
  std::vector<Score> scores;          // one per metric of the cell, if kOk
  std::vector<std::string> warnings;  // misbehaviour of a plugin that did not stop the cell
  std::int64_t n_train = 0, n_test = 0;
  double fit_s = 0, predict_s = 0;  // wall-clock; never part of a result's identity
};

}  // namespace crossfold
