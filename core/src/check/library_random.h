// The random numbers of the C library, from which no component may draw.
#pragma once

#include <cstdlib>

namespace crossfold::check {

// From now on rand() gives others.
inline void ReseedLibrary(unsigned seed) {
  constexpr auto kReseed = &std::srand;
  kReseed(seed);
}

}  // namespace crossfold::check
