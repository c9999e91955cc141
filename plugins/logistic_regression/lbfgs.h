// The method of L-BFGS for the penalised log-loss of rows that are read in blocks. J. Nocedal and
// S. Wright, Numerical Optimization, Springer 2006, algorithm 7.4.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "blocked_loss.h"
#include "crossfold_plugin/error.hpp"

namespace crossfold::bundled {

// The second derivatives without any feature are where it starts from, so that few passes over the
// rows are enough.
class Lbfgs {
 public:
  Lbfgs(const BlockedLoss& loss, const PresentClasses& classes, NewtonLimits limits)
      : loss_(loss), limits_(limits), inverse_(loss, Curvatures(classes, loss.num_scores())) {}

  // Throws Error(CF_E_NOT_CONVERGED) with a way out. Where rounding hides how to lower the
  // objective further, a warning is logged.
  MatrixXd Minimise(MatrixXd w) {
    BlockedLoss::Values at = loss_.Evaluate(w, MatrixXd::Zero(w.rows(), w.cols()), 0);
    for (std::int64_t step = 0; step < limits_.max_iter; ++step) {
      RefuseSeparation(loss_.penalty(), at.objective, loss_.total_weight());
      const MatrixXd direction = Direction(at.slope);
      const double share = Move(direction, Progress(step), w, at);
      if (share == 1 && at.change <= limits_.tolerance) return w;
      if (n_stalled_ >= kMostStalled) {
        WarnOfRounding(at.change);
        return w;
      }
    }
    RefuseAfter(limits_.max_iter, at.change, loss_.penalty());
  }

 private:
  // Steps near the minimum that the objective is too coarse to see.
  static constexpr int kMostStalled = 12;

  struct Pair {
    MatrixXd moved, bent;  // a step, and the change of the slope
    double product;        // of the two
  };

  static VectorXd Curvatures(const PresentClasses& classes, Index n_scores) {
    double total = 0;
    for (Index k = 0; k < classes.size(); ++k) total += classes.weight(k);
    VectorXd curvatures(n_scores);
    for (Index k = 0; k < n_scores; ++k) {
      const double share = classes.weight(k) / total;
      curvatures[k] = share * (1 - share);
    }
    return curvatures;
  }

  double Progress(std::int64_t step) const {
    return static_cast<double>(step) / static_cast<double>(limits_.max_iter);
  }

  MatrixXd Direction(const MatrixXd& slope) const {
    MatrixXd q = -slope;
    std::vector<double> shares(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      shares[i] = pairs_[i].moved.cwiseProduct(q).sum() / pairs_[i].product;
      q -= shares[i] * pairs_[i].bent;
    }
    MatrixXd direction = scale_ * inverse_.Times(q);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double back = pairs_[i].bent.cwiseProduct(direction).sum() / pairs_[i].product;
      direction += (shares[i] - back) * pairs_[i].moved;
    }
    return loss_.penalty().Centred(std::move(direction));
  }

  // Halves the step until the objective falls as the slope promises. Moves w and `at`; returns the
  // share of the step that was taken. Throws Error if no part of it can be taken.
  double Move(const MatrixXd& direction, double progress, MatrixXd& w, BlockedLoss::Values& at) {
    constexpr int kMostHalvings = 50;
    constexpr double kShareOfPromise = 1e-4;
    const double rounding = 1e-13 * std::abs(at.objective);
    double share = 1;
    for (int halvings = 0; halvings < kMostHalvings; ++halvings, share /= 2) {
      const MatrixXd step = share * direction;
      const double promise = at.slope.cwiseProduct(step).sum();
      BlockedLoss::Values next = loss_.Evaluate(w + step, step, progress);
      if (!(next.objective <= at.objective + kShareOfPromise * promise + rounding)) continue;
      n_stalled_ = next.objective < at.objective - rounding ? 0 : n_stalled_ + 1;
      Remember(step, next.slope - at.slope);
      w += step;
      at = std::move(next);
      return share;
    }
    RefuseToMove();
  }

  void WarnOfRounding(double change) const {
    loss_.context().Log(
        CF_LOG_WARN,
        ("logistic_regression: rounding errors hide how to lower the objective further; the last "
         "step changed a log odds by " +
         NumberText(change))
            .c_str());
  }

  void Remember(const MatrixXd& step, const MatrixXd& bent) {
    constexpr std::size_t kMostPairs = 40;
    const double product = step.cwiseProduct(bent).sum();
    if (!(product > 0)) return;
    scale_ = product / bent.cwiseProduct(inverse_.Times(bent)).sum();
    pairs_.push_back({step, bent, product});
    if (pairs_.size() > kMostPairs) pairs_.pop_front();
  }

  const BlockedLoss& loss_;
  NewtonLimits limits_;
  CurvatureInverse inverse_;
  double scale_ = 1;        // of the inverse, by the last pair
  std::deque<Pair> pairs_;  // the oldest first
  int n_stalled_ = 0;       // steps in a row that did not lower the objective beyond rounding
};

}  // namespace crossfold::bundled
