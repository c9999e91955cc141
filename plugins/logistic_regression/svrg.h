// Stochastic gradient descent with reduced variance, for the penalised log-loss of rows that are
// read in blocks. R. Johnson and T. Zhang, "Accelerating stochastic gradient descent using
// predictive variance reduction", NIPS 26 (2013) 315-323; the bound of the second derivatives:
// D. Bohning, "Multinomial logistic regression algorithm", Annals of the Institute of Statistical
// Mathematics 44 (1992) 197-200.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "blocked_loss.h"
#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/random.hpp"

namespace crossfold::bundled {

// An epoch has a pass that finds the slope, and then a step for each block, in an order of its own.
// A step is preconditioned by a bound of the second derivatives. The order is drawn from a seed
// that is always the same, so the seed of the call does not matter.
class Svrg {
 public:
  Svrg(const BlockedLoss& loss, NewtonLimits limits)
      : loss_(loss),
        limits_(limits),
        inverse_(loss, VectorXd::Constant(loss.num_scores(), loss.num_scores() == 1 ? 0.25 : 0.5)),
        order_(static_cast<std::size_t>(loss.num_blocks())) {
    std::iota(order_.begin(), order_.end(), Index{0});
  }

  // `limits.max_iter` counts epochs. Throws Error(CF_E_NOT_CONVERGED) with a way out.
  MatrixXd Minimise(MatrixXd w) {
    double change = 0;
    bool has_moved = false;
    BlockedLoss::Values at = loss_.Evaluate(w, MatrixXd::Zero(w.rows(), w.cols()), 0);
    for (std::int64_t epoch = 0; epoch < limits_.max_iter; ++epoch) {
      RefuseSeparation(loss_.penalty(), at.objective, loss_.total_weight());
      const MatrixXd end = Sweep(w, at.slope);
      BlockedLoss::Values next = loss_.Evaluate(
          end, end - w, static_cast<double>(epoch) / static_cast<double>(limits_.max_iter));
      if (!(next.objective <= at.objective + 1e-13 * std::abs(at.objective))) {
        rate_ /= 2;  // and again from the same place
        if (rate_ < kLeastRate) RefuseToMove();
        continue;
      }
      w = end;
      at = std::move(next);
      change = at.change;
      has_moved = true;
      if (change <= limits_.tolerance * std::min(1.0, LengthOfEpoch())) return w;
    }
    if (!has_moved) RefuseEpochs();
    RefuseAfter(limits_.max_iter, change, loss_.penalty());
  }

 private:
  static constexpr double kLeastRate = 0x1p-30;
  static constexpr Index kLeastSteps = 64;  // of an epoch

  // In steps of rate 1. An epoch of less changes little, however far the minimum is.
  double LengthOfEpoch() const {
    return rate_ * static_cast<double>(std::max(kLeastSteps, loss_.num_blocks()));
  }

  [[noreturn]] void RefuseEpochs() const {
    throw plugin::Error(CF_E_NOT_CONVERGED,
                        "did not converge: none of " + std::to_string(limits_.max_iter) +
                            " epochs lowered the objective; raise max_iter or l2");
  }

  // `slope` is that at `start`.
  MatrixXd Sweep(const MatrixXd& start, const MatrixXd& slope) {
    MatrixXd w = start;
    const Index n_sweeps = (kLeastSteps + loss_.num_blocks() - 1) / loss_.num_blocks();
    for (Index sweep = 0; sweep < n_sweeps; ++sweep) {
      random_.Shuffle(std::span<Index>(order_));
      for (const Index b : order_) {
        LogLossSum block = loss_.Read(b);
        if (block.z().rows() == 0) continue;
        double weight = 0;
        for (Index i = 0; i < block.z().rows(); ++i) weight += block.weight(i);
        block.Evaluate(start);
        MatrixXd difference = -block.Gradient();
        block.Evaluate(w);
        difference += block.Gradient();
        difference *= loss_.total_weight() / weight;
        difference += slope + loss_.penalty().l2.asDiagonal() * (w - start);
        w -= rate_ * loss_.penalty().Centred(inverse_.Times(difference));
      }
    }
    return w;
  }

  const BlockedLoss& loss_;
  NewtonLimits limits_;
  CurvatureInverse inverse_;
  std::vector<Index> order_;
  plugin::Random random_{0x5EED};
  double rate_ = 1;
};

}  // namespace crossfold::bundled
