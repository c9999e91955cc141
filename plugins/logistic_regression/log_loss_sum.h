// The weighted sum of log-losses as a function of the coefficients, with its derivatives.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "../matrices.h"
#include "crossfold_plugin/compensated_sum.hpp"

namespace crossfold::bundled {

// Rows of z (the last column may be the constant 1 of the intercept), coefficients z.cols() x
// num_scores(). Two classes have one score, the log odds of the second; more have one score each.
class LogLossSum {
 public:
  // `classes` are those of the rows, 0 .. n_classes - 1. REQUIRES: n_classes >= 2.
  LogLossSum(RowMatrix z, VectorXd weights, std::vector<Index> classes, Index n_classes)
      : z_(std::move(z)),
        weights_(std::move(weights)),
        classes_(std::move(classes)),
        n_scores_(n_classes == 2 ? 1 : n_classes) {
    shares_.resize(z_.rows(), n_scores_);
    residuals_.resize(z_.rows(), n_scores_);
    curvature_.resize(z_.rows());
  }

  const RowMatrix& z() const { return z_; }
  Index num_scores() const { return n_scores_; }

  // Moves to these coefficients. The functions below use the last ones.
  double Evaluate(const MatrixXd& coefficients) {
    SetCrossProduct(coefficients, z_.transpose(), shares_.transpose());
    plugin::CompensatedSum sum;
    for (Index i = 0; i < z_.rows(); ++i) {
      const double loss = n_scores_ == 1 ? VisitTwoClasses(i) : VisitManyClasses(i);
      if (!std::isfinite(loss)) return loss;
      sum.Add(weights_[i] * loss);
    }
    return sum.value();
  }

  MatrixXd Gradient() const { return OuterProduct(z_.transpose(), residuals_.transpose()); }

  // About how far rounding may have moved each entry of the gradient.
  MatrixXd GradientRounding() const {
    constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
    const VectorXd lengths = z_.colwise().norm().transpose();
    return kEpsilon * lengths * residuals_.colwise().norm();
  }

  // Returns the second derivatives times a direction. It takes as many rows at once as stay in the
  // cache.
  MatrixXd TimesSecond(const MatrixXd& direction) const {
    constexpr Index kRowsAtOnce = 256;
    MatrixXd image = MatrixXd::Zero(direction.rows(), n_scores_);
    RowMatrix changes(std::min(kRowsAtOnce, z_.rows()), n_scores_);
    for (Index first = 0; first < z_.rows(); first += kRowsAtOnce) {
      const Index height = std::min(kRowsAtOnce, z_.rows() - first);
      const auto z = z_.middleRows(first, height);
      SetCrossProduct(direction, z.transpose(), changes.topRows(height).transpose());
      for (Index i = 0; i < height; ++i) Bend(first + i, &changes(i, 0));
      AddOuterProduct(z.transpose(), changes.topRows(height).transpose(), image);
    }
    return image;
  }

  // Weight of row i in the second derivatives by the coefficients of score k.
  double Curvature(Index i, Index k) const {
    if (n_scores_ == 1) return curvature_[i];
    return weights_[i] * shares_(i, k) * (1 - shares_(i, k));
  }
  // Probability that row i is of class k. REQUIRES: more than two classes.
  double Share(Index i, Index k) const { return shares_(i, k); }
  double weight(Index i) const { return weights_[i]; }
  // Row i has the weight -Coupling(i, k) Coupling(i, l) in the second derivatives by the
  // coefficients of the scores k and l. REQUIRES: more than two classes.
  double Coupling(Index i, Index k) const { return std::sqrt(weights_[i]) * shares_(i, k); }

 private:
  // Turns changes of the scores of row i into changes of the loss's derivatives by them.
  void Bend(Index i, double* changes) const {
    if (n_scores_ == 1) {
      changes[0] *= curvature_[i];
      return;
    }
    const double* shares = &shares_(i, 0);
    double mean = 0;
    for (Index k = 0; k < n_scores_; ++k) mean += shares[k] * changes[k];
    for (Index k = 0; k < n_scores_; ++k)
      changes[k] = weights_[i] * shares[k] * (changes[k] - mean);
  }

  // Computes the probability, residual and loss of row i from its score. A residual is never 1
  // minus a number near 1: it keeps its digits when the row is predicted almost surely.
  double VisitTwoClasses(Index i) {
    const double score = shares_(i, 0);
    const double small = std::exp(-std::abs(score));
    const double minor = small / (1 + small), major = 1 / (1 + small);
    const bool is_second = classes_[static_cast<std::size_t>(i)] == 1;
    const bool is_major = is_second == (score >= 0);
    const double missed = is_major ? minor : major;  // probability of the other class
    curvature_[i] = weights_[i] * minor * major;
    residuals_(i, 0) = weights_[i] * (is_second ? -missed : missed);
    return std::log1p(small) + (is_major ? 0 : std::abs(score));
  }

  double VisitManyClasses(Index i) {
    const Index own = classes_[static_cast<std::size_t>(i)];
    double* shares = &shares_(i, 0);
    Index best = 0;
    for (Index k = 1; k < n_scores_; ++k) best = shares[k] > shares[best] ? k : best;
    const double highest = shares[best], own_score = shares[own];
    double beside_best = 0, beside_own = 0;
    for (Index k = 0; k < n_scores_; ++k) {
      shares[k] = std::exp(shares[k] - highest);
      if (k != best) beside_best += shares[k];
      if (k != own) beside_own += shares[k];
    }
    const double sum = 1 + beside_best;
    for (Index k = 0; k < n_scores_; ++k) {
      shares[k] /= sum;
      residuals_(i, k) = weights_[i] * shares[k];
    }
    residuals_(i, own) = -weights_[i] * beside_own / sum;
    return std::log1p(beside_best) + (highest - own_score);
  }

  RowMatrix z_;
  VectorXd weights_;
  std::vector<Index> classes_;
  Index n_scores_;
  RowMatrix shares_;     // probabilities
  RowMatrix residuals_;  // weighted derivatives of the loss by the scores
  VectorXd curvature_;   // two classes: weighted second derivatives
};

}  // namespace crossfold::bundled
