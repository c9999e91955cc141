// The numbers that are none, for entries of tests.
#pragma once

#include <limits>

namespace crossfold {

inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace crossfold
