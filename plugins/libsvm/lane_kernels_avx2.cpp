// Four doubles per vector: AVX2. Compiled with the option for it.
#include <cstddef>
#include <cstdint>

#include "lane_kernels.h"

namespace crossfold::bundled::avx2 {
namespace {

constexpr std::size_t kLanes = 4;
#include "lane_kernels.inl"

}  // namespace

const LaneKernels kLaneKernels = {"avx2", &SumOverFeatures<AddProduct>, &SumOverFeatures<AddSquare>,
                                  &RoundedRbf};

}  // namespace crossfold::bundled::avx2
