// LIBSVM's kernels between dense rows: the same bits as the library's own functions give for the
// same rows in sparse form, in a fraction of the time.
#pragma once

#include <libsvm/svm.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../aligned_numbers.h"
#include "crossfold_plugin.hpp"
#include "lane_kernels.h"

namespace crossfold::bundled {

// Whether dense arithmetic pays: of the entries, row by row, enough are not 0.
bool IsDense(std::span<const double> entries);
bool IsDense(std::size_t n_not_zero, std::size_t n_entries);

// Rows in panels of lane_kernels.h; what is not set is 0.
class PanelRows {
 public:
  PanelRows() = default;
  PanelRows(std::size_t n_rows, std::size_t n_features)
      : n_rows_(n_rows),
        n_features_(n_features),
        entries_((n_rows + kPanelRows - 1) / kPanelRows * kPanelRows * n_features) {}

  std::size_t num_rows() const { return n_rows_; }
  std::size_t num_features() const { return n_features_; }
  std::size_t num_panels() const { return (n_rows_ + kPanelRows - 1) / kPanelRows; }
  const double* panel(std::size_t p) const {
    return entries_.data() + p * kPanelRows * n_features_;
  }

  void Set(std::size_t i, std::size_t j, double x) {
    entries_[(i / kPanelRows * n_features_ + j) * kPanelRows + i % kPanelRows] = x;
  }

 private:
  std::size_t n_rows_ = 0, n_features_ = 0;
  std::vector<double> entries_;
};

// `sums` of some rows with the panels first, ..., first + n_panels - 1: that of row i with the k-th
// of these panel rows goes to to[i * stride + k]. REQUIRES: `to` has room for a multiple of
// kRowGroup rows; `rows` are row by row, at least one.
struct SumsTask {
  void (*sums)(const PanelTask&);
  std::span<const double> rows;
  const PanelRows& panels;
  std::size_t first, n_panels;
  double* to;
  std::size_t stride;
};
void SumRows(const SumsTask& task);

// Kernels of dot products: all but rbf.
void FromDots(const svm_parameter& kernel, std::span<double> values);

// The kernel as svm_predict computes it, between each of `rows` and all of `vectors`: that of row i
// and vector k goes to to[i * stride + k]. REQUIRES: as SumRows.
void PredictionValues(const svm_parameter& kernel, std::span<const double> rows,
                      const PanelRows& vectors, double* to, std::size_t stride);

// The kernel between all pairs of training rows, in the form that LIBSVM takes (PRECOMPUTED). A
// machine trained with it has the same bits as one trained on the sparse rows. The solver keeps
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
