// Which samples of a posterior are kept for a figure.
#pragma once

#include <cstdint>

namespace crossfold::stats {

// Whether sample s of `samples`, from 0, is one of `kept` that are evenly spaced; all are if `kept`
// is at least `samples`. REQUIRES: 0 <= s < samples, kept >= 0.
inline bool IsKept(std::int64_t s, std::int64_t samples, std::int64_t kept) {
  if (kept >= samples) return true;
  const auto before = [&](std::int64_t at) {
    return static_cast<std::int64_t>(static_cast<double>(at) * static_cast<double>(kept) /
                                     static_cast<double>(samples));
  };
  return before(s + 1) > before(s);
}

}  // namespace crossfold::stats
