// Rows as numbers, for methods that take neither missing nor infinite entries: an Error names the
// feature that has one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crossfold_plugin.hpp"
#include "feature_text.h"

namespace crossfold::bundled {

// Returns the entries, row-major. The Error names the first such feature.
inline std::vector<double> FiniteRows(const plugin::FeatureView& rows) {
  std::vector<double> dense = rows.DenseRows();
  for (std::int64_t j = 0; j < rows.num_features(); ++j) {
    for (std::size_t k = static_cast<std::size_t>(j); k < dense.size();
         k += static_cast<std::size_t>(rows.num_features())) {
      RequireFinite(rows, j, dense[k]);
    }
  }
  return dense;
}

// REQUIRES: out has room for every feature.
inline void ReadFiniteRow(const plugin::FeatureView& rows, std::int64_t i, double* out) {
  for (std::int64_t j = 0; j < rows.num_features(); ++j) {
    out[j] = rows.x(i, j);
    RequireFinite(rows, j, out[j]);
  }
}

// Calls use(i, row) for every row, in order.
template <class Use>
void ForEachFiniteRow(const plugin::FeatureView& rows, const plugin::Context& context, Use&& use) {
  constexpr std::int64_t kRowsPerPoll = 1024;
  std::vector<double> row(static_cast<std::size_t>(rows.num_features()));
  for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
    if (i % kRowsPerPoll == 0) {
      context.Progress(static_cast<double>(i) / static_cast<double>(rows.num_rows()));
    }
    ReadFiniteRow(rows, i, row.data());
    use(i, std::span<const double>(row));
  }
}

}  // namespace crossfold::bundled
