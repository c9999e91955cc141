// Code shared by the two methods of minimisation: the penalties, the limits, conjugate gradients.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "../number_text.h"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/error.hpp"
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
  bool HasL1() const { return !l1.isZero(0); }

  // Coefficients that no penalty affects may change by the same amount for all scores without any
  // effect; their mean stays 0.
  MatrixXd Centred(MatrixXd direction) const {
    if (direction.cols() == 1) return direction;
    for (Index j = 0; j < direction.rows(); ++j) {
      if (l1[j] > 0 || l2[j] > 0) continue;
      direction.row(j).array() -= direction.row(j).mean();
    }
    return direction;
  }
};

struct NewtonLimits {
  std::int64_t max_iter;
  double tolerance;  // largest change of a score in the last step
};

// About how far rounding may have moved the objective.
inline double RoundingOf(double objective) { return 1e-13 * std::abs(objective); }

// `slope` is what is left of it.
inline void WarnOfRounding(const MatrixXd& slope, const plugin::Context& context) {
  context.Log(CF_LOG_WARN,
              ("logistic_regression: rounding errors hide how to lower the objective further; the "
               "coefficients are the best that were found, with a slope of up to " +
               NumberText(slope.cwiseAbs().maxCoeff()) + " left; raise l2 or rescale the features")
                  .c_str());
}

[[noreturn]] inline void RefuseToMove() {
  throw plugin::Error(CF_E_NOT_CONVERGED,
                      "the objective cannot be lowered any further, but its slope is not 0; "
                      "raise l2 or rescale the features");
}

// Without a penalty the coefficients of separated classes have no limit.
inline void RefuseSeparation(const Penalty& penalty, double loss, double total_weight) {
  constexpr double kSeparated = 1e-10;  // mean log-loss
  if (!penalty.IsNone() || loss > kSeparated * total_weight) return;
  throw plugin::Error(CF_E_NOT_CONVERGED,
                      "the features separate the classes perfectly, so there are no best "
                      "coefficients; raise l2 above 0");
}

// The last of `max_iter` steps changed a score by `change`.
[[noreturn]] inline void RefuseAfter(std::int64_t max_iter, double change, const Penalty& penalty) {
  throw plugin::Error(CF_E_NOT_CONVERGED,
                      "did not converge in " + std::to_string(max_iter) +
                          " iterations (the last one changed a log odds by " + NumberText(change) +
                          "); raise " +
                          (penalty.IsNone() ? "l2 above 0, or max_iter" : "max_iter or l2"));
}

// How accurately the next step is solved for. It is about the square of the last change; what is
// left after it should be less than that squared again, but need not be below kEnough.
inline double AccuracyAfter(double change) {
  constexpr double kEnough = 1e-13, kCoarsest = 0.05;
  const double next = std::min(change * change, 1.0);
  return next > 0 ? std::min(std::max(next, kEnough / next), kCoarsest) : kCoarsest;
}

struct Solved {
  MatrixXd solution;
  std::int64_t conjugates;  // that it took
};

// Solves second * solution = -slope until the residual has shrunk to `accuracy`; `times_second`
// multiplies a direction.
template <class TimesSecond>
Solved SolveByConjugates(const Preconditioner& preconditioner, const MatrixXd& slope,
                         double accuracy, const TimesSecond& times_second) {
  constexpr int kMostConjugates = 2000;
  Solved solved{MatrixXd::Zero(slope.rows(), slope.cols()), 0};
  MatrixXd residual = -slope;
  MatrixXd near = preconditioner.Solve(residual);
  MatrixXd conjugate = near;
  double length = residual.cwiseProduct(near).sum();
  const double enough = length * accuracy * accuracy;
  for (int i = 0; i < kMostConjugates && length > enough; ++i) {
    ++solved.conjugates;
    const MatrixXd image = times_second(conjugate);
    const double bend = conjugate.cwiseProduct(image).sum();
    if (!(bend > 0)) break;
    solved.solution += (length / bend) * conjugate;
    residual -= (length / bend) * image;
    near = preconditioner.Solve(residual);
    const double next = residual.cwiseProduct(near).sum();
    conjugate = near + (next / length) * conjugate;
    length = next;
  }
  return solved;
}

}  // namespace crossfold::bundled
