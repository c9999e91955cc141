// Four doubles per vector, and products without rounding: AVX2 and FMA.
#include "normal_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace crossfold::bundled::avx2 {
namespace {

constexpr std::size_t kLanes = 4;
// Not chosen by macros: in C++ they do not follow the pragma.
struct Fused {
  static constexpr bool kIsThere = true;
  template <class V>
  static V MultiplySubtract(V a, V b, V c) {
    return (V)_mm256_fmsub_pd((__m256d)a, (__m256d)b, (__m256d)c);
  }
};
#include "normal_kernels.inl"

#include "left_out_kernels.inl"

}  // namespace

const NormalKernels kKernels = {"avx2",        &SubtractDistances, &ChooseLabels, &ExtendRange,
                                &ExtendRanges, &Transpose,         &SumRows,      &SumBlock,
                                &SumExactly,   &Moments,           &LeaveOutAll,  &ScoreSmoothed,
                                &TakeLargest};

}  // namespace crossfold::bundled::avx2

#pragma GCC pop_options
#endif
