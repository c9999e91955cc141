// Out-of-fold predictions: every row predicted by a model that was not trained on it.
#pragma once

#include <cstdint>
#include <vector>

#include "crossfold/cell.h"
#include "crossfold/outcome.h"
#include "crossfold/run.h"

namespace crossfold {

struct FailedSplit {
  std::int64_t split = 0;
  Failure failure;
};

struct CrossPrediction {
  // One a repeat of partitions, with the tested rows in the order of the view; one in all for lists
  // of splits, split by split. Rows of failed splits are left out.
  std::vector<Prediction> repeats;
  std::vector<FailedSplit> failures;  // by split
  std::int64_t n_elsewhere = 0;  // splits that other shards compute; rows of these are left out
};

// The predictions of all cells of a block, pooled. `keep` says whether with probabilities; metrics
// are not asked. No object a cell is made, so that leave-one-out of a large dataset costs little
// more than what the learner takes; `on_finished` is called only for cells that were fitted one by
// one. After a cancellation throws Error(kCancelled). REQUIRES:
// CheckCompatible holds.
CrossPrediction CrossPredict(const CellBlock& block, const RunOptions& options);

// The same with an outcome for each cell, from `engine`: a store, worker processes.
CrossPrediction CrossPredict(const CellBlock& block, const RunOptions& options,
                             const RunEngine& engine);

}  // namespace crossfold
