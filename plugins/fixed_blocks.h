// Eigen's matrix products with the same bits on every machine.
#pragma once

#include <Eigen/Core>
#include <cstddef>

namespace crossfold::bundled {

// Eigen sizes the blocks of its products by the caches of the machine, and with the blocks the
// order of the sums would change. These sizes hold everywhere. Call it before the first product of
// every fit and load; only the first call has an effect.
inline void FixBlockSizes() {
  constexpr std::ptrdiff_t kLevel1 = 32 * 1024, kLevel2 = 512 * 1024, kLevel3 = 4 * 1024 * 1024;
  static const bool done = [] {
    Eigen::setCpuCacheSizes(kLevel1, kLevel2, kLevel3);
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace crossfold::bundled
