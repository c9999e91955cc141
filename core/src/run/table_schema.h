// Names and types of a table's features: what must be the same for fit and predict.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "crossfold_plugin/data.h"

namespace crossfold {

// A copy, so that a fitted model does not keep its training data alive.
class TableSchema {
 public:
  TableSchema() = default;
  explicit TableSchema(std::span<const cf_column> features);

  // "feature 2 is 'b' instead of 'a'", for the first one that differs; "" = all are the same.
  std::string FindDifference(std::span<const cf_column> features) const;

 private:
  struct Feature {
    std::string name;
    std::int32_t dtype;
    std::int32_t ordered;
    std::vector<std::string> levels;
  };

  std::vector<Feature> features_;
};

}  // namespace crossfold
