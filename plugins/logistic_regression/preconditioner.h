// An approximate inverse of the second derivatives, for conjugate gradients.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "log_loss_sum.h"

namespace crossfold::bundled {

// How much of the second derivatives is inverted.
enum class Extent {
  kEachScore,  // those by the coefficients of each score alone; with two classes that is all
  kWhole       // all of them: expensive, but then few conjugate gradients are needed
};

// With very many features, only the diagonal.
class Preconditioner {
 public:
  // `damping` times their diagonal is added to the second derivatives.
  // REQUIRES: SuitsWhole(loss) for kWhole.
  Preconditioner(const LogLossSum& loss, const VectorXd& l2, Extent extent, double damping = 0)
      : extent_(extent), damping_(damping) {
    if (extent == Extent::kWhole) {
      AddWhole(loss, l2);
      return;
    }
    for (Index k = 0; k < loss.num_scores(); ++k) {
      if (loss.z().cols() <= kMostForBlocks) {
        AddBlock(CrossProducts(loss, k, l2));
      } else {
        units_.push_back(UnitsOf(Weighted(loss, k).colwise().squaredNorm().transpose() + l2));
      }
    }
  }

  static bool SuitsWhole(const LogLossSum& loss) {
    return loss.num_scores() > 1 && loss.z().cols() * loss.num_scores() <= kMostForWhole;
  }

  Extent extent() const { return extent_; }

  // The diagonal of the second derivatives, nowhere 0, as a matrix like the coefficients.
  MatrixXd Bends(Index n_rows, Index n_scores) const {
    MatrixXd bends(n_rows, n_scores);
    Index first = 0;
    for (const VectorXd& unit : units_) {
      Eigen::Map<VectorXd>(bends.data() + first, unit.size()) = unit.cwiseAbs2().cwiseInverse();
      first += unit.size();
    }
    return bends;
  }

  // Coefficients whose entry of `free` is 0 do not move.
  void Restrict(const MatrixXd& free) {
    factors_.clear();
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      MatrixXd block = blocks_[b];
      for (Index j = 0; j < block.cols(); ++j) {
        if (free.data()[static_cast<Index>(b) * block.cols() + j] != 0) continue;
        block.row(j).setZero();
        block.col(j).setZero();
        block(j, j) = 1;
      }
      factors_.push_back(FactorOf(std::move(block)));
    }
  }

  // REQUIRES: Restrict() was called; `residual` is 0 where its `free` was.
  MatrixXd Solve(const MatrixXd& residual) const {
    MatrixXd solved(residual.rows(), residual.cols());
    Index first = 0;
    for (std::size_t b = 0; b < units_.size(); first += units_[b].size(), ++b) {
      const VectorXd& unit = units_[b];
      VectorXd scaled =
          unit.cwiseProduct(Eigen::Map<const VectorXd>(residual.data() + first, unit.size()));
      if (!factors_.empty()) factors_[b].SolveInPlace(scaled);
      Eigen::Map<VectorXd>(solved.data() + first, unit.size()) = unit.cwiseProduct(scaled);
    }
    return solved;
  }

 private:
  static constexpr Index kMostForBlocks = 600;
  static constexpr Index kMostForWhole = 1500;
  // Relative to the largest: keeps dependent and uninformative features invertible.
  static constexpr double kFloor = 1e-12;

  // The factors that scale the diagonal to 1.
  static VectorXd UnitsOf(const VectorXd& diagonal) {
    const double largest = diagonal.maxCoeff();
    return diagonal.cwiseMax(largest > 0 ? kFloor * largest : 1).cwiseSqrt().cwiseInverse();
  }

  // The cross products of the rows, each times its scale, are the second derivatives by the
  // coefficients of score k.
  static VectorXd Scales(const LogLossSum& loss, Index k) {
    VectorXd scales(loss.z().rows());
    for (Index i = 0; i < scales.size(); ++i) scales[i] = std::sqrt(loss.Curvature(i, k));
    return scales;
  }
  static RowMatrix Weighted(const LogLossSum& loss, Index k) {
    return Scales(loss, k).asDiagonal() * loss.z();
  }

  // The lower triangle; the rest is 0.
  static MatrixXd CrossProducts(const LogLossSum& loss, Index k, const VectorXd& l2) {
    MatrixXd products = MatrixXd::Zero(l2.size(), l2.size());
    AddToLowerTriangle(loss.z().transpose(), Scales(loss, k), 1, products);
    products.diagonal() += l2;
    return products;
  }

  // Uses the lower triangle only.
  void AddBlock(MatrixXd block) {
    units_.push_back(UnitsOf(block.diagonal()));
    block = units_.back().asDiagonal() * block * units_.back().asDiagonal();
    block.diagonal().array() += std::max(kFloor, damping_);
    blocks_.push_back(std::move(block));
  }

  void AddWhole(const LogLossSum& loss, const VectorXd& l2) {
    const Index d = loss.z().cols(), n_scores = loss.num_scores();
    MatrixXd whole = BetweenScores(loss);
    for (Index k = 0; k < n_scores; ++k) {
      whole.block(k * d, k * d, d, d) = CrossProducts(loss, k, l2);
    }
    // Coefficients without l2 may change by the same amount for all scores without any effect. No
    // gradient points there; a bend in that direction keeps the matrix invertible.
    for (Index j = 0; j < d; ++j) {
      if (l2[j] > 0) continue;
      const double bend = whole(j, j) / static_cast<double>(n_scores);
      for (Index k = 0; k < n_scores; ++k) {
        for (Index l = 0; l <= k; ++l) whole(k * d + j, l * d + j) += bend;
      }
    }
    AddBlock(std::move(whole));
  }

  // The second derivatives by coefficients of two scores: the blocks below the diagonal.
  static MatrixXd BetweenScores(const LogLossSum& loss) {
    constexpr Index kRowsAtOnce = 256;
    const Index d = loss.z().cols(), n = loss.z().rows(), size = d * loss.num_scores();
    MatrixXd between = MatrixXd::Zero(size, size);
    RowMatrix spread(std::min(kRowsAtOnce, n), size);
    for (Index first = 0; first < n; first += kRowsAtOnce) {
      const Index height = std::min(kRowsAtOnce, n - first);
      for (Index i = 0; i < height; ++i) {
        for (Index k = 0; k < loss.num_scores(); ++k) {
          spread.row(i).segment(k * d, d) = loss.Coupling(first + i, k) * loss.z().row(first + i);
        }
      }
      AddToLowerTriangle(spread.topRows(height).transpose(), -1, between);
    }
    return between;
  }

  // Rounding may make a direction without curvature negative; it gets a small positive value.
  static Cholesky FactorOf(MatrixXd block) {
    Cholesky factor(block);
    for (double lift = kFloor; !factor.is_definite() && lift < 1; lift *= 100) {
      block.diagonal().array() += lift;
      factor = Cholesky(block);
    }
    return factor;
  }

  Extent extent_;
  double damping_;
  std::vector<VectorXd> units_;    // of each block
  std::vector<MatrixXd> blocks_;   // scaled; none = the diagonal alone
  std::vector<Cholesky> factors_;  // of what is left of the blocks
};

}  // namespace crossfold::bundled
