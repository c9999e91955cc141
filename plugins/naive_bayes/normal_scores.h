// The scores of rows by the normal columns of naive Bayes: log densities, without their common
// factor (2 pi)^(-columns / 2).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "normal_kernels.h"

namespace crossfold::bundled {

// The score of a row with every column is (start - 1/2 log of the product of the variances) - 1/2
// sum of (x - mean)^2 / variance, in the order of the columns; a missing entry is left out of the
// product and of the sum. Start is the score of the class before these columns.
class NormalScores {
 public:
  NormalScores() = default;
  NormalScores(std::size_t n_classes, std::size_t n_columns);

  std::size_t n_columns() const { return n_columns_; }
  // REQUIRES: variance is at least the smallest normal double.
  void Set(std::size_t c, std::size_t k, double mean, double variance);
  // Column k is not used for class c.
  void Silence(std::size_t c, std::size_t k);
  // Call it after the last column of class c.
  void FinishClass(std::size_t c);
  // Half the log of the product of the variances.
  double half_volume(std::size_t c) const { return half_volumes_[c]; }

  // Rows of which nothing is missing; the scores are start - half_volume(c). `classes` = [first,
  // end), of which scores[0] is the first.
  void SubtractDistances(const double* x, std::size_t x_stride, std::size_t n_rows,
                         std::size_t first_class, std::size_t end_class, double* scores,
                         std::size_t score_stride) const;
  // One row, entry k at x[k * x_stride], NaN = missing: start to score.
  double Score(const double* x, std::size_t x_stride, std::size_t c, double start) const;

 private:
  std::size_t n_columns_ = 0;
  std::vector<double> means_, variances_, precisions_;  // classes x columns
  std::vector<double> half_volumes_;                    // one per class
};

}  // namespace crossfold::bundled
