// Two doubles per vector, which every 64-bit processor has.
#include "normal_kernels.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace crossfold::bundled::plain {
namespace {

constexpr std::size_t kLanes = 2;
struct Fused {
  static constexpr bool kIsThere = false;
};
#include "normal_kernels.inl"

#include "left_out_kernels.inl"

}  // namespace

const NormalKernels kKernels = {"plain",       &SubtractDistances, &ChooseLabels, &ExtendRange,
                                &ExtendRanges, &Transpose,         &SumRows,      &SumBlock,
                                &SumExactly,   &Moments,           &LeaveOutAll,  &ScoreSmoothed,
                                &TakeLargest};

}  // namespace crossfold::bundled::plain
