// What var_smoothing adds to every variance when one row is removed, for blocks of rows.
#pragma once

#include <cstddef>
#include <vector>

#include "grouped_rows.h"
#include "left_out_class.h"
#include "params.h"

namespace crossfold::bundled {

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
