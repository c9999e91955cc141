// Parts of a prediction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "crossfold/outcome.h"

namespace crossfold {

// The entries whose row is marked by 1. REQUIRES: one mark per row of the dataset.
inline Prediction RowsOfPrediction(const Prediction& all, std::span<const std::uint8_t> marked) {
  Prediction part;
  part.n_classes = all.n_classes;
  const auto k = static_cast<std::size_t>(all.n_classes);
  for (std::size_t i = 0; i < all.rows.size(); ++i) {
    if (marked[static_cast<std::size_t>(all.rows[i])] == 0) continue;
    part.rows.push_back(all.rows[i]);
    if (!all.labels.empty()) part.labels.push_back(all.labels[i]);
    if (!all.values.empty()) part.values.push_back(all.values[i]);
    if (!all.probabilities.empty()) {
      const auto from = all.probabilities.begin() + static_cast<std::ptrdiff_t>(i * k);
      part.probabilities.insert(part.probabilities.end(), from,
                                from + static_cast<std::ptrdiff_t>(k));
    }
  }
  return part;
}

}  // namespace crossfold
