// A calibration as flat lists of numbers, which files and scripts can hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "crossfold/calibration.h"

namespace crossfold {

// Maps of Platt have one slope and one intercept each. Isotonic maps have the points x, y, one map
// after the other, and `sizes` has their numbers of points. The lists of the other method are
// empty.
struct CalibrationLists {
  std::vector<double> slope, intercept, x, y;
  std::vector<std::int64_t> sizes;
};

// REQUIRES: the calibration is defined.
CalibrationLists ListsOf(const Calibration& calibration);

// Returns the calibration with these lists; nullopt if there is none for this number of classes.
std::optional<Calibration> CalibrationOf(const CalibrationLists& lists, std::size_t n_classes);

}  // namespace crossfold
