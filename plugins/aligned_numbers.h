// Doubles that begin at a cache line and are not initialized.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace crossfold::bundled {

constexpr std::align_val_t kCacheLine{64};

struct AlignedDelete {
  void operator()(double* numbers) const { std::free(numbers); }
};
using AlignedNumbers = std::unique_ptr<double[], AlignedDelete>;

// Many numbers are put into large pages: they are touched, and found in any order, in less time.
inline AlignedNumbers MakeAlignedNumbers(std::size_t n) {
  constexpr std::size_t kLargePage = std::size_t{1} << 21;
  const std::size_t bytes = n * sizeof(double);
  const bool is_large = bytes >= kLargePage / 2;
  const std::size_t unit = is_large ? kLargePage : static_cast<std::size_t>(kCacheLine);
  const std::size_t size = (bytes + unit - 1) / unit * unit;
  AlignedNumbers made(static_cast<double*>(std::aligned_alloc(unit, size == 0 ? unit : size)));
  if (made == nullptr) throw std::bad_alloc();
#if defined(__linux__)
  if (is_large) madvise(made.get(), size, MADV_HUGEPAGE);
#endif
  return made;
}

}  // namespace crossfold::bundled
