// Matrices of the linear methods. Products and factorisations are slow to compile, so they are
// compiled once, here and in orthogonal_factors.cpp, and not in each plugin. Eigen's exp and log of
// whole arrays are not used: they round differently from one entry to the next, so a row's result
// would depend on its place.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <optional>

#include "fixed_blocks.h"

namespace crossfold::bundled {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A matrix that is column by column in memory: a MatrixXd, a block of one, the transpose of a
// RowMatrix. Anything else is copied.
using MatrixView = Eigen::Ref<const MatrixXd>;

bool AreFinite(const double* numbers, Index n);

// Return a b, a' b and a b'.
MatrixXd Product(const MatrixView& a, const MatrixView& b);
MatrixXd CrossProduct(const MatrixView& a, const MatrixView& b);
MatrixXd OuterProduct(const MatrixView& a, const MatrixView& b);

// The same into memory of the right size, which is not that of a or b.
void SetProduct(const MatrixView& a, const MatrixView& b, Eigen::Ref<MatrixXd> out);
void SetCrossProduct(const MatrixView& a, const MatrixView& b, Eigen::Ref<MatrixXd> out);
void SetOuterProduct(const MatrixView& a, const MatrixView& b, Eigen::Ref<MatrixXd> out);
void SubtractCrossProduct(const MatrixView& a, const MatrixView& b, Eigen::Ref<MatrixXd> out);
void AddOuterProduct(const MatrixView& a, const MatrixView& b, Eigen::Ref<MatrixXd> out);

// Adds `factor` times a a' to the lower triangle; the second with each column of a times its scale.
// REQUIRES: factor is 1 or -1.
void AddToLowerTriangle(const MatrixView& a, double factor, MatrixXd& out);
void AddToLowerTriangle(const MatrixView& a, const VectorXd& scales, double factor, MatrixXd& out);

// The sum of the columns, or rows, times their weights: matrix weights, or matrix' weights.
VectorXd SumOfColumns(const MatrixXd& matrix, const VectorXd& weights);
VectorXd SumOfRows(const MatrixXd& matrix, const VectorXd& weights);

// L L' of a symmetric matrix, of which only the lower triangle is read.
class Cholesky {
 public:
  Cholesky() = default;
  explicit Cholesky(const MatrixXd& matrix);

  bool is_definite() const { return is_definite_; }
  // All below: REQUIRES is_definite().
  double diagonal(Index j) const { return llt_.matrixLLT()(j, j); }
  // An estimate of the reciprocal condition number.
  double ReciprocalCondition() const;
  // The two sum in different orders.
  MatrixXd Solve(const MatrixXd& right) const;
  RowMatrix SolveByRows(const RowMatrix& right) const;
  void SolveInPlace(VectorXd& right) const;
  // Solves with L alone.
  void SolveLowerInPlace(MatrixXd& right) const;

 private:
  Eigen::LLT<MatrixXd> llt_;
  bool is_definite_ = false;
};

// L, row by row; nothing if the matrix is not positive definite, or if the estimate of its
// reciprocal condition number is at most `least`.
std::optional<RowMatrix> LowerFactor(const RowMatrix& matrix, double least);

}  // namespace crossfold::bundled
