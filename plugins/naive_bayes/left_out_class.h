// A class without one of its rows, for each of them: the constants of WithoutOneTask.
#pragma once

#include <cstddef>
#include <vector>

#include "grouped_rows.h"
#include "params.h"

namespace crossfold::bundled {

// The variance of column k over all rows but one is at most this, whichever row is removed.
double MostOverallVariance(const GroupedRows& rows, std::size_t k, const BayesParams& params);

class LeftOutClass {
 public:
  // REQUIRES: class c has at least 4 rows.
  LeftOutClass(const GroupedRows& rows, std::size_t c, const BayesParams& params);
  // Computes it as if all rows were one class, without a floor. REQUIRES: at least 4 rows.
  static LeftOutClass OfAllRows(const GroupedRows& rows, const BayesParams& params);

  // Every row of the class has this value in column k: the variance is 0 without any row.
  void SetConstant(std::size_t k, double value);

  ClassConstants constants() const;
  // The variance of a class must be greater than it, so that the floor of min_sd has no effect,
  // whichever row is removed.
  double least_variance(std::size_t k) const { return least_variances_[k]; }

 private:
  LeftOutClass(const GroupedRows& rows, const ColumnSums& sums, double n,
               const BayesParams& params);

  std::vector<double> mean_hi_, mean_lo_, variance_hi_, variance_lo_;
  std::vector<double> mean_errors_, variance_errors_, least_variances_;
  double share_hi_ = 0, share_lo_ = 0, factor_hi_ = 0, factor_lo_ = 0;
};

// What var_smoothing adds to every variance when one row is removed, for blocks of rows.
class AddedVariances {
 public:
  // REQUIRES: at least 4 rows.
  AddedVariances(const GroupedRows& rows, const BayesParams& params);

  // Of n rows, from a block as GroupedRows::CopyBlock() makes it. `certain` is 0 where the exact
  // sums must decide, and otherwise 1, and every variance plus what is added is a normal double.
  // Both have room for whole vectors.
  void Find(const double* block, std::size_t n, double* added, double* certain) const;

 private:
  struct Candidate {
    std::size_t column;
    double most;  // its variance is at most this, whichever row leaves
  };

  double smoothing_;
  LeftOutClass all_;
  std::vector<Candidate> candidates_;  // every column, the largest first
};

}  // namespace crossfold::bundled
