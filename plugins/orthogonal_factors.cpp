#include "orthogonal_factors.h"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <limits>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

Eigen::ColPivHouseholderQR<MatrixXd> PivotedColumns(const MatrixXd& r, Index n_rows) {
  Eigen::ColPivHouseholderQR<MatrixXd> qr;
  const double size = static_cast<double>(std::max(n_rows, r.cols()));
  qr.setThreshold(size * std::numeric_limits<double>::epsilon());
  qr.compute(r * ColumnLengths(r).cwiseInverse().asDiagonal());
  return qr;
}

}  // namespace

RowFactoriser::RowFactoriser(Index n_rows, Index n_columns, Index n_factored)
    : n_factored_(n_factored),
      block_(std::min(n_rows, n_factored + std::max<Index>(256, 2 * n_factored)), n_columns) {}

void RowFactoriser::Add(const RowMatrix& rows) {
  for (Index next = 0; next < rows.rows();) {
    const Index taken = std::min(block_.rows() - used_, rows.rows() - next);
    block_.middleRows(used_, taken) = rows.middleRows(next, taken);
    next += taken;
    used_ += taken;
    is_factored_ = false;
    if (used_ == block_.rows()) Reflect();
  }
}

void RowFactoriser::Reflect() {
  const Index n_rest = block_.cols() - n_factored_;
  Eigen::Ref<MatrixXd> left = block_.topLeftCorner(used_, n_factored_);
  const Eigen::HouseholderQR<Eigen::Ref<MatrixXd>> qr(left);
  if (n_rest > 0) {
    block_.topRightCorner(used_, n_rest).applyOnTheLeft(qr.householderQ().adjoint());
  }
  used_ = std::min(used_, n_factored_);
  block_.topLeftCorner(used_, n_factored_).triangularView<Eigen::StrictlyLower>().setZero();
  is_factored_ = true;
}

TriangularFactor RowFactoriser::Finish() {
  if (!is_factored_ && used_ > 0) Reflect();
  TriangularFactor factor{block_.topLeftCorner(used_, n_factored_),
                          block_.topRightCorner(used_, block_.cols() - n_factored_)};
  if (!factor.r.allFinite() || !factor.rest.allFinite()) {
    throw plugin::Error(CF_E_NUMERIC,
                        "products of the features exceed the range of numbers; rescale them");
  }
  return factor;
}

TriangularFactor Factorise(const RowMatrix& rows, Index n_factored) {
  RowFactoriser factoriser(rows.rows(), rows.cols(), n_factored);
  factoriser.Add(rows);
  return factoriser.Finish();
}

VectorXd ColumnLengths(const MatrixXd& matrix) {
  VectorXd lengths = matrix.colwise().norm().transpose();
  for (double& length : lengths) length = length > 0 ? length : 1;
  return lengths;
}

PivotedFactor Pivot(const TriangularFactor& factor, Index n_rows) {
  const Eigen::ColPivHouseholderQR<MatrixXd> qr = PivotedColumns(factor.r, n_rows);
  const Index rank = qr.rank();
  MatrixXd rest = factor.rest;
  rest.applyOnTheLeft(qr.householderQ().adjoint());
  const auto& order = qr.colsPermutation().indices();
  return {qr.matrixR().topRows(rank).triangularView<Eigen::Upper>(),
          rest.topRows(rank),
          {order.begin(), order.end()}};
}

Index RankOf(const MatrixXd& r, Index n_rows) { return PivotedColumns(r, n_rows).rank(); }

MatrixXd SolveUpper(const MatrixXd& upper, const MatrixXd& right) {
  return upper.triangularView<Eigen::Upper>().solve(right);
}

// rows' = Q R with R square, so x = Q R'^-1 right has no part outside of the rows.
MatrixXd ShortestSolution(const MatrixXd& rows, const MatrixXd& right) {
  MatrixXd columns = rows.transpose();
  Eigen::Ref<MatrixXd> upper = columns;
  const Eigen::HouseholderQR<Eigen::Ref<MatrixXd>> qr(upper);
  MatrixXd x = MatrixXd::Zero(columns.rows(), right.cols());
  x.topRows(rows.rows()) =
      upper.topRows(rows.rows()).triangularView<Eigen::Upper>().transpose().solve(right);
  x.topLeftCorner(x.rows(), x.cols()).applyOnTheLeft(qr.householderQ());
  return x;
}

SingularValues FindSingularValues(const MatrixXd& matrix, Sides sides) {
  unsigned options = Eigen::ComputeThinV;
  if (sides == Sides::kBoth) options |= Eigen::ComputeThinU;
  const Eigen::BDCSVD<MatrixXd> svd(matrix, options);
  return {svd.singularValues(), sides == Sides::kBoth ? svd.matrixU() : MatrixXd(), svd.matrixV(),
          svd.info() == Eigen::Success};
}

}  // namespace crossfold::bundled
