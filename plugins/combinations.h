// Every way to take p of n things.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "crossfold_plugin/error.hpp"
#include "number_text.h"
#include "row_sets.h"

namespace crossfold::bundled {

// In lexicographic order, beginning with 0, 1, ..., p-1.
class Combinations {
 public:
  // REQUIRES: 1 <= p <= n.
  Combinations(std::size_t n, std::size_t p) : n_(n), chosen_(p) {
    std::iota(chosen_.begin(), chosen_.end(), std::size_t{0});
  }

  const std::vector<std::size_t>& chosen() const { return chosen_; }  // ascending

  // Returns false after the last one.
  bool Advance() {
    const std::size_t p = chosen_.size();
    std::size_t place = p;
    while (place > 0 && chosen_[place - 1] == n_ - p + place - 1) --place;
    if (place == 0) return false;
    ++chosen_[place - 1];
    for (; place < p; ++place) chosen_[place] = chosen_[place - 1] + 1;
    return true;
  }

  // Exact below 2^53, else rounded; may be infinite.
  static double Count(std::int64_t n, std::int64_t p) {
    const std::int64_t fewer = std::min(p, n - p);
    double count = 1;
    for (std::int64_t i = 1; i <= fewer && std::isfinite(count); ++i) {
      count = std::round(count * static_cast<double>(n - fewer + i) / static_cast<double>(i));
    }
    return count;
  }

 private:
  std::size_t n_;
  std::vector<std::size_t> chosen_;
};

// Throws Error if there are more than `most` ways to take p of n things ("row", "group").
inline void CheckNumSplits(std::int64_t n, std::int64_t p, std::int64_t most, const char* noun) {
  const double count = Combinations::Count(n, p);
  if (count <= static_cast<double>(most)) return;
  const std::string text = !std::isfinite(count) ? "more than 1e+308"
                           : count < 0x1.0p53    ? std::to_string(static_cast<std::int64_t>(count))
                                                 : "about " + RoundedText(count, 3);
  throw plugin::Error(CF_E_INVALID_PARAM,
                      "leaving " + std::to_string(p) + " of " + Counted(n, noun) + " out makes " +
                          text + " splits, more than max_splits = " + std::to_string(most) +
                          "; raise max_splits, leave out fewer, or use kfold");
}

}  // namespace crossfold::bundled
