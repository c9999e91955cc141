// Which training rows a fit uses, and in which order. If this order does not depend on the order of
// the view, neither does the model.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

using Positions = std::vector<std::int64_t>;  // in the view of the training rows

// 0, 1, ..., n - 1.
inline Positions AllPositions(std::int64_t n) {
  Positions all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  return all;
}

// Rows of one id keep their order.
inline void SortByRowId(const plugin::FeatureView& rows, Positions& positions) {
  const auto earlier = [&](std::int64_t a, std::int64_t b) {
    return rows.row_id(a) < rows.row_id(b);
  };
  if (std::is_sorted(positions.begin(), positions.end(), earlier)) return;
  std::stable_sort(positions.begin(), positions.end(), earlier);
}

[[noreturn]] inline void RefuseNoWeight() {
  throw plugin::Error(CF_E_UNSUPPORTED_DATA, "the training rows have a total weight of 0");
}

// Returns the rows with a positive weight, in the order of the view. Throws Error if there are
// none.
inline Positions UsedRows(const plugin::TrainingView& train) {
  Positions used;
  for (std::int64_t i = 0; i < train.num_rows(); ++i) {
    if (train.weight(i) > 0) used.push_back(i);
  }
  if (used.empty()) RefuseNoWeight();
  return used;
}

// Rows of one id are ordered by weight.
inline void SortByRowIdAndWeight(const plugin::TrainingView& rows, Positions& positions) {
  std::stable_sort(positions.begin(), positions.end(), [&](std::int64_t a, std::int64_t b) {
    return rows.row_id(a) != rows.row_id(b) ? rows.row_id(a) < rows.row_id(b)
                                            : rows.weight(a) < rows.weight(b);
  });
}

// Returns the same rows by row id, rows of one id by weight.
inline Positions UsedRowsById(const plugin::TrainingView& train) {
  Positions used = UsedRows(train);
  SortByRowIdAndWeight(train, used);
  return used;
}

// Returns all rows, in classification the classes one after the other, then by row id. Libraries
// that number the classes as they meet them then number them in their order.
inline Positions RowsInClassOrder(const plugin::TrainingView& train) {
  Positions order = AllPositions(train.num_rows());
  SortByRowId(train, order);
  if (train.is_classification()) {
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      return train.label(a) < train.label(b);
    });
  }
  return order;
}

}  // namespace crossfold::bundled
