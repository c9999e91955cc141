// The power that brings positive or mixed numbers closest to a normal distribution: the maximum of
// the profile likelihood over lambda.
#pragma once

#include <span>

namespace crossfold::power {

inline constexpr double kLowestLambda = -10;
inline constexpr double kHighestLambda = 10;

// (exp(lambda log_x) - 1) / lambda, and its limit at lambda = 0.
double BoxCox(double log_x, double lambda);
double YeoJohnson(double x, double lambda);

// Returns 1 for equal values, which have no likelihood. Weights count as repetitions. REQUIRES:
// equal lengths, finite values, weights > 0.
double LikeliestBoxCox(std::span<const double> log_values, std::span<const double> weights);
double LikeliestYeoJohnson(std::span<const double> values, std::span<const double> weights);

}  // namespace crossfold::power
