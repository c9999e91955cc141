#include "normal_kernels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace crossfold::bundled {
namespace {

// From normal_kernels.inl. A run has at most m = 64 entries. What `high` leaves
// of one is at most half its last bit, 2^-43 of the largest entry; the rounding errors of summing m
// of those are at most m^2 2^-53 2^-43 together, which is 64 * 2^-96 an entry. Twice that, for the
// products.
constexpr double kBlockError = 0x1p-89;
// Of adding two DoubleDoubles, relative to the sum of all absolute values.
constexpr double kMergeError = 0x1p-103;
// Where products underflow, bounds of relative errors do not hold.
constexpr double kLeastEntry = 1e-250;
constexpr double kLeastError = 1e-270;

double ErrorOf(double largest, std::size_t n_rows, std::size_t n_parts) {
  const double all = static_cast<double>(n_rows) * std::max(largest, kLeastEntry);
  return all * (kBlockError + static_cast<double>(n_parts) * kMergeError) + kLeastError;
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

std::size_t NumberOfParts(std::size_t n_groups, std::size_t n_rows) {
  return 2 * n_groups + n_rows / RowSumsTask::kRun;
}

double SumError(const EntryRange& range, std::size_t n_rows, std::size_t n_parts) {
  return SumsExactly(range, n_rows) ? 0 : ErrorOf(range.largest, n_rows, n_parts);
}

double SquareError(const EntryRange& range, std::size_t n_rows, std::size_t n_parts) {
  return SumsExactly(range, n_rows) ? 0 : ErrorOf(range.largest * range.largest, n_rows, n_parts);
}

double BiasFor(double largest) {
  // 1.5 * 2^10 times the power of 2 at or below it.
  const auto bits = std::bit_cast<std::uint64_t>(std::max(largest, kLeastEntry));
  return std::bit_cast<double>((bits >> 52) << 52) * 0x1.8p10;
}

bool SumsExactly(const EntryRange& range, std::size_t n_rows) {
  return range.is_whole && static_cast<double>(n_rows) * range.largest * range.largest < 0x1p52;
}

std::span<const NormalKernels* const> SupportedKernels() {
  static const std::vector<const NormalKernels*> kernels = Supported();
  return kernels;
}

}  // namespace crossfold::bundled
