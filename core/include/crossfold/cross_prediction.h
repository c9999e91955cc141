// Out-of-fold predictions: each row is predicted by a model that was not trained on it.
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
  // One prediction per repeat of partitions, with the tested rows in the order of the view. Lists
  // of splits have a single one, split by split. Rows of failed splits are left out.
  std::vector<Prediction> repeats;
  std::vector<FailedSplit> failures;  // by split
  std::int64_t n_elsewhere = 0;  // splits that other shards compute; rows of these are left out
};

// Pools the predictions of all cells of a block. `keep` says whether they have probabilities;
// metrics are not computed. It makes no object per cell, so that leave-one-out of a large dataset
// costs little more than the learner itself; `on_finished` is called only for cells that were
// fitted one by one. Throws Error(kCancelled) after a cancellation. REQUIRES: CheckCompatible
// holds.
CrossPrediction CrossPredict(const CellBlock& block, const RunOptions& options);

// Does the same with an outcome for each cell from `engine`, such as a store or worker processes.
CrossPrediction CrossPredict(const CellBlock& block, const RunOptions& options,
                             const RunEngine& engine);

}  // namespace crossfold
