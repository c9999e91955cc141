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

// The number at `share`, 0 to 1, of the way through the range, as DrawReal draws it with that
// share: for surrogates, which choose where to draw. An open bound is moved to the next number
// inside. REQUIRES: as DrawReal.
double RealAt(const RealRange& range, double share);

// Draws an integer; both bounds are included. On the log scale, k is drawn as often as a real
// number in [k - 0.5, k + 0.5). REQUIRES: low <= high; with `log` low >= 1; fewer than 2^64
// numbers.
std::int64_t DrawInteger(std::int64_t low, std::int64_t high, bool log, std::uint64_t seed);

// The integer at `share`, 0 to 1, of the way from low - 0.5 to high + 0.5. REQUIRES: as
// DrawInteger.
std::int64_t IntegerAt(std::int64_t low, std::int64_t high, bool log, double share);

}  // namespace crossfold
