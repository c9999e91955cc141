// For processors with AVX-512 F and BW; compiled with -mavx512f -mavx512bw.
#include <immintrin.h>

#include "kernel_loops.h"

namespace crossfold::knn {
namespace {

struct Lanes {
  typedef double Reals __attribute__((vector_size(64)));
  typedef double ReadReals __attribute__((vector_size(64), aligned(8), may_alias));

  using Ints = __m512i;

  static __m512i Load(const std::int32_t* from) { return _mm512_loadu_si512(from); }
  static __m512i LoadPairs(const std::int16_t* from) { return _mm512_loadu_si512(from); }
  static __m512i Spread(std::int32_t number) { return _mm512_set1_epi32(number); }
  static __m512i SpreadPair(const std::int16_t* from) {
    std::int32_t pair;
    __builtin_memcpy(&pair, from, sizeof(pair));
    return _mm512_set1_epi32(pair);
  }
  static void Store(std::int32_t* to, const __m512i& a) { _mm512_storeu_si512(to, a); }

  static __m512i Add(const __m512i& a, const __m512i& b) { return _mm512_add_epi32(a, b); }
  static __m512i SumOfProducts(const __m512i& rows, const __m512i& query) {
    return _mm512_madd_epi16(rows, query);
  }
  static __m512i SumOfDifferences(const __m512i& rows, const __m512i& query) {
    return _mm512_madd_epi16(_mm512_abs_epi16(_mm512_sub_epi16(rows, query)), _mm512_set1_epi16(1));
  }

  static std::uint32_t Below(const std::int32_t* keys, std::int32_t threshold) {
    return _mm512_cmplt_epi32_mask(Load(keys), _mm512_set1_epi32(threshold));
  }
  static std::uint32_t Below(const double* keys, double threshold) {
    const __m512d t = _mm512_set1_pd(threshold);
    const std::uint32_t low = _mm512_cmp_pd_mask(_mm512_loadu_pd(keys), t, _CMP_LT_OQ);
    const std::uint32_t high = _mm512_cmp_pd_mask(_mm512_loadu_pd(keys + 8), t, _CMP_LT_OQ);
    return low | high << 8;
  }

  // Whole vectors are stored; what follows the new candidates in them is overwritten later.
  static void AppendRows(std::uint32_t first_row, std::uint32_t below, std::uint32_t* to) {
    const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i rows = _mm512_add_epi32(Spread(static_cast<std::int32_t>(first_row)), lanes);
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(static_cast<__mmask16>(below), rows));
  }
  static std::size_t Count(std::uint32_t bits) {
    return static_cast<std::size_t>(__builtin_popcount(bits));
  }
  static void Append(const std::int32_t* keys, std::uint32_t first_row, std::uint32_t below,
                     Found<std::int32_t>& found) {
    AppendRows(first_row, below, found.rows + found.size);
    _mm512_storeu_si512(found.keys + found.size,
                        _mm512_maskz_compress_epi32(static_cast<__mmask16>(below), Load(keys)));
    found.size += Count(below);
  }
  static void Append(const double* keys, std::uint32_t first_row, std::uint32_t below,
                     Found<double>& found) {
    AppendRows(first_row, below, found.rows + found.size);
    for (std::uint32_t half = 0; half < 2; ++half) {
      const std::uint32_t bits = below >> (8 * half) & 0xffu;
      _mm512_storeu_pd(
          found.keys + found.size,
          _mm512_maskz_compress_pd(static_cast<__mmask8>(bits), _mm512_loadu_pd(keys + 8 * half)));
      found.size += Count(bits);
    }
  }
};

}  // namespace

const Kernels kAvx512Kernels = MakeKernels<Lanes>("avx512");

}  // namespace crossfold::knn
