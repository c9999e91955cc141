// Row weights as whole numbers: then sums of weights are exact in any order, so they can be counted
// and kept up to date instead of being added up again.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "columns.h"
#include "impurity.h"

namespace crossfold::bundled::tree {

struct CountedRows {
  std::vector<std::uint32_t> weights;
  std::uint32_t total = 0;

  // nullopt: no classes, missing entries (their rows are divided), weights with fractions, or more
  // weight than WholeXLog2X takes.
  static std::optional<CountedRows> Make(const TrainingColumns& columns,
                                         std::span<const double> row_weights) {
    if (columns.n_classes == 0 || columns.has_missing) return std::nullopt;
    CountedRows rows;
    rows.weights.reserve(row_weights.size());
    for (const double w : row_weights) {
      if (w > WholeXLog2X::kLargest || w != std::floor(w)) return std::nullopt;
      rows.weights.push_back(static_cast<std::uint32_t>(w));
      rows.total += rows.weights.back();
      if (rows.total > WholeXLog2X::kLargest) return std::nullopt;
    }
    return rows;
  }
};

}  // namespace crossfold::bundled::tree
