// LIBSVM's kernels between dense rows: the same bits as the library's own functions give for the
// same rows in sparse form, in a fraction of the time.
#pragma once

#include <libsvm/svm.h>

#include <cstddef>
#include <span>
#include <vector>

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

}  // namespace crossfold::bundled
