// For processors with AVX2; compiled with -mavx2.
#include <immintrin.h>

#include "kernel_loops.h"

namespace crossfold::knn {
namespace {

struct Lanes {
  typedef double Reals __attribute__((vector_size(32)));
  typedef double ReadReals __attribute__((vector_size(32), aligned(8), may_alias));

  struct Ints {
    __m256i low, high;
  };

  static __m256i LoadHalf(const void* from) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(from));
  }
  static Ints Load(const std::int32_t* from) { return {LoadHalf(from), LoadHalf(from + 8)}; }
  static Ints LoadPairs(const std::int16_t* from) { return {LoadHalf(from), LoadHalf(from + 16)}; }
  static Ints Spread(std::int32_t number) {
    const __m256i half = _mm256_set1_epi32(number);
    return {half, half};
  }
  static __m256i SpreadPair(const std::int16_t* from) {
    std::int32_t pair;
    __builtin_memcpy(&pair, from, sizeof(pair));
    return _mm256_set1_epi32(pair);
  }
  static void Store(std::int32_t* to, const Ints& a) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), a.low);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + 8), a.high);
  }

  static Ints Add(const Ints& a, const Ints& b) {
    return {_mm256_add_epi32(a.low, b.low), _mm256_add_epi32(a.high, b.high)};
  }
  static Ints SumOfProducts(const Ints& rows, __m256i query) {
    return {_mm256_madd_epi16(rows.low, query), _mm256_madd_epi16(rows.high, query)};
  }
  static __m256i SumOfDifferences(__m256i rows, __m256i query) {
    return _mm256_madd_epi16(_mm256_abs_epi16(_mm256_sub_epi16(rows, query)), _mm256_set1_epi16(1));
  }
  static Ints SumOfDifferences(const Ints& rows, __m256i query) {
    return {SumOfDifferences(rows.low, query), SumOfDifferences(rows.high, query)};
  }

  static std::uint32_t Below(const std::int32_t* keys, std::int32_t threshold) {
    const Ints k = Load(keys);
    const __m256i t = _mm256_set1_epi32(threshold);
    const auto bits = [t](__m256i half) {
      return static_cast<std::uint32_t>(
          _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(t, half))));
    };
    return bits(k.low) | bits(k.high) << 8;
  }
  static std::uint32_t Below(const double* keys, double threshold) {
    const __m256d t = _mm256_set1_pd(threshold);
    std::uint32_t below = 0;
    for (std::uint32_t i = 0; i < kBlockRows; i += 4) {
      const __m256d less = _mm256_cmp_pd(_mm256_loadu_pd(keys + i), t, _CMP_LT_OQ);
      below |= static_cast<std::uint32_t>(_mm256_movemask_pd(less)) << i;
    }
    return below;
  }
  template <class Key>
  static void Append(const Key* keys, std::uint32_t first_row, std::uint32_t below,
                     Found<Key>& found) {
    AppendEach(keys, first_row, below, found);
  }
};

}  // namespace

const Kernels kAvx2Kernels = MakeKernels<Lanes>("avx2");

}  // namespace crossfold::knn
