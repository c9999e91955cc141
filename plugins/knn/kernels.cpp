#include "kernels.h"

namespace crossfold::knn {

std::vector<const Kernels*> SupportedKernels() {
  std::vector<const Kernels*> sets = {&kPortableKernels};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) sets.push_back(&kAvx2Kernels);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) {
    sets.push_back(&kAvx512Kernels);
  }
#endif
  return sets;
}

const Kernels& BestKernels() {
  static const Kernels& best = *SupportedKernels().back();
  return best;
}

}  // namespace crossfold::knn
