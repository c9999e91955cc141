#include "normal_kernels.h"

#include <algorithm>
#include <vector>

namespace crossfold::bundled {
namespace {

// The rounding errors of the low parts of a sum, from normal_kernels.inl: its blocks have at most
// 128 entries, so what a block leaves below its grid is at most 2^-43 of the largest entry a time,
// and is summed in lanes of at most 64. Twice the bound.
constexpr double kBlockError = 0x1p-88;
// Of merging so many parts as DoubleDoubles, a row.
constexpr double kMergeError = 0x1p-102;
// Where products underflow, bounds of relative errors do not hold.
constexpr double kLeastEntry = 1e-250;
constexpr double kLeastError = 1e-270;

double ErrorOf(double largest, std::size_t n_rows) {
  const auto n = static_cast<double>(n_rows);
  return n * std::max(largest, kLeastEntry) * (kBlockError + n * kMergeError) + kLeastError;
}

std::vector<const NormalKernels*> Supported() {
  std::vector<const NormalKernels*> kernels;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma")) {
    kernels.push_back(&avx512::kKernels);
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    kernels.push_back(&avx2::kKernels);
  }
#endif
  kernels.push_back(&plain::kKernels);
  return kernels;
}

}  // namespace

double SumError(const EntryRange& range, std::size_t n_rows) {
  return SumsExactly(range, n_rows) ? 0 : ErrorOf(range.largest, n_rows);
}

double SquareError(const EntryRange& range, std::size_t n_rows) {
  return SumsExactly(range, n_rows) ? 0 : ErrorOf(range.largest * range.largest, n_rows);
}

bool SumsExactly(const EntryRange& range, std::size_t n_rows) {
  return range.is_whole &&
         static_cast<double>(n_rows) * range.largest * range.largest < 0x1p52;
}

std::span<const NormalKernels* const> SupportedKernels() {
  static const std::vector<const NormalKernels*> kernels = Supported();
  return kernels;
}

}  // namespace crossfold::bundled
