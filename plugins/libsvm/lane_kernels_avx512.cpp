// Eight doubles per vector: AVX-512. Compiled with the option for it.
#include <cstddef>
#include <cstdint>

#include "lane_kernels.h"

namespace crossfold::bundled::avx512 {
namespace {

constexpr std::size_t kLanes = 8;
#include "lane_kernels.inl"

}  // namespace

const LaneKernels kLaneKernels = {"avx512", &SumOverFeatures<AddProduct>,
                                  &SumOverFeatures<AddSquare>, &RoundedRbf};

}  // namespace crossfold::bundled::avx512
