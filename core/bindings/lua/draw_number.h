// Drawing numbers from a range, for candidates of a search. The draws are the same on every
// machine.
#pragma once

#include <cstdint>

namespace crossfold {

struct RealRange {
  double low = 0, high = 1;
  bool low_open = false, high_open = false;  // the bound itself is not drawn
  bool log = false;                          // uniform in the logarithm
};

// Draws a real number, rounded to six significant digits if that stays in the range, so that names
// of candidates are readable and the last bit of the C library's exp and log does not matter.
// Throws Error if the range contains no number. REQUIRES: finite bounds, low < high; with `log` low
// > 0.
double DrawReal(const RealRange& range, std::uint64_t seed);

// Draws an integer; both bounds are included. On the log scale, k is drawn as often as a real
// number in [k - 0.5, k + 0.5). REQUIRES: low <= high; with `log` low >= 1; fewer than 2^64
// numbers.
std::int64_t DrawInteger(std::int64_t low, std::int64_t high, bool log, std::uint64_t seed);

}  // namespace crossfold
