// The number that stands where a statistic is not defined.
#pragma once

#include <limits>

namespace crossfold {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

}  // namespace crossfold
