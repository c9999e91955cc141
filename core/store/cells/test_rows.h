// The rows that the folds of one repeat test, for all folds at once: leave-one-out over n rows is
// O(n), not O(n) for each fold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "crossfold/split.h"

namespace crossfold {

// The row ids, fold by fold, in the order of the outcomes.
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

}  // namespace crossfold
