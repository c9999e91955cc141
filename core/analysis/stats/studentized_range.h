// The range of k independent standard normal values: the studentized range with infinite degrees of
// freedom, of which Boost.Math has none. Tukey's and Nemenyi's tests read their quantiles from it.
#pragma once

#include <cstdint>

namespace crossfold::stats {

// The probability of a range above q: an integral over the largest of the k values (Harter 1960,
// "Tables of range and studentized range", Annals of Mathematical Statistics 31). It keeps its
// relative accuracy far out. REQUIRES: k >= 2, q >= 0.
double StudentizedRangeUpper(double q, std::int64_t k);
// The q that is exceeded with probability `upper`. REQUIRES: k >= 2, 0 < upper < 1.
double StudentizedRangeUpperQuantile(double upper, std::int64_t k);

}  // namespace crossfold::stats
