// Penalised least squares for many penalties from one factorisation.
#pragma once

#include <optional>

#include "../matrices.h"

namespace crossfold::bundled {

// The minimum over w of |X w - Y|^2 + l2 |w|^2, where X = Q r and Q'Y = rest of `factor`.
//
// l2 = 0: by a QR factorisation with pivots of the columns scaled to length 1; if they are linearly
// dependent, the solution of the least |w| among all minima. l2 > 0: by the singular values. A
// value of l2 gets the same numbers whichever others are asked for.
class LeastSquaresPath {
 public:
  // `n_rows` has X.
  LeastSquaresPath(const TriangularFactor& factor, Index n_rows)
      : lengths_(ColumnLengths(factor.r)), pivoted_(PivotedFactor(factor.r, n_rows)) {
    const Index rank = pivoted_.rank();
    MatrixXd rotated = factor.rest;
    rotated.applyOnTheLeft(pivoted_.householderQ().adjoint());
    targets_ = rotated.topRows(rank);
    // The same rows in the original order and units of the columns.
    const MatrixXd upper = pivoted_.matrixR().topRows(rank).triangularView<Eigen::Upper>();
    rows_ = (upper * pivoted_.colsPermutation().transpose()) * lengths_.asDiagonal();
  }

  // Columns of X x columns of Y.
  MatrixXd Solve(double l2) {
    if (rows_.rows() == 0) return MatrixXd::Zero(rows_.cols(), targets_.cols());
    if (l2 > 0) return SolvePenalised(l2);
    return rows_.rows() == rows_.cols() ? SolveFullRank() : SolveLeastLength();
  }

 private:
  MatrixXd SolveFullRank() const {
    const Index d = rows_.cols();
    const MatrixXd scaled =
        pivoted_.matrixR().topRows(d).triangularView<Eigen::Upper>().solve(targets_);
    return lengths_.cwiseInverse().asDiagonal() * (pivoted_.colsPermutation() * scaled);
  }

  // rows' = Q R with R square, so w = Q R'^-1 targets has no part outside of the rows.
  MatrixXd SolveLeastLength() const {
    const Index rank = rows_.rows();
    const Eigen::HouseholderQR<MatrixXd> qr(rows_.transpose());
    MatrixXd w = MatrixXd::Zero(rows_.cols(), targets_.cols());
    w.topRows(rank) =
        qr.matrixQR().topRows(rank).triangularView<Eigen::Upper>().transpose().solve(targets_);
    w.applyOnTheLeft(qr.householderQ());
    return w;
  }

  MatrixXd SolvePenalised(double l2) {
    if (!svd_) {
      svd_.emplace(rows_.transpose(), Eigen::ComputeThinU | Eigen::ComputeThinV);
      projected_ = svd_->matrixV().transpose() * targets_;
    }
    const VectorXd& s = svd_->singularValues();
    const VectorXd shrunk = (s.array() / (s.array().square() + l2)).matrix();
    return svd_->matrixU() * (shrunk.asDiagonal() * projected_);
  }

  VectorXd lengths_;
  Eigen::ColPivHouseholderQR<MatrixXd> pivoted_;
  MatrixXd rows_, targets_;  // rank x columns of X and Y
  std::optional<Eigen::BDCSVD<MatrixXd>> svd_;
  MatrixXd projected_;
};

}  // namespace crossfold::bundled
