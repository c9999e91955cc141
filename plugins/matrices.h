// Matrices of the linear methods. Eigen's exp and log of whole arrays are not used: they round
// differently from one entry to the next, so a row's result would depend on its place.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/QR>
#include <Eigen/SVD>

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

TriangularFactor Factorise(const RowMatrix& rows, Index n_factored);

// Length of each column; 1 for a column of zeros.
VectorXd ColumnLengths(const MatrixXd& matrix);

// A rank-revealing factorisation with pivots, after every column was scaled to length 1: the
// decision does not depend on the units. `n_rows` had the matrix that `factor` stands for.
Eigen::ColPivHouseholderQR<MatrixXd> PivotedFactor(const MatrixXd& factor, Index n_rows);

}  // namespace crossfold::bundled

// Compiled once, in matrices.cpp, and not in each plugin, as compilers take long for them. Plugins
// that include this header link bundled_matrices (use_matrices in eigen.cmake).
extern template class Eigen::HouseholderQR<Eigen::MatrixXd>;
extern template class Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;
extern template class Eigen::JacobiSVD<Eigen::MatrixXd>;
extern template class Eigen::BDCSVD<Eigen::MatrixXd>;
extern template class Eigen::LLT<Eigen::MatrixXd>;
