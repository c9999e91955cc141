#include "matrices.h"

#include <algorithm>
#include <cmath>

namespace crossfold::bundled {

bool AreFinite(const double* numbers, Index n) {
  return std::all_of(numbers, numbers + n, [](double number) { return std::isfinite(number); });
}

MatrixXd Product(const MatrixView& a, const MatrixView& b) {
  MatrixXd out(a.rows(), b.cols());
  SetProduct(a, b, out);
  return out;
}

MatrixXd CrossProduct(const MatrixView& a, const MatrixView& b) {
  MatrixXd out(a.cols(), b.cols());
  SetCrossProduct(a, b, out);
  return out;
}

MatrixXd OuterProduct(const MatrixView& a, const MatrixView& b) {
  MatrixXd out(a.rows(), b.rows());
  SetOuterProduct(a, b, out);
  return out;
}

void SetProduct(const MatrixView& a, const MatrixView& b, Eigen::Ref<MatrixXd> out) {
  out.noalias() = a * b;
}

void SetCrossProduct(const MatrixView& a, const MatrixView& b, Eigen::Ref<MatrixXd> out) {
  out.noalias() = a.transpose() * b;
}

void SetOuterProduct(const MatrixView& a, const MatrixView& b, Eigen::Ref<MatrixXd> out) {
  out.noalias() = a * b.transpose();
}

void SubtractCrossProduct(const MatrixView& a, const MatrixView& b, Eigen::Ref<MatrixXd> out) {
  out.noalias() -= a.transpose() * b;
}

void AddOuterProduct(const MatrixView& a, const MatrixView& b, Eigen::Ref<MatrixXd> out) {
  out.noalias() += a * b.transpose();
}

void AddToLowerTriangle(const MatrixView& a, double factor, MatrixXd& out) {
  out.selfadjointView<Eigen::Lower>().rankUpdate(a, factor);
}

VectorXd SumOfColumns(const MatrixXd& matrix, const VectorXd& weights) { return matrix * weights; }

VectorXd SumOfRows(const MatrixXd& matrix, const VectorXd& weights) {
  return matrix.transpose() * weights;
}

Cholesky::Cholesky(const MatrixXd& matrix)
    : llt_(matrix), is_definite_(llt_.info() == Eigen::Success) {}

double Cholesky::ReciprocalCondition() const { return llt_.rcond(); }

MatrixXd Cholesky::Solve(const MatrixXd& right) const { return llt_.solve(right); }

RowMatrix Cholesky::SolveByRows(const RowMatrix& right) const { return llt_.solve(right); }

void Cholesky::SolveInPlace(VectorXd& right) const { llt_.solveInPlace(right); }

void Cholesky::SolveLowerInPlace(MatrixXd& right) const { llt_.matrixL().solveInPlace(right); }

std::optional<RowMatrix> LowerFactor(const RowMatrix& matrix, double least) {
  const Eigen::LLT<RowMatrix> cholesky(matrix);
  if (cholesky.info() != Eigen::Success || !(cholesky.rcond() > least)) return std::nullopt;
  return cholesky.matrixL();
}

}  // namespace crossfold::bundled
