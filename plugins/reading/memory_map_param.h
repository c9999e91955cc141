// The parameter of sources that map files into memory.
#pragma once

#include "crossfold_plugin/params.hpp"

namespace crossfold::reading {

// `P` has a bool memory_map.
template <class P>
constexpr auto MemoryMapParam() {
  return plugin::Boolean(
      "memory_map", &P::memory_map,
      "Whether a large file is mapped into memory, where that is safe, or copied.",
      {.flags = CF_PF_NO_EFFECT_ON_RESULT});
}

}  // namespace crossfold::reading
