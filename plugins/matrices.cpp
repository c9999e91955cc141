#include "matrices.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "lower_triangle.h"

namespace crossfold::bundled {
namespace {

// How many columns of such a matrix Eigen sums at a time in a a'.
Index ColumnsAtOnce(Index n_rows, Index n_columns) {
  Eigen::internal::gemm_blocking_space<Eigen::ColMajor, double, double, Eigen::Dynamic,
                                       Eigen::Dynamic, Eigen::Dynamic>
      blocking(n_rows, n_rows, n_columns, 1, false);
  return blocking.kc();
}

// Whether the sums were added, which takes a processor with AVX2. `scales` may be null.
bool AddInVectors(const MatrixView& a, const double* scales, double factor, MatrixXd& out) {
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (!has_avx2) return false;
  const Index at_once = ColumnsAtOnce(a.rows(), a.cols());
  std::vector<double> memory(
      static_cast<std::size_t>((a.rows() + 3) / 4 * 4 * std::min(at_once, a.cols())));
  AddOuterSquaresByAvx2({a.data(), a.outerStride(), scales, a.rows(), a.cols(), factor, out.data(),
                         out.outerStride()},
                        at_once, memory.data());
  return true;
#else
  return false;
#endif
}

}  // namespace

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
  if (AddInVectors(a, nullptr, factor, out)) return;
  out.selfadjointView<Eigen::Lower>().rankUpdate(a, factor);
}

void AddToLowerTriangle(const MatrixView& a, const VectorXd& scales, double factor, MatrixXd& out) {
  if (AddInVectors(a, scales.data(), factor, out)) return;
  const MatrixXd scaled = a * scales.asDiagonal();
  out.selfadjointView<Eigen::Lower>().rankUpdate(scaled, factor);
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
