// The sums of AddToLowerTriangle (matrices.h) in vectors of four numbers.
#pragma once

#include <cstddef>

namespace crossfold::bundled {

// Columns of numbers, each multiplied by its scale, where there are scales. The outer product of
// each with itself, times `factor`, is added to the lower triangle of `out`, which is column by
// column.
struct OuterSquares {
  const double* numbers;  // column k begins at numbers + k * stride
  std::ptrdiff_t stride;
  const double* scales;  // one a column; null = none
  std::ptrdiff_t size;   // of a column
  std::ptrdiff_t count;  // of columns
  double factor;         // 1 or -1
  double* out;           // size x size
  std::ptrdiff_t out_stride;
};

// So many columns are summed on their own, then their sum is added. Rows of a number of columns
// that four does not divide are summed as Eigen 3.4 sums them with SSE2, so all processors get the
// same bits. `memory` is overwritten. REQUIRES: a processor with AVX2, and memory for so many
// columns (or all, if there are fewer) with their size rounded up to a multiple of 4.
void AddOuterSquaresByAvx2(const OuterSquares& squares, std::ptrdiff_t columns_at_once,
                           double* memory);

}  // namespace crossfold::bundled
