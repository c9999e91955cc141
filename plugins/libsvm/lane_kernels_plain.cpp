// Two doubles per vector, which every 64-bit processor has.
#include <cstddef>
#include <cstdint>

#include "lane_kernels.h"

namespace crossfold::bundled::plain {
namespace {

constexpr std::size_t kLanes = 2;
#include "lane_kernels.inl"

}  // namespace

const LaneKernels kLaneKernels = {"plain", &SumOverFeatures<AddProduct>,
                                  &SumOverFeatures<AddSquare>, &RoundedRbf};

}  // namespace crossfold::bundled::plain
