// The validation rows that a fit can use (crossfold.validation/1).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "crossfold_plugin.hpp"
#include "used_rows.h"

namespace crossfold::bundled {

// Returns the rows that have a weight and, in classification, a class of the training rows, which
// are `classes` in ascending order; no model can predict another class. They are ordered by row id.
// Throws Error if there are none.
inline Positions UsedValidationRows(const plugin::TrainingView& validation,
                                    std::span<const std::int32_t> classes) {
  Positions used;
  for (const std::int64_t row : AllPositions(validation.num_rows())) {
    const bool is_known = !validation.is_classification() ||
                          std::binary_search(classes.begin(), classes.end(), validation.label(row));
    if (validation.weight(row) > 0 && is_known) used.push_back(row);
  }
  if (used.empty()) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                        "no validation row has a weight above 0 and a target of the training rows");
  }
  SortByRowIdAndWeight(validation, used);
  return used;
}

}  // namespace crossfold::bundled
