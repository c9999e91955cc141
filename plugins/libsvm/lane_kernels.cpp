#include "lane_kernels.h"

#include <vector>

namespace crossfold::bundled {
namespace {

std::vector<const LaneKernels*> Supported() {
  std::vector<const LaneKernels*> kernels;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
    kernels.push_back(&avx512::kLaneKernels);
  }
  if (__builtin_cpu_supports("avx2")) kernels.push_back(&avx2::kLaneKernels);
#endif
  kernels.push_back(&plain::kLaneKernels);
  return kernels;
}

}  // namespace

std::span<const LaneKernels* const> SupportedLaneKernels() {
  static const std::vector<const LaneKernels*> kernels = Supported();
  return kernels;
}

}  // namespace crossfold::bundled
