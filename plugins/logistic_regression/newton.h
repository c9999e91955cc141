// Newton's method for the penalised log-loss without a penalty on absolute values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/error.hpp"
#include "log_loss_sum.h"
#include "penalised_model.h"
#include "preconditioner.h"

namespace crossfold::bundled {

// Each step solves the quadratic model by conjugate gradients. A score of 1e9, as a row far from
// the others can have, is only known to 1e-7, so no step is as short as the tolerance there: the
// fit also ends where the objective has stopped falling and no score moves relative to its size.
class Newton {
 public:
  // REQUIRES: !penalty.HasL1().
  Newton(LogLossSum loss, Penalty penalty, NewtonLimits limits)
      : loss_(std::move(loss)), penalty_(std::move(penalty)), limits_(limits) {}

  // Throws Error(CF_E_NOT_CONVERGED) with a way out. Where rounding hides how to lower the
  // objective further, the result is the last point, and a warning is logged.
  MatrixXd Minimise(MatrixXd start, double total_weight, const plugin::Context& context) {
    w_ = std::move(start);
    value_ = Objective(w_);
    for (std::int64_t step = 0; step < limits_.max_iter; ++step) {
      context.Progress(static_cast<double>(step) / static_cast<double>(limits_.max_iter));
      RefuseSeparation(penalty_, value_, total_weight);
      const MatrixXd slope = Slope();
      const MatrixXd direction = Direction(slope, AccuracyAfter(change_));
      change_ = CrossProduct(loss_.z().transpose(), direction).cwiseAbs().maxCoeff();
      moved_ += change_;
      const double before = value_, share = Move(slope, direction);
      if (share == 1 && change_ <= limits_.tolerance) return Result();
      n_stalled_ = value_ < before - RoundingOf(before) ? 0 : n_stalled_ + 1;
      if (share > 0 && n_stalled_ != kMostStalled) continue;
      const double relative = RelativeChange(direction);
      if (relative <= kLargestAtRounding && n_stalled_ <= kMostStalled) {
        if (relative > limits_.tolerance) WarnOfRounding(Slope(), context);
        return Result();
      }
      if (share == 0) RefuseToMove();
    }
    RefuseAfter(limits_.max_iter, change_, penalty_);
  }

 private:
  static constexpr int kMostHalvings = 50;
  // Steps near the minimum that the objective is too coarse to see.
  static constexpr int kMostStalled = 8;
  // Of a score, relative to it. Where classes are separated in part and nothing is penalised, there
  // is no minimum, and each step adds about 1 to scores of about the number of steps until the
  // objective stops falling. Later steps are too inexact to show that.
  static constexpr double kLargestAtRounding = 1e-4;

  double Objective(const MatrixXd& w) { return loss_.Evaluate(w) + penalty_.Value(w); }

  MatrixXd Slope() const { return loss_.Gradient() + penalty_.l2.asDiagonal() * w_; }

  MatrixXd Direction(const MatrixXd& slope, double accuracy) {
    Precondition();
    Solved solved = SolveByConjugates(
        *preconditioner_, slope, accuracy, [&](const MatrixXd& direction) -> MatrixXd {
          return loss_.TimesSecond(direction) + penalty_.l2.asDiagonal() * direction;
        });
    conjugates_ = solved.conjugates;
    return penalty_.Centred(std::move(solved.solution));
  }

  // All second derivatives are inverted once the last step took so many conjugate gradients that
  // the next, which are solved for more exactly, will cost more. The inverse is kept while no score
  // has moved far: it then bounds those of the next steps, so no step looks shorter than it is.
  void Precondition() {
    if (preconditioner_ && preconditioner_->extent() == Extent::kWhole && moved_ <= 1) return;
    const auto size = static_cast<double>(loss_.z().cols() * loss_.num_scores());
    const double cost = size * (1 + size / static_cast<double>(3 * loss_.z().rows()));
    const bool dear = 20 * static_cast<double>(conjugates_) > cost;
    const bool whole = dear && change_ <= 2 && Preconditioner::SuitsWhole(loss_);
    preconditioner_.emplace(loss_, penalty_.l2, whole ? Extent::kWhole : Extent::kEachScore);
    preconditioner_->Restrict(MatrixXd::Ones(w_.rows(), w_.cols()));
    moved_ = 0;
  }

  // The same number added to a feature's coefficients of all scores changes no probability. Their
  // mean is 0 at the minimum, but a small l2 leaves it to rounding.
  static MatrixXd AroundMean(MatrixXd coefficients) {
    if (coefficients.cols() > 1) coefficients.colwise() -= coefficients.rowwise().mean().eval();
    return coefficients;
  }
  MatrixXd Result() const {
    constexpr double kRounding = 1e-9;
    const MatrixXd centred = AroundMean(w_);
    const bool is_off = ((centred - w_).cwiseAbs().rowwise().maxCoeff().array() >
                         kRounding * w_.cwiseAbs().rowwise().maxCoeff().array())
                            .any();
    return is_off ? centred : w_;
  }

  // The largest change of a score by the step, relative to 1 plus the size of the score.
  double RelativeChange(const MatrixXd& step) const {
    const MatrixXd changes = CrossProduct(loss_.z().transpose(), AroundMean(step));
    const MatrixXd scores = CrossProduct(loss_.z().transpose(), AroundMean(w_));
    return (changes.array().abs() / (1 + scores.array().abs())).maxCoeff();
  }

  // Halves the step until the objective falls as predicted by the slope. Returns the share of the
  // step that was taken: 0 if no part lowers the objective.
  double Move(const MatrixXd& slope, const MatrixXd& direction) {
    constexpr double kShareOfPromise = 1e-4;
    const double rounding = RoundingOf(value_);
    double share = 1;
    for (int halvings = 0; halvings < kMostHalvings; ++halvings, share /= 2) {
      MatrixXd end = w_ + share * direction;
      const double promise = slope.cwiseProduct(end - w_).sum();
      const double value = Objective(end);
      if (!(value <= value_ + kShareOfPromise * promise + rounding)) continue;
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
  std::optional<Preconditioner> preconditioner_;
  double change_ = 1;            // of a score in the last step, the largest
  double moved_ = 0;             // those changes since the preconditioner was made
  std::int64_t conjugates_ = 0;  // of the last step
  int n_stalled_ = 0;            // steps in a row that did not lower the objective beyond rounding
  MatrixXd w_;
  double value_ = 0;
};

}  // namespace crossfold::bundled
