// What a test leaves to the builds without a sanitizer.
#pragma once

#include <algorithm>
#include <cstddef>

namespace crossfold {

// Whether this program is built with a sanitizer, which has its own idea of memory and signals.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// How many of `n` rows or random draws a test takes: a fifth under a sanitizer, but at least one.
// There each takes ten times as long, and memory errors show in few of them.
constexpr std::size_t Enough(std::size_t n) {
  return kSanitized ? std::max<std::size_t>(1, n / 5) : n;
}

}  // namespace crossfold
