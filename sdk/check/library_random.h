// The random numbers of the C library, from which no component may draw.
#pragma once

#include <stdlib.h>

#include <cstdlib>

namespace crossfold::check {

// Changes the state of both of its generators.
inline void ReseedLibrary(unsigned seed) {
  constexpr auto kReseed = &std::srand;
  kReseed(seed);
  ::srand48(static_cast<long>(seed));
}

}  // namespace crossfold::check
