// Matrices of the linear methods. Eigen's exp and log of whole arrays are not used: they round
// differently from one entry to the next, so a row's result would depend on its place.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

#include "crossfold_plugin.hpp"
#include "fixed_blocks.h"

namespace crossfold::bundled {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The first `n_factored` columns of `rows` as Q R, the others behind Q'. R is an upper trapezoid,
// min(rows, n_factored) high: R'R are the cross products of the factored columns, and R' rest
// theirs with the others. Householder reflections block by block of rows, so that nothing larger is
// copied.
struct TriangularFactor {
  MatrixXd r, rest;
};

inline TriangularFactor Factorise(const RowMatrix& rows, Index n_factored) {
  const Index n = rows.rows();
  const Index n_rest = rows.cols() - n_factored;
  const Index capacity = std::min(n, n_factored + std::max<Index>(256, 2 * n_factored));
  MatrixXd block(capacity, rows.cols());
  Index used = 0;
  for (Index next = 0; next < n;) {
    const Index taken = std::min(capacity - used, n - next);
    block.middleRows(used, taken) = rows.middleRows(next, taken);
    next += taken;
    used += taken;
    Eigen::Ref<MatrixXd> left = block.topLeftCorner(used, n_factored);
    const Eigen::HouseholderQR<Eigen::Ref<MatrixXd>> qr(left);
    if (n_rest > 0) {
      block.topRightCorner(used, n_rest).applyOnTheLeft(qr.householderQ().adjoint());
    }
    used = std::min(used, n_factored);
    block.topLeftCorner(used, n_factored).triangularView<Eigen::StrictlyLower>().setZero();
  }
  TriangularFactor factor{block.topLeftCorner(used, n_factored),
                          block.topRightCorner(used, n_rest)};
  if (!factor.r.allFinite() || !factor.rest.allFinite()) {
    throw plugin::Error(CF_E_NUMERIC,
                        "products of the features exceed the range of numbers; rescale them");
  }
  return factor;
}

// Length of each column; 1 for a column of zeros.
inline VectorXd ColumnLengths(const MatrixXd& matrix) {
  VectorXd lengths = matrix.colwise().norm().transpose();
  for (double& length : lengths) length = length > 0 ? length : 1;
  return lengths;
}

// A rank-revealing factorisation with pivots, after every column was scaled to length 1: the
// decision does not depend on the units. `n_rows` had the matrix that `factor` stands for.
inline Eigen::ColPivHouseholderQR<MatrixXd> PivotedFactor(const MatrixXd& factor, Index n_rows) {
  Eigen::ColPivHouseholderQR<MatrixXd> qr;
  const double size = static_cast<double>(std::max(n_rows, factor.cols()));
  qr.setThreshold(size * std::numeric_limits<double>::epsilon());
  qr.compute(factor * ColumnLengths(factor).cwiseInverse().asDiagonal());
  return qr;
}

}  // namespace crossfold::bundled
