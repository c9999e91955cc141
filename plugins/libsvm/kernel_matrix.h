// The kernel between all pairs of training rows, in the form that LIBSVM takes (PRECOMPUTED).
#pragma once

#include <libsvm/svm.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../aligned_numbers.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

// A machine trained with it has the same bits as one trained on the sparse rows. The solver keeps
// only floats of these values, besides the diagonal: with the kernel rbf they are rounded already.
// The library's nodes have an index that PRECOMPUTED does not use, so two rows share nodes: the
// second is 8 bytes ahead of the first. That makes 8 bytes a value.
class KernelMatrix {
 public:
  static constexpr std::size_t kMostRows = 8192;  // 512 MB

  // At most, while it is made.
  static std::uint64_t BytesOf(std::size_t n_rows, std::size_t n_features) {
    constexpr std::uint64_t kHugePage = std::uint64_t{1} << 21;
    return sizeof(double) * n_rows * (n_rows + 16 + n_features) + kHugePage;
  }

  // `rows` are row by row. Only the kernel of `kernel` is read.
  KernelMatrix(const svm_parameter& kernel, std::span<const double> rows, std::size_t n_features,
               const plugin::Context& context);

  // The library does not use const, but it does not write.
  std::vector<svm_node*> Rows() const;

 private:
  struct Tile;

  double* Pair(std::size_t i) const { return values_.get() + i / 2 * stride_; }
  double* Row(std::size_t i) const { return Pair(i) + i % 2; }
  void Allocate();
  void Write(const Tile& tile);

  std::size_t n_ = 0;
  std::size_t stride_ = 0;  // doubles from one pair of rows to the next
  AlignedNumbers values_;
};

}  // namespace crossfold::bundled
