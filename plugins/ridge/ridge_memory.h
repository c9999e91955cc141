// What ridge regression and least squares hold in memory, from the shape of the data alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../design.h"
#include "cross_folds.h"
#include "crossfold_plugin.hpp"
#include "problem.h"

namespace crossfold::bundled {

// Whether a cross prediction holds all rows in memory, to take any fold out of their sums.
inline bool IsHeld(std::int64_t n_rows, std::int64_t n_features) {
  constexpr std::int64_t kMostNumbers = std::int64_t{1} << 28;
  return n_rows * n_features <= kMostNumbers;
}

// The positions of the folds that may be taken out of sums of all rows; none of the others. All
// rows are then held in memory, so of many numbers only those folds that are so small that there
// may be more than a hundred of them.
inline std::vector<Positions> FoldsToTakeOut(const plugin::TrainingView& rows,
                                             std::span<const std::int32_t> fold_of_row,
                                             std::int32_t n_folds) {
  if (rows.num_features() > kMostFeaturesWithSums) {
    return std::vector<Positions>(static_cast<std::size_t>(n_folds));
  }
  std::vector<std::size_t> sizes(static_cast<std::size_t>(n_folds));
  for (const std::int32_t fold : fold_of_row) {
    if (fold >= 0) ++sizes[static_cast<std::size_t>(fold)];
  }
  const std::size_t most =
      IsHeld(rows.num_rows(), rows.num_features()) ? fold_of_row.size() : fold_of_row.size() / 100;
  std::vector<Positions> folds(sizes.size());
  for (std::size_t i = 0; i < fold_of_row.size(); ++i) {
    if (fold_of_row[i] < 0) continue;
    const auto fold = static_cast<std::size_t>(fold_of_row[i]);
    if (sizes[fold] <= most) folds[fold].push_back(static_cast<std::int64_t>(i));
  }
  return folds;
}

// The bytes that a fit holds at its peak.
inline std::uint64_t BytesOfFit(const cf_shape& shape) {
  const auto n_rows = static_cast<std::uint64_t>(shape.n_rows);
  const auto width =
      static_cast<std::uint64_t>(shape.n_features + std::max<std::int64_t>(shape.n_classes, 1));
  const std::uint64_t n_targets = width - static_cast<std::uint64_t>(shape.n_features);
  const std::uint64_t held = n_rows * n_targets <= TargetSums::kMostTargets ? n_rows : 0;
  return sizeof(double) *
         (held * (3 * n_targets + 1) + 4 * DesignBlocks::kRows * width + 6 * width * (width + 256));
}

// The bytes that a prediction of all folds in one call holds at its peak.
inline std::uint64_t BytesOfCrossPrediction(const cf_shape& shape) {
  const auto n_rows = static_cast<std::uint64_t>(shape.n_rows);
  const auto n_features = static_cast<std::uint64_t>(shape.n_features);
  // Of rows that are held: the features three times.
  const std::uint64_t row =
      IsHeld(shape.n_rows, shape.n_features) ? sizeof(double) * (3 * n_features + 6) : 16;
  return BytesOfFit(shape) + n_rows * row;
}

}  // namespace crossfold::bundled
