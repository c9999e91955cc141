// An approximate inverse of the second derivatives, for conjugate gradients.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "log_loss_sum.h"

namespace crossfold::bundled {

// The second derivatives by the coefficients of each score alone: with two classes they are all
// there are. With very many features, only their diagonal.
class Preconditioner {
 public:
  Preconditioner(const LogLossSum& loss, const VectorXd& l2) {
    for (Index k = 0; k < loss.num_scores(); ++k) {
      RowMatrix weighted = loss.z();
      for (Index i = 0; i < weighted.rows(); ++i) {
        weighted.row(i) *= std::sqrt(loss.Curvature(i, k));
      }
      if (weighted.cols() <= kMostForBlocks) {
        AddBlock(weighted, l2);
      } else {
        units_.push_back(UnitsOf(weighted.colwise().squaredNorm().transpose() + l2));
      }
    }
  }

  // Coefficients whose entry of `free` is 0 do not move.
  void Restrict(const MatrixXd& free) {
    factors_.clear();
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      MatrixXd block = blocks_[k];
      for (Index j = 0; j < block.cols(); ++j) {
        if (free(j, static_cast<Index>(k)) != 0) continue;
        block.row(j).setZero();
        block.col(j).setZero();
        block(j, j) = 1;
      }
      factors_.emplace_back(block);
    }
  }

  // REQUIRES: Restrict() was called; `residual` is 0 where its `free` was.
  MatrixXd Solve(const MatrixXd& residual) const {
    MatrixXd solved(residual.rows(), residual.cols());
    for (Index k = 0; k < residual.cols(); ++k) {
      const auto place = static_cast<std::size_t>(k);
      const VectorXd& unit = units_[place];
      VectorXd scaled = unit.cwiseProduct(residual.col(k));
      if (!factors_.empty()) factors_[place].solveInPlace(scaled);
      solved.col(k) = unit.cwiseProduct(scaled);
    }
    return solved;
  }

 private:
  static constexpr Index kMostForBlocks = 600;
  // Relative to the largest: keeps dependent features, and those that say nothing, invertible.
  static constexpr double kFloor = 1e-12;

  // What scales the diagonal to 1.
  static VectorXd UnitsOf(const VectorXd& diagonal) {
    const double largest = diagonal.maxCoeff();
    return diagonal.cwiseMax(largest > 0 ? kFloor * largest : 1).cwiseSqrt().cwiseInverse();
  }

  void AddBlock(const RowMatrix& weighted, const VectorXd& l2) {
    MatrixXd block = MatrixXd::Zero(l2.size(), l2.size());
    block.selfadjointView<Eigen::Lower>().rankUpdate(weighted.transpose());
    block.diagonal() += l2;
    units_.push_back(UnitsOf(block.diagonal()));
    block = units_.back().asDiagonal() * block * units_.back().asDiagonal();
    block.diagonal().array() += kFloor;
    blocks_.push_back(std::move(block));
  }

  std::vector<VectorXd> units_;                // of each score
  std::vector<MatrixXd> blocks_;               // of each score, scaled; none = the diagonal alone
  std::vector<Eigen::LLT<MatrixXd>> factors_;  // of what is left of the blocks
};

}  // namespace crossfold::bundled
