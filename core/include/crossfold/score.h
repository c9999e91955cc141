// Scores: metrics applied to truth and predictions.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "crossfold/cell.h"
#include "crossfold/outcome.h"
#include "crossfold/run.h"

namespace crossfold {

// Scores a prediction against the dataset's own target. Undefined (with the reason) also if the
// metric needs what the prediction lacks, such as probabilities. Throws Error(kFailed) if the
// metric itself fails or returns NaN without saying why, and Error(kInvalidArgument) if the
// prediction is none for this dataset: rows or classes that it does not have, arrays of other
// lengths. What the metric logs, and warnings about it, go to `log` (may be empty).
Score ScorePrediction(const Spec& metric, const Dataset& data, const Prediction& prediction,
                      const LogSink& log = LogSink());

// The same for several metrics, in their order. Those that can (crossfold.accumulate/1) share one
// pass over the prediction. Throws if one of them does. `train`: the rows from which the prediction
// was learned, for metrics that compare with what these say; empty = not known.
std::vector<Score> ScorePredictions(const MetricList& metrics, const Dataset& data,
                                    const Prediction& prediction, const LogSink& log = LogSink(),
                                    std::span<const std::int64_t> train = {});

// Refuses a metric of another task. Throws Error.
void CheckMetric(const Spec& metric, const Dataset& data);

// RunCells, and the scores of each cell's metrics, computed on the worker that finished the cell.
// A metric that fails makes its cell a failed one. REQUIRES: CheckCompatible and CheckMetric hold.
std::vector<Outcome> RunAndScore(std::span<const Cell> cells, const RunOptions& options);

// The same for blocks of cells, in order, without keeping the outcomes: a batch of millions of
// cells needs no memory but what `take` keeps. Cells count from 0 over all blocks. What was taken
// before std::bad_alloc is thrown (see RunCells) is sound.
void RunAndScore(std::span<const CellBlock> blocks, const RunOptions& options,
                 const TakeOutcome& take);

}  // namespace crossfold
