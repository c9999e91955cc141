// The score of each row alone, for methods that treat the rows of a prediction as a sample:
// intervals of one score, tests, confidence sets.
#pragma once

#include <string>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/log_sink.h"
#include "crossfold/outcome.h"
#include "crossfold/spec.h"

namespace crossfold {

struct RowScores {
  std::vector<double> values;   // one per row of the prediction, in its order
  std::vector<double> weights;  // of the rows in the dataset; empty = all 1
  std::string undefined;        // why there are none; "" = there are
  bool is_composed = false;     // why not: the metric is not a mean over rows
  bool defined() const { return undefined.empty(); }
};

// Scores each row of a prediction alone. They are defined only if the metric is a mean over rows on
// this prediction: their weighted mean must be the score of all rows, up to rounding (1e-9 of the
// mean of their absolute values). So they are undefined for AUC, F1 or the root of a mean, except
// where the two agree, as in a prediction of one row. Errors are those of ScorePrediction.
RowScores ScoreEachRow(const Spec& metric, const Dataset& data, const Prediction& prediction,
                       const LogSink& log = LogSink());

}  // namespace crossfold
