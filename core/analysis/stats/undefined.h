// The number in place of an undefined statistic.
#pragma once

#include <limits>

namespace crossfold {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

}  // namespace crossfold
