// Newton's method for the penalised log-loss, with projections for the penalty on absolute values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "../linear_scores.h"
#include "../number_text.h"
#include "log_loss_sum.h"
#include "preconditioner.h"

namespace crossfold::bundled {

// loss + sum over rows j of the coefficients of l2[j] / 2 |w_j|^2 + l1[j] |w_j|_1.
struct Penalty {
  VectorXd l2, l1;

  double Value(const MatrixXd& w) const {
    return 0.5 * l2.dot(w.rowwise().squaredNorm()) + l1.dot(w.cwiseAbs().rowwise().sum());
  }
  bool IsNone() const { return l2.isZero(0) && l1.isZero(0); }
};

struct NewtonLimits {
  std::int64_t max_iter;
  double tolerance;  // largest change of a score in the last step
};

// Each step solves the quadratic model of the smooth part by conjugate gradients, over the
// coefficients that are not at 0 or that the gradient moves away from 0; the step does not pass 0
// (G. Andrew and J. Gao 2007, with second derivatives in place of their approximation).
class Newton {
 public:
  Newton(LogLossSum loss, Penalty penalty, NewtonLimits limits)
      : loss_(std::move(loss)), penalty_(std::move(penalty)), limits_(limits) {}

  // Throws Error(CF_E_NOT_CONVERGED) with a way out.
  MatrixXd Minimise(MatrixXd start, double total_weight, const plugin::Context& context) {
    w_ = std::move(start);
    value_ = Objective(w_);
    for (std::int64_t step = 0; step < limits_.max_iter; ++step) {
      context.Progress(static_cast<double>(step) / static_cast<double>(limits_.max_iter));
      if (penalty_.IsNone() && value_ <= kSeparated * total_weight) RefuseSeparation();
      const MatrixXd slope = Slope();
      const MatrixXd direction = Direction(slope, AccuracyAfter(change_));
      change_ = CrossProduct(loss_.z().transpose(), direction).cwiseAbs().maxCoeff();
      moved_ += change_;
      const bool is_whole = Move(slope, direction);
      if (is_whole && change_ <= limits_.tolerance) return w_;
    }
    throw plugin::Error(CF_E_NOT_CONVERGED,
                        "did not converge in " + std::to_string(limits_.max_iter) +
                            " iterations (the last one changed a log odds by " +
                            NumberText(change_) + "); raise " +
                            (penalty_.IsNone() ? "l2 above 0, or max_iter" : "max_iter or l2"));
  }

 private:
  // Mean log-loss below which the classes count as separated.
  static constexpr double kSeparated = 1e-10;
  static constexpr int kMostHalvings = 50;
  static constexpr int kMostConjugates = 2000;

  [[noreturn]] static void RefuseSeparation() {
    throw plugin::Error(CF_E_NOT_CONVERGED,
                        "the features separate the classes without error, so that no coefficients "
                        "are the best; raise l2 above 0");
  }

  // How exactly the next step is solved for. It is about the square of the last change; what is
  // left after it should be less than that squared again, but need not be below kEnough.
  static double AccuracyAfter(double change) {
    constexpr double kEnough = 1e-13, kCoarsest = 0.05;
    const double next = std::min(change * change, 1.0);
    return next > 0 ? std::min(std::max(next, kEnough / next), kCoarsest) : kCoarsest;
  }

  double Objective(const MatrixXd& w) { return loss_.Evaluate(w) + penalty_.Value(w); }

  // The derivative; where a coefficient is 0 under l1, the one-sided derivative of the side that
  // leads down, else 0.
  MatrixXd Slope() const {
    MatrixXd slope = loss_.Gradient() + penalty_.l2.asDiagonal() * w_;
    for (Index k = 0; k < slope.cols(); ++k) {
      for (Index j = 0; j < slope.rows(); ++j) {
        const double l1 = penalty_.l1[j];
        double& s = slope(j, k);
        if (w_(j, k) != 0) {
          s += std::copysign(l1, w_(j, k));
        } else {
          s = s > l1 ? s - l1 : s < -l1 ? s + l1 : 0;
        }
      }
    }
    return slope;
  }

  // 1 for the coefficients that may move, else 0.
  MatrixXd Free(const MatrixXd& slope) const {
    MatrixXd free = MatrixXd::Ones(slope.rows(), slope.cols());
    for (Index k = 0; k < slope.cols(); ++k) {
      for (Index j = 0; j < slope.rows(); ++j) {
        if (penalty_.l1[j] > 0 && w_(j, k) == 0 && slope(j, k) == 0) free(j, k) = 0;
      }
    }
    return free;
  }

  // A coefficient leaves 0 only downhill; if the quadratic model wants it to go the other way, it
  // stays, and the model is solved again. So the direction always leads down.
  MatrixXd Direction(const MatrixXd& slope, double accuracy) {
    MatrixXd free = Free(slope);
    Precondition();
    conjugates_ = 0;
    while (true) {
      preconditioner_->Restrict(free);
      MatrixXd direction = SolveModel(*preconditioner_, free, slope.cwiseProduct(free), accuracy);
      if (!HoldUphill(slope, direction, free)) return Centred(std::move(direction));
    }
  }

  // All second derivatives are inverted once the last step took so many conjugate gradients that
  // the next, which are solved for more exactly, will cost more. The inverse is kept while no score
  // has moved far: it then bounds those of the next steps, so no step is taken for short that is
  // not. Under l1 their model may have no lowest point, which coarse steps do not notice.
  void Precondition() {
    if (preconditioner_ && preconditioner_->extent() == Extent::kWhole && moved_ <= 1) return;
    const auto size = static_cast<double>(loss_.z().cols() * loss_.num_scores());
    const double cost = size * (1 + size / static_cast<double>(3 * loss_.z().rows()));
    const bool dear = 20 * static_cast<double>(conjugates_) > cost;
    const bool whole =
        dear && change_ <= 2 && penalty_.l1.isZero(0) && Preconditioner::SuitsWhole(loss_);
    preconditioner_.emplace(loss_, penalty_.l2, whole ? Extent::kWhole : Extent::kEachScore);
    moved_ = 0;
  }

  // Conjugate gradients until the residual has shrunk to `accuracy`.
  MatrixXd SolveModel(const Preconditioner& preconditioner, const MatrixXd& free,
                      const MatrixXd& slope, double accuracy) {
    MatrixXd solution = MatrixXd::Zero(slope.rows(), slope.cols());
    MatrixXd residual = -slope;
    MatrixXd solved = preconditioner.Solve(residual);
    MatrixXd conjugate = solved;
    double length = residual.cwiseProduct(solved).sum();
    const double enough = length * accuracy * accuracy;
    for (int i = 0; i < kMostConjugates && length > enough; ++i) {
      ++conjugates_;
      const MatrixXd image =
          (loss_.TimesSecond(conjugate) + penalty_.l2.asDiagonal() * conjugate).cwiseProduct(free);
      const double bend = conjugate.cwiseProduct(image).sum();
      if (!(bend > 0)) break;
      solution += (length / bend) * conjugate;
      residual -= (length / bend) * image;
      solved = preconditioner.Solve(residual);
      const double next = residual.cwiseProduct(solved).sum();
      conjugate = solved + (next / length) * conjugate;
      length = next;
    }
    return solution;
  }

  // Whether a coefficient at 0 would go uphill; then it is free no more.
  bool HoldUphill(const MatrixXd& slope, const MatrixXd& direction, MatrixXd& free) const {
    bool is_found = false;
    for (Index k = 0; k < slope.cols(); ++k) {
      for (Index j = 0; j < slope.rows(); ++j) {
        if (penalty_.l1[j] == 0 || w_(j, k) != 0) continue;
        if (direction(j, k) * slope(j, k) <= 0) continue;
        free(j, k) = 0;
        is_found = true;
      }
    }
    return is_found;
  }

  // What no penalty sees may move for all scores alike without any effect: its mean stays 0.
  MatrixXd Centred(MatrixXd direction) const {
    if (direction.cols() == 1) return direction;
    for (Index j = 0; j < direction.rows(); ++j) {
      if (penalty_.l1[j] > 0 || penalty_.l2[j] > 0) continue;
      direction.row(j).array() -= direction.row(j).mean();
    }
    return direction;
  }

  // The end of a step; a coefficient that would pass 0 under l1 stops there.
  MatrixXd StepEnd(const MatrixXd& slope, const MatrixXd& step, bool& stopped) const {
    MatrixXd end = w_ + step;
    stopped = false;
    for (Index j = 0; j < end.rows(); ++j) {
      if (penalty_.l1[j] == 0) continue;
      for (Index k = 0; k < end.cols(); ++k) {
        const double side = w_(j, k) != 0 ? w_(j, k) : -slope(j, k);
        if (end(j, k) * side < 0) {
          end(j, k) = 0;
          stopped = true;
        }
      }
    }
    return end;
  }

  // Halves the step until the objective falls as the slope promises. True if the whole step was
  // taken. Throws Error if no part of it can be taken.
  bool Move(const MatrixXd& slope, const MatrixXd& direction) {
    constexpr double kShareOfPromise = 1e-4;
    const double rounding = 1e-13 * std::abs(value_);
    double share = 1;
    for (int halvings = 0; halvings < kMostHalvings; ++halvings, share /= 2) {
      bool stopped = false;
      MatrixXd end = StepEnd(slope, share * direction, stopped);
      const double promise = slope.cwiseProduct(end - w_).sum();
      const double value = Objective(end);
      if (!(value <= value_ + kShareOfPromise * promise + rounding)) continue;
      w_ = std::move(end);
      value_ = value;
      return share == 1 && !stopped;
    }
    throw plugin::Error(CF_E_NOT_CONVERGED,
                        "the objective cannot be lowered any further, but its slope is not 0; "
                        "raise l2 or rescale the features");
  }

  LogLossSum loss_;
  Penalty penalty_;
  NewtonLimits limits_;
  std::optional<Preconditioner> preconditioner_;
  double change_ = 1;            // of a score in the last step, the largest
  double moved_ = 0;             // those changes since the preconditioner was made
  std::int64_t conjugates_ = 0;  // of the last step
  MatrixXd w_;
  double value_ = 0;
};

}  // namespace crossfold::bundled
