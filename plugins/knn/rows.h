// Rows as knn holds them: dense numbers, row-major, and what is known of their targets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crossfold_plugin.hpp"
#include "params.h"

namespace crossfold::knn {

// Entries of all features: a category gives its code, a missing entry NaN. Throws Error for an
// entry that `distance` cannot take: infinite ones always, missing and categorical ones but for
// gower.
std::vector<double> ReadEntries(const plugin::FeatureView& rows, Distance distance);

struct Rows {
  std::size_t n_features = 0;
  std::vector<double> entries;  // rows x features
  std::vector<std::int64_t> ids;
  std::vector<std::int32_t> labels;  // classification
  std::vector<double> values;        // regression

  std::size_t size() const { return ids.size(); }
  std::span<const double> row(std::size_t i) const {
    return std::span(entries).subspan(i * n_features, n_features);
  }
};

Rows ReadRows(const plugin::TrainingView& train, Distance distance);

// The rows at `positions`.
Rows Select(const Rows& rows, std::span<const std::int64_t> positions);

}  // namespace crossfold::knn
