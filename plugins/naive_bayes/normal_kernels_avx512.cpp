// Eight doubles per vector: AVX-512.
#include "normal_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512vl,avx2,fma,prefer-vector-width=512")

namespace crossfold::bundled::avx512 {
namespace {

constexpr std::size_t kLanes = 8;
// Not chosen by macros: in C++ they do not follow the pragma.
struct Fused {
  static constexpr bool kIsThere = true;
  template <class V>
  static V MultiplySubtract(V a, V b, V c) {
    return (V)_mm512_fmsub_pd((__m512d)a, (__m512d)b, (__m512d)c);
  }
};
#include "normal_kernels.inl"

#include "left_out_kernels.inl"

}  // namespace

const NormalKernels kKernels = {"avx512",      &SubtractDistances, &ChooseLabels, &ExtendRange,
                                &ExtendRanges, &Transpose,         &SumRows,      &SumBlock,
                                &SumExactly,   &Moments,           &LeaveOutAll,  &ScoreSmoothed,
                                &TakeLargest};

}  // namespace crossfold::bundled::avx512

#pragma GCC pop_options
#endif
