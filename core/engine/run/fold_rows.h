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

// Folds that are not requested count as always trained on; the others are renumbered from 0. Rows
// have the order of their ids, as in separate fits; the place of a row is its index in it. Where
// the plan has a list already, it is used in place.
class FoldRows {
 public:
  // Takes splits split .. split + n_splits - 1. REQUIRES: they are of one repeat of a partition,
  // and the plan outlives this.
  FoldRows(const SplitPlan& plan, std::int64_t split, std::int64_t n_splits)
      : view_rows_(plan.view().rows.get()) {
    const Partition& partition = plan.partitions()[static_cast<std::size_t>(plan.repeat_of(split))];
    fold_of_row_ = partition.fold_of_row;
    ids_ = view_rows_;
    if (view_rows_ != nullptr && !std::is_sorted(view_rows_->begin(), view_rows_->end())) {
      SortById();
    }
    const auto first = static_cast<std::int32_t>(plan.fold_of(split));
    if (n_splits != partition.n_folds) Renumber(first, static_cast<std::int32_t>(n_splits));
    starts_.assign(static_cast<std::size_t>(n_splits) + 1, 0);
    for (const std::int32_t fold : fold_of_row_) {
      if (fold >= 0) ++starts_[static_cast<std::size_t>(fold) + 1];
    }
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    SortTested();
  }
  FoldRows(const FoldRows&) = delete;
  FoldRows& operator=(const FoldRows&) = delete;

  std::int64_t num_rows() const { return std::ssize(fold_of_row_); }
  std::size_t num_folds() const { return starts_.size() - 1; }
  // The row ids, ascending; null = all rows of the dataset.
  const std::vector<std::int64_t>* ids() const { return ids_; }
  std::int64_t id(std::int64_t place) const {
    return ids_ == nullptr ? place : (*ids_)[static_cast<std::size_t>(place)];
  }
  // By place.
  std::span<const std::int32_t> fold_of_row() const { return fold_of_row_; }
  // The places of the tested rows, fold by fold and within a fold in the order of the view.
  std::span<const std::int64_t> tested() const { return tested_; }
  std::span<const std::int64_t> tested(std::size_t fold) const {
    return tested().subspan(first_tested(fold), num_tested(fold));
  }
  std::size_t first_tested(std::size_t fold) const {
    return static_cast<std::size_t>(starts_[fold]);
  }
  std::size_t num_tested(std::size_t fold) const {
    return static_cast<std::size_t>(starts_[fold + 1] - starts_[fold]);
  }
  // Whether places are positions in the view.
  bool is_in_view_order() const { return position_.empty(); }
  std::int64_t position(std::int64_t place) const {
    return position_.empty() ? place : position_[static_cast<std::size_t>(place)];
  }

 private:
  void SortById() {
    const std::size_t n = view_rows_->size();
    position_.resize(n);
    std::iota(position_.begin(), position_.end(), std::int64_t{0});
    const auto id = [&](std::int64_t p) { return (*view_rows_)[static_cast<std::size_t>(p)]; };
    std::sort(position_.begin(), position_.end(),
              [&](std::int64_t a, std::int64_t b) { return id(a) < id(b); });
    own_ids_.resize(n);
    own_folds_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      own_ids_[i] = id(position_[i]);
      own_folds_[i] = fold_of_row_[static_cast<std::size_t>(position_[i])];
    }
    ids_ = &own_ids_;
    fold_of_row_ = own_folds_;
  }

  void Renumber(std::int32_t first, std::int32_t n_folds) {
    if (own_folds_.empty()) own_folds_.assign(fold_of_row_.begin(), fold_of_row_.end());
    for (std::int32_t& fold : own_folds_) {
      fold = fold >= first && fold - first < n_folds ? fold - first : -1;
    }
    fold_of_row_ = own_folds_;
  }

  void SortTested() {
    tested_.resize(static_cast<std::size_t>(starts_.back()));
    std::vector<std::int64_t> next(starts_.begin(), starts_.end() - 1);
    const auto add = [&](std::int64_t place) {
      const std::int32_t fold = fold_of_row_[static_cast<std::size_t>(place)];
      if (fold >= 0)
        tested_[static_cast<std::size_t>(next[static_cast<std::size_t>(fold)]++)] = place;
    };
    if (is_in_view_order()) {
      for (std::int64_t place = 0; place < num_rows(); ++place) add(place);
      return;
    }
    std::vector<std::int64_t> place_of(position_.size());  // of a position
    for (std::size_t i = 0; i < position_.size(); ++i) {
      place_of[static_cast<std::size_t>(position_[i])] = static_cast<std::int64_t>(i);
    }
    for (const std::int64_t place : place_of) add(place);
  }

  const std::vector<std::int64_t>* view_rows_;  // of the plan; null = all
  const std::vector<std::int64_t>* ids_ = nullptr;
  std::span<const std::int32_t> fold_of_row_;
  std::vector<std::int64_t> starts_, tested_;
  // Only if the rows of the view have another order, and own_folds_ for some of the folds.
  std::vector<std::int64_t> position_, own_ids_;
  std::vector<std::int32_t> own_folds_;
};

}  // namespace crossfold
