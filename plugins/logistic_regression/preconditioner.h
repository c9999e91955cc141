// An approximate inverse of the second derivatives, for conjugate gradients.
#pragma once

#include <vector>

#include "log_loss_sum.h"

namespace crossfold::bundled {

// The second derivatives by the coefficients of each score alone: with two classes they are all
// there are. With very many features, only their diagonal.
class Preconditioner {
 public:
  // Entries of `free` that are 0 belong to coefficients that do not move.
  Preconditioner(const LogLossSum& loss, const VectorXd& l2, const MatrixXd& free) {
    for (Index k = 0; k < loss.num_scores(); ++k) {
      RowMatrix weighted = loss.z();
      for (Index i = 0; i < weighted.rows(); ++i) {
        weighted.row(i) *= std::sqrt(loss.Curvature(i, k));
      }
      if (weighted.cols() <= kMostForBlocks) {
        AddBlock(weighted, l2, free.col(k));
      } else {
        diagonals_.push_back(
            Raised(weighted.colwise().squaredNorm().transpose() + l2).cwiseInverse());
      }
    }
  }

  // REQUIRES: `residual` is 0 where `free` was.
  MatrixXd Solve(const MatrixXd& residual) const {
    MatrixXd solved(residual.rows(), residual.cols());
    for (Index k = 0; k < residual.cols(); ++k) {
      const auto place = static_cast<std::size_t>(k);
      if (blocks_.empty()) {
        solved.col(k) = diagonals_[place].cwiseProduct(residual.col(k));
      } else {
        const VectorXd& unit = diagonals_[place];
        solved.col(k) = unit.cwiseProduct(blocks_[place].solve(unit.cwiseProduct(residual.col(k))));
      }
    }
    return solved;
  }

 private:
  static constexpr Index kMostForBlocks = 600;
  // Relative to the largest: keeps dependent features, and those that say nothing, invertible.
  static constexpr double kFloor = 1e-12;

  static VectorXd Raised(VectorXd diagonal) {
    const double largest = diagonal.maxCoeff();
    return diagonal.cwiseMax(largest > 0 ? kFloor * largest : 1);
  }

  void AddBlock(const RowMatrix& weighted, const VectorXd& l2, const VectorXd& free) {
    MatrixXd block = MatrixXd::Zero(l2.size(), l2.size());
    block.selfadjointView<Eigen::Lower>().rankUpdate(weighted.transpose());
    block.diagonal() += l2;
    const VectorXd unit = Raised(block.diagonal()).cwiseSqrt().cwiseInverse();
    block = unit.asDiagonal() * block * unit.asDiagonal();
    for (Index j = 0; j < free.size(); ++j) {
      block(j, j) += kFloor;
      if (free[j] != 0) continue;
      block.row(j).setZero();
      block.col(j).setZero();
      block(j, j) = 1;
    }
    blocks_.emplace_back(block);
    diagonals_.push_back(unit);
  }

  std::vector<Eigen::LLT<MatrixXd>> blocks_;  // of each score, scaled to a diagonal of 1
  std::vector<VectorXd> diagonals_;           // the scale, or the inverse diagonal
};

}  // namespace crossfold::bundled
