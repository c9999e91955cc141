// Platt scaling turns scores of two classes into probabilities by a sigmoid.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>

namespace crossfold::stats {

// Probability of the positive class = 1 / (1 + exp(-(slope * score + intercept))).
struct PlattScaling {
  bool defined = false;
  std::string undefined;  // the reason, if not
  double slope = std::numeric_limits<double>::quiet_NaN();
  double intercept = std::numeric_limits<double>::quiet_NaN();
};

// J. Platt, "Probabilistic outputs for support vector machines", Advances in Large Margin
// Classifiers, MIT Press 1999: minimizes the cross entropy to the targets (n+ + 1) / (n+ + 2) of
// positive rows and 1 / (n- + 2) of negative rows, where n+ and n- are sums of weights. The minimum
// is found by Newton's method with backtracking in the stable form of H.-T. Lin, C.-J. Lin and R.
// C. Weng, "A note on Platt's probabilistic outputs for support vector machines", Machine Learning
// 68 (2007) 267-276. A slope may be negative: such scores rank worse than chance. Scores that are
// all equal have slope 0. `positive` holds 0 and 1, `weights` is empty (all 1) or has one number >=
// 0 per row. The scaling is undefined without rows of both classes (rows of weight 0 do not count).
// Throws Error for lists of different lengths, for scores that are not finite and for invalid
// weights.
PlattScaling FitPlattScaling(std::span<const double> scores, std::span<const std::uint8_t> positive,
                             std::span<const double> weights = {});

// The probability of the positive class; REQUIRES scaling.defined.
double Probability(const PlattScaling& scaling, double score);

// The score on which a probability is scaled: ln(p / (1 - p)) with p kept in 2^-50 .. 1 - 2^-50, so
// that 0 and 1 also have a score (at most 34.66 in size). Throws Error unless 0 <= p <= 1.
double LogOdds(double p);

}  // namespace crossfold::stats
