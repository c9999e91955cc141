// All rows of one repeat of a partition with the fold of each, as a learner gets them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "crossfold/split.h"

namespace crossfold {

// Folds that are not requested count as always trained on; the others are renumbered from 0.
class FoldRows {
 public:
  // Takes splits split .. split + n_splits - 1. REQUIRES: they are of one repeat of a partition.
  FoldRows(const SplitPlan& plan, std::int64_t split, std::int64_t n_splits) {
    const DataView& view = plan.view();
    const Partition& partition = plan.partitions()[static_cast<std::size_t>(plan.repeat_of(split))];
    const auto first = static_cast<std::int32_t>(plan.fold_of(split));
    const auto n = partition.fold_of_row.size();
    // As in separate fits, training rows come in the order of their ids.
    position_.resize(n);
    std::iota(position_.begin(), position_.end(), std::int64_t{0});
    const auto id = [&](std::int64_t position) { return view.row_id(position); };
    const auto by_id = [&](std::int64_t a, std::int64_t b) { return id(a) < id(b); };
    if (!std::is_sorted(position_.begin(), position_.end(), by_id)) {
      std::sort(position_.begin(), position_.end(), by_id);
    }
    ids_.resize(n);
    fold_of_row_.resize(n);
    starts_.assign(static_cast<std::size_t>(n_splits) + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
      ids_[i] = id(position_[i]);
      const std::int32_t fold =
          partition.fold_of_row[static_cast<std::size_t>(position_[i])] - first;
      fold_of_row_[i] = fold >= 0 && fold < n_splits ? fold : -1;
      if (fold_of_row_[i] >= 0) ++starts_[static_cast<std::size_t>(fold_of_row_[i]) + 1];
    }
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    tested_.resize(static_cast<std::size_t>(starts_.back()));
    SortTested();
  }

  std::int64_t num_rows() const { return static_cast<std::int64_t>(ids_.size()); }
  std::size_t num_folds() const { return starts_.size() - 1; }
  // The row ids, ascending, and the fold of each.
  const std::vector<std::int64_t>& ids() const { return ids_; }
  std::span<const std::int32_t> fold_of_row() const { return fold_of_row_; }
  // The tested rows as indices into ids(), fold by fold and within a fold in the order of the view.
  std::span<const std::int64_t> tested() const { return tested_; }
  std::span<const std::int64_t> tested(std::size_t fold) const {
    const auto first = static_cast<std::size_t>(starts_[fold]);
    return std::span(tested_).subspan(first, num_tested(fold));
  }
  std::size_t first_tested(std::size_t fold) const {
    return static_cast<std::size_t>(starts_[fold]);
  }
  std::size_t num_tested(std::size_t fold) const {
    return static_cast<std::size_t>(starts_[fold + 1] - starts_[fold]);
  }
  // The position of row i of ids() in the view.
  std::int64_t position(std::int64_t i) const { return position_[static_cast<std::size_t>(i)]; }

 private:
  void SortTested() {
    std::vector<std::int64_t> next(starts_.begin(), starts_.end() - 1);
    std::vector<std::int64_t> index_of(position_.size());  // of a position: its index in ids()
    for (std::size_t i = 0; i < position_.size(); ++i) {
      index_of[static_cast<std::size_t>(position_[i])] = static_cast<std::int64_t>(i);
    }
    for (const std::int64_t i : index_of) {
      const std::int32_t fold = fold_of_row_[static_cast<std::size_t>(i)];
      if (fold >= 0) tested_[static_cast<std::size_t>(next[static_cast<std::size_t>(fold)]++)] = i;
    }
  }

  std::vector<std::int64_t> position_, ids_, starts_, tested_;
  std::vector<std::int32_t> fold_of_row_;
};

}  // namespace crossfold
