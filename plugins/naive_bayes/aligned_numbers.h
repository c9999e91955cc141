// Doubles that begin at a cache line and are not initialized.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace crossfold::bundled {

constexpr std::align_val_t kCacheLine{64};

struct AlignedDelete {
  void operator()(double* numbers) const { ::operator delete[](numbers, kCacheLine); }
};
using AlignedNumbers = std::unique_ptr<double[], AlignedDelete>;

inline AlignedNumbers MakeAlignedNumbers(std::size_t n) {
  return AlignedNumbers(static_cast<double*>(::operator new[](n * sizeof(double), kCacheLine)));
}

}  // namespace crossfold::bundled
