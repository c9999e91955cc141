// Penalised least squares for many penalties from one factorisation.
#pragma once

#include <cstddef>
#include <optional>

#include "../orthogonal_factors.h"

namespace crossfold::bundled {

// The minimum over w of |X w - Y|^2 + l2 |w|^2, where X = Q r and Q'Y = rest of `factor`.
//
// l2 = 0: by a QR factorisation with pivots of the columns scaled to length 1; if they are linearly
// dependent, the solution of the smallest |w| among all minima. l2 > 0: by the singular values. The
// numbers of one value of l2 do not depend on the other values.
class LeastSquaresPath {
 public:
  // `n_rows` has X.
  LeastSquaresPath(const TriangularFactor& factor, Index n_rows)
      : lengths_(ColumnLengths(factor.r)),
        pivoted_(Pivot(factor, n_rows)),
        rows_(pivoted_.rank(), factor.r.cols()) {
    for (std::size_t j = 0; j < pivoted_.order.size(); ++j) {
      const Index column = pivoted_.order[j];
      rows_.col(column) = pivoted_.r.col(static_cast<Index>(j)) * lengths_[column];
    }
  }

  // Columns of X x columns of Y.
  MatrixXd Solve(double l2) {
    if (rows_.rows() == 0) return MatrixXd::Zero(rows_.cols(), pivoted_.rest.cols());
    if (l2 > 0) return SolvePenalised(l2);
    return rows_.rows() == rows_.cols() ? SolveFullRank() : ShortestSolution(rows_, pivoted_.rest);
  }

 private:
  MatrixXd SolveFullRank() const {
    const MatrixXd scaled = SolveUpper(pivoted_.r, pivoted_.rest);
    const VectorXd inverse = lengths_.cwiseInverse();
    MatrixXd w(scaled.rows(), scaled.cols());
    for (std::size_t j = 0; j < pivoted_.order.size(); ++j) {
      const Index row = pivoted_.order[j];
      w.row(row) = inverse[row] * scaled.row(static_cast<Index>(j));
    }
    return w;
  }

  MatrixXd SolvePenalised(double l2) {
    if (!svd_) {
      svd_ = FindSingularValues(rows_.transpose(), Sides::kBoth);
      projected_ = CrossProduct(svd_->right, pivoted_.rest);
    }
    const VectorXd& s = svd_->values;
    const VectorXd shrunk = (s.array() / (s.array().square() + l2)).matrix();
    return Product(svd_->left, shrunk.asDiagonal() * projected_);
  }

  VectorXd lengths_;
  PivotedFactor pivoted_;
  MatrixXd rows_;  // those of its R in the original order and units of the columns
  std::optional<SingularValues> svd_;
  MatrixXd projected_;
};

}  // namespace crossfold::bundled
