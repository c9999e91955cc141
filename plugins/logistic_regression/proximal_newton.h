// Newton's method for the log-loss with a penalty on absolute values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "crossfold_plugin/context.hpp"
#include "l1_model.h"
#include "log_loss_sum.h"
#include "penalised_model.h"

namespace crossfold::bundled {

// Each step goes to the minimum of a quadratic model of the log-losses plus the exact penalty, so
// the kinks of the penalty do no harm (J. Lee, Y. Sun and M. Saunders 2014). The model is damped,
// more where the objective falls less than the model predicts, and less from one step to the next.
class ProximalNewton {
 public:
  ProximalNewton(LogLossSum loss, Penalty penalty, NewtonLimits limits)
      : loss_(std::move(loss)),
        penalty_(std::move(penalty)),
        limits_(limits),
        columns_(loss_.z()) {}

  // Throws Error(CF_E_NOT_CONVERGED) with a way out. Where rounding hides how to lower the
  // objective further, the result is the best point that was found, and a warning is logged.
  MatrixXd Minimise(MatrixXd start, const plugin::Context& context) {
    w_ = std::move(start);
    value_ = Objective(w_);
    for (std::int64_t step = 0; step < limits_.max_iter; ++step) {
      context.Progress(static_cast<double>(step) / static_cast<double>(limits_.max_iter));
      L1Model model(loss_, columns_, penalty_, w_, damping_);
      const bool is_exact = model.Minimise(AccuracyAfter(change_));
      const MatrixXd direction = penalty_.Centred(model.v() - w_);
      change_ = CrossProduct(loss_.z().transpose(), direction).cwiseAbs().maxCoeff();
      const double before = value_;
      const double share = Move(model.gradient(), direction);
      if (share == 1 && is_exact && change_ <= limits_.tolerance) return w_;
      n_stalled_ = value_ < before - RoundingOf(before) ? 0 : n_stalled_ + 1;
      if (n_stalled_ >= kMostStalled) {
        WarnOfRounding(
            LeastSubgradient(loss_.Gradient() + penalty_.l2.asDiagonal() * w_, penalty_.l1, w_),
            context);
        return w_;
      }
      damping_ = share == 1  ? std::max(damping_ / 10, kLeastDamping)
                 : share > 0 ? std::min(damping_ * 10, kMostDamping)
                             : std::min(damping_ * 1000, kMostDamping);
    }
    RefuseAfter(limits_.max_iter, change_, penalty_);
  }

 private:
  // Relative to the second derivatives.
  static constexpr double kLeastDamping = 1e-10, kMostDamping = 1e3;

  // Steps near the minimum that the objective is too coarse to see, or that damping has to shorten.
  static constexpr int kMostStalled = 8;

  double Objective(const MatrixXd& w) { return loss_.Evaluate(w) + penalty_.Value(w); }

  // Halves the step until the objective falls as predicted by its slope. Returns the share of the
  // step that was taken: 0 if no part lowers the objective.
  double Move(const MatrixXd& gradient, const MatrixXd& direction) {
    constexpr double kShareOfPromise = 1e-4;
    constexpr int kMostHalvings = 30;
    const double rounding = RoundingOf(value_);
    const double promise =
        gradient.cwiseProduct(direction).sum() +
        penalty_.l1.dot(((w_ + direction).cwiseAbs() - w_.cwiseAbs()).rowwise().sum());
    double share = 1;
    for (int halvings = 0; halvings < kMostHalvings; ++halvings, share /= 2) {
      MatrixXd end = w_ + share * direction;
      const double value = Objective(end);
      if (!(value <= value_ + kShareOfPromise * share * promise + rounding)) continue;
      w_ = std::move(end);
      value_ = value;
      return share;
    }
    loss_.Evaluate(w_);
    return 0;
  }

  LogLossSum loss_;
  Penalty penalty_;
  NewtonLimits limits_;
  MatrixXd columns_;   // loss_.z()
  double change_ = 1;  // of a score in the last step, the largest
  double damping_ = 1e-6;
  int n_stalled_ = 0;  // steps in a row that did not lower the objective beyond rounding
  MatrixXd w_;
  double value_ = 0;
};

}  // namespace crossfold::bundled
