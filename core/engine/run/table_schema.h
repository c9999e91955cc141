// Names and types of a table's features, which must be the same for fit and predict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/dataset.h"

namespace crossfold {

inline std::span<const cf_column> FeaturesOf(const cf_table& table) {
  return {table.features, static_cast<std::size_t>(table.n_features)};
}

// Returns "a 64-bit float".
std::string_view TypeName(std::int32_t dtype);

// A copy, so that a fitted model does not keep its training data alive.
class TableSchema {
 public:
  TableSchema() = default;
  explicit TableSchema(std::span<const cf_column> features);
  explicit TableSchema(std::vector<ColumnDeclaration> features) : features_(std::move(features)) {}

  std::span<const ColumnDeclaration> features() const { return features_; }

  // Returns "feature 2 is 'b' instead of 'a'" for the first feature that differs; "" = all are the
  // same.
  std::string FindDifference(std::span<const cf_column> features) const;

 private:
  std::vector<ColumnDeclaration> features_;
};

}  // namespace crossfold
