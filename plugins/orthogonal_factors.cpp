#include "orthogonal_factors.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "crossfold_plugin.hpp"
#include "singular_values.h"

namespace crossfold::bundled {
namespace {

using PivotedQr = Eigen::ColPivHouseholderQR<MatrixXd>;
using InPlaceQr = Eigen::HouseholderQR<Eigen::Ref<MatrixXd>>;

PivotedQr PivotedColumns(const MatrixXd& r, Index n_rows) {
  PivotedQr qr;
  const double size = static_cast<double>(std::max(n_rows, r.cols()));
  qr.setThreshold(size * std::numeric_limits<double>::epsilon());
  const MatrixXd scaled = r * ColumnLengths(r).cwiseInverse().asDiagonal();
  qr.compute(scaled);
  return qr;
}

enum class Direction { kForward, kBackward };

// Multiplies by Q, or by Q', whose reflections a factorisation left below the diagonal. In one
// function for all of them, as it is slow to compile.
void Reflect(const MatrixView& reflections, const VectorXd& factors, Direction direction,
             Eigen::Ref<MatrixXd> out) {
  const auto q = Eigen::householderSequence(reflections, factors);
  if (direction == Direction::kForward) {
    out.applyOnTheLeft(q);
  } else {
    out.applyOnTheLeft(q.adjoint());
  }
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
  const InPlaceQr qr(left);
  if (n_rest > 0) {
    bundled::Reflect(left, qr.hCoeffs(), Direction::kBackward,
                     block_.topRightCorner(used_, n_rest));
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
  const PivotedQr qr = PivotedColumns(factor.r, n_rows);
  const Index rank = qr.rank();
  MatrixXd rest = factor.rest;
  Reflect(qr.matrixQR(), qr.hCoeffs(), Direction::kBackward, rest);
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
  const InPlaceQr qr(upper);
  MatrixXd x = MatrixXd::Zero(columns.rows(), right.cols());
  x.topRows(rows.rows()) =
      upper.topRows(rows.rows()).triangularView<Eigen::Upper>().transpose().solve(right);
  Reflect(upper, qr.hCoeffs(), Direction::kForward, x);
  return x;
}

namespace {

// Of a matrix that is at least as high as wide; the names of the sides are those of its transpose
// if `swapped`.
SquareFactors FactoriseSmall(const MatrixXd& matrix, bool want_left, bool swapped) {
  const Index n = matrix.cols();
  MatrixXd left = want_left ? IdentityMatrix(matrix.rows(), n) : MatrixXd(0, n);
  if (matrix.rows() == n)
    return FactoriseByRotations(matrix, std::move(left), IdentityMatrix(n, n));
  const PivotedQr qr(matrix);
  const MatrixXd upper = qr.matrixQR().topRows(n).triangularView<Eigen::Upper>();
  if (want_left) Reflect(qr.matrixQR(), qr.hCoeffs(), Direction::kForward, left);
  MatrixXd right = qr.colsPermutation();
  if (!swapped) return FactoriseByRotations(upper, std::move(left), std::move(right));
  SquareFactors factors =
      FactoriseByRotations(upper.transpose(), std::move(right), std::move(left));
  factors.left.swap(factors.right);
  return factors;
}

SquareFactors FactoriseLarge(MatrixXd matrix, bool want_left) {
  const Index n = matrix.cols(), n_rows = matrix.rows();
  if (n_rows == n) return FactoriseByTwoDiagonals(std::move(matrix), want_left);
  Eigen::Ref<MatrixXd> reflections = matrix;
  const InPlaceQr qr(reflections);
  const MatrixXd upper = matrix.topRows(n).triangularView<Eigen::Upper>();
  SquareFactors factors = FactoriseByTwoDiagonals(upper, want_left);
  if (want_left) {
    MatrixXd left = MatrixXd::Zero(n_rows, n);
    left.topRows(n) = factors.left;
    Reflect(matrix, qr.hCoeffs(), Direction::kForward, left);
    factors.left = std::move(left);
  }
  return factors;
}

}  // namespace

SingularValues FindSingularValues(const MatrixXd& matrix, Sides sides) {
  constexpr Index kLeastLarge = 16;
  if (!AreFinite(matrix.data(), matrix.size())) return {};
  double scale = 0;
  for (Index i = 0; i < matrix.size(); ++i) scale = std::max(scale, std::abs(matrix.data()[i]));
  if (scale == 0) scale = 1;
  const bool is_wide = matrix.cols() > matrix.rows();
  const bool is_small = std::min(matrix.rows(), matrix.cols()) < kLeastLarge;
  const bool want_left = is_wide || sides == Sides::kBoth;
  MatrixXd scaled = matrix / scale;
  if (is_wide) scaled = scaled.transpose().eval();
  SquareFactors factors = is_small ? FactoriseSmall(scaled, want_left, is_wide)
                                   : FactoriseLarge(std::move(scaled), want_left);
  if (is_wide) factors.left.swap(factors.right);
  factors.values *= scale;
  return {std::move(factors.values), sides == Sides::kBoth ? std::move(factors.left) : MatrixXd(),
          std::move(factors.right), factors.is_known};
}

}  // namespace crossfold::bundled
