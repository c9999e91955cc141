// Rows as knn holds them: dense numbers, row-major, and their targets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crossfold_plugin.hpp"
#include "params.h"

namespace crossfold::knn {

// Returns the entries of all features: a category gives its code, a missing entry NaN. Throws Error
// for an entry that `distance` does not accept: an infinite one, and except for gower a missing or
// categorical one.
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

// Throws what ReadEntries throws for the entries of some rows, in their order. `dense` has all.
void RequireReadable(const plugin::FeatureView& rows, std::span<const double> dense,
                     std::span<const std::int64_t> positions, Distance distance);

Rows ReadRows(const plugin::TrainingView& train, Distance distance);
// The same without reading the entries, which the caller has.
Rows RowsWith(const plugin::TrainingView& train, std::vector<double> entries);

// Positions in the order of the ids; equal ids in the order of the view.
std::vector<std::int64_t> OrderById(std::span<const std::int64_t> ids);
// The rows in that order.
Rows OrderedById(Rows rows);

// The rows at `positions`.
Rows Select(const Rows& rows, std::span<const std::int64_t> positions);

}  // namespace crossfold::knn
