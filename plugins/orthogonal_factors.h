// Factorisations by orthogonal matrices: QR and singular values.
#pragma once

#include <vector>

#include "matrices.h"

namespace crossfold::bundled {

// The first `n_factored` columns of some rows as Q R, the others after Q'. R is an upper trapezoid,
// min(rows, n_factored) high: R'R are the cross products of the factored columns, and R' rest
// theirs with the others.
struct TriangularFactor {
  MatrixXd r, rest;
};

// Makes one of rows that come some at a time: Householder reflections block by block, of fixed
// sizes, so that it does not matter in which portions the rows come and nothing larger is copied.
class RowFactoriser {
 public:
  RowFactoriser(Index n_rows, Index n_columns, Index n_factored);

  void Add(const RowMatrix& rows);
  // Throws Error if a number is not finite. REQUIRES: n_rows rows were added.
  TriangularFactor Finish();

 private:
  void Reflect();

  Index n_factored_;
  MatrixXd block_;
  Index used_ = 0;            // rows of it
  bool is_factored_ = false;  // no row came after the last reflection
};

TriangularFactor Factorise(const RowMatrix& rows, Index n_factored);

// The length of each column; 1 for a column of zeros.
VectorXd ColumnLengths(const MatrixXd& matrix);

// The columns of `factor.r`, scaled to length 1, as Q R with pivots: column order[j] is Q times
// column j of R, and `rest` is factor.rest after Q'. Both are cut off at the rank. The decision on
// the rank does not depend on the units. `n_rows` is the number of rows of the matrix that `factor`
// stands for.
struct PivotedFactor {
  MatrixXd r, rest;
  std::vector<Index> order;

  Index rank() const { return r.rows(); }
};

PivotedFactor Pivot(const TriangularFactor& factor, Index n_rows);

// The rank that Pivot finds.
Index RankOf(const MatrixXd& r, Index n_rows);

// Returns x with upper x = right, for a square upper triangle.
MatrixXd SolveUpper(const MatrixXd& upper, const MatrixXd& right);

// Returns the shortest x with rows x = right, for linearly independent rows.
MatrixXd ShortestSolution(const MatrixXd& rows, const MatrixXd& right);

// matrix = left diag(values) right', min(rows, columns) wide; the values fall.
struct SingularValues {
  VectorXd values;
  MatrixXd left, right;
  bool is_known = false;  // false = the matrix has an entry that is not finite
};

enum class Sides { kRight, kBoth };

SingularValues FindSingularValues(const MatrixXd& matrix, Sides sides);

}  // namespace crossfold::bundled
