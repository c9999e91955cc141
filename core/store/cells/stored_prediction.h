// Predictions as a store keeps them. A row of `cells` or `composed` has one as
//   what there is (1): 1 = row ids, 2 = labels, 4 = values, 8 = probabilities
//   rows (4)
//   classes (4)
//   row ids (8 each), unless they are those that the split tests, in its order
//   bytes of a label (1: 1, 2 or 4) and the labels
//   values (8 each)
//   probabilities (8 each)
// Numbers are little-endian, reals are their bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/cell.h"
#include "crossfold/cell_store.h"
#include "crossfold/dataset.h"
#include "crossfold/outcome.h"
#include "crossfold/split.h"

namespace crossfold {

// `tested` has the rows that the split tests, in its order; if it is empty, row ids are always
// written.
std::string PackPrediction(const Prediction& prediction, std::span<const std::int64_t> tested);

// Throws plugin::Error for bytes that PackPrediction did not write with these rows. Whether rows
// and classes exist in the dataset is for the caller to check if row ids were written.
Prediction UnpackPrediction(std::string_view bytes, std::span<const std::int64_t> tested);

// The same for a known dataset: also throws for rows, classes or a task that it does not have.
Prediction UnpackPredictionOf(const Dataset& data, std::string_view bytes,
                              std::span<const std::int64_t> tested);

// The rows that the folds of one repeat test, for all folds at once: leave-one-out over n rows is
// O(n), not O(n) for each fold. The ids are fold by fold, in the order of the outcomes.
struct FoldTests {
  std::vector<std::int64_t> ids;
  std::vector<std::size_t> starts;

  std::span<const std::int64_t> Of(std::int64_t fold) const {
    const auto f = static_cast<std::size_t>(fold);
    return std::span(ids).subspan(starts[f], starts[f + 1] - starts[f]);
  }
};

std::shared_ptr<const FoldTests> MakeFoldTests(const SplitPlan& plan, std::int64_t first_split);

// Keeps those that were requested last, up to some megabytes. Thread-safe.
class TestRows {
 public:
  struct Rows {
    std::shared_ptr<const FoldTests> owner;
    std::span<const std::int64_t> ids;
  };
  // The test rows of one split. REQUIRES: the plan outlives this.
  Rows Of(const SplitPlan& plan, std::int64_t split);

 private:
  struct Entry {
    const SplitPlan* plan;
    std::int64_t first_split;
    std::shared_ptr<const FoldTests> tests;
  };

  std::shared_ptr<const FoldTests> Find(const SplitPlan& plan, std::int64_t first_split);

  std::mutex mutex_;
  std::list<Entry> entries_;  // the last used first
  std::size_t bytes_ = 0;
};

// Reads one prediction again, without running or counting anything: returns what the block keeps of
// the stored prediction of its split; nullopt = the store has no usable one. `share`:
// RunOptions::share of the run that stored it. `tests` may serve several calls. Thread-safe. Throws
// Error if the file cannot be read.
std::optional<Prediction> FindStoredPrediction(CellStore& store, const CellBlock& block,
                                               std::int64_t split, bool share, TestRows& tests);

}  // namespace crossfold
