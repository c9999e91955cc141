// Singular values of square matrices, on plain arrays: quick to compile.
#pragma once

#include "matrices.h"

namespace crossfold::bundled {

// matrix = left diag(values) right'; the values fall.
struct SquareFactors {
  MatrixXd left, right;  // left: without rows if it is not wanted
  VectorXd values;
  bool is_known = true;  // false = no convergence
};

// By rotations of two rows and two columns (Jacobi): accurate, and fast for small matrices. `left`
// and `right` are multiplied by the factors.
SquareFactors FactoriseByRotations(MatrixXd matrix, MatrixXd left, MatrixXd right);

// By reflections to two diagonals and implicit QR steps with shifts (Golub, Kahan and Reinsch).
// REQUIRES: entries of at most 1.
SquareFactors FactoriseByTwoDiagonals(MatrixXd matrix, bool want_left);

// n_rows x n_columns, with 1 on the diagonal.
MatrixXd IdentityMatrix(Index n_rows, Index n_columns);

}  // namespace crossfold::bundled
