// Scores, which are metrics applied to truth and predictions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crossfold/cell.h"
#include "crossfold/outcome.h"
#include "crossfold/run.h"

namespace crossfold {

// Scores a prediction against the dataset's own target. The score is undefined (with the reason)
// also if the metric needs what the prediction lacks, such as probabilities. Throws Error(kFailed)
// if the metric itself fails or returns NaN without saying why, and Error(kInvalidArgument) if the
// prediction is not for this dataset, that is, if it has rows or classes that the dataset lacks or
// arrays of other lengths. What the metric logs, and warnings about it, go to `log` (may be empty).
Score ScorePrediction(const Spec& metric, const Dataset& data, const Prediction& prediction,
                      const LogSink& log = LogSink());

// Does the same for several metrics, in their order. Metrics that offer crossfold.accumulate/1
// share one pass over the prediction. Throws if one of them does. `train` has the rows from which
// the prediction was learned, for metrics that compare with them; empty = not known.
std::vector<Score> ScorePredictions(const MetricList& metrics, const Dataset& data,
                                    const Prediction& prediction, const LogSink& log = LogSink(),
                                    std::span<const std::int64_t> train = {});

// The functions above and below score by MetricFor(metric, data): `metric`, or, if the data say
// which class is positive and the metric has a parameter `positive` that has an effect and was not
// given, the metric of that class. A store keeps scores under this spec, so those of another class
// are others.
std::shared_ptr<const Spec> MetricFor(const std::shared_ptr<const Spec>& metric,
                                      const Dataset& data);
MetricList MetricsFor(const MetricList& metrics, const Dataset& data);

// The class whose value a metric has for `data`; nullopt if its spec names the class, or if all
// classes play the same part, which a trial on a few rows shows.
struct ScoredClass {
  std::string name;
  bool is_given = false;  // by the data; else it is the second of two
};
std::optional<ScoredClass> FindScoredClass(const Spec& metric, const Dataset& data);

// Throws Error if the metric is for another task.
void CheckMetric(const Spec& metric, const Dataset& data);
// Whether models of the learner have scores instead of probabilities (crossfold.scores/1).
bool HasScoresInstead(const Spec& learner);
// Throws Error if the metric needs probabilities and the learner has scores instead.
void CheckMetricOfLearner(const Spec& metric, const Spec& learner);

// Runs cells as RunCells does and computes the scores of each cell's metrics on the worker that
// finished the cell. If a metric fails, its cell fails. REQUIRES: CheckCompatible and CheckMetric
// hold.
std::vector<Outcome> RunAndScore(std::span<const Cell> cells, const RunOptions& options);

// Does the same for blocks of cells, in order, without keeping the outcomes, so that a batch of
// millions of cells needs only the memory that `take` keeps. Cells count from 0 over all blocks.
// Outcomes that were taken before std::bad_alloc is thrown (see RunCells) are valid.
void RunAndScore(std::span<const CellBlock> blocks, const RunOptions& options,
                 const TakeOutcome& take);

}  // namespace crossfold
