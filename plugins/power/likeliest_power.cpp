#include "likeliest_power.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

namespace crossfold::power {
namespace {

constexpr double kScanStep = 0.5;
constexpr double kLambdaTolerance = 1e-10;
constexpr double kWorst = -std::numeric_limits<double>::infinity();

double WeightedMean(std::span<const double> values, std::span<const double> weights) {
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += weights[i] * values[i];
    total += weights[i];
  }
  const double mean = sum / total;
  double rest = 0;  // what rounding lost
  for (std::size_t i = 0; i < values.size(); ++i) rest += weights[i] * (values[i] - mean);
  return mean + rest / total;
}

// -1/2 log of the variance: the part of the mean log likelihood of normal numbers that depends on
// them. kWorst where the numbers overflow or are all equal.
double NormalLikelihood(std::span<const double> values, std::span<const double> weights) {
  const double mean = WeightedMean(values, weights);
  double squares = 0, total = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += weights[i] * (values[i] - mean) * (values[i] - mean);
    total += weights[i];
  }
  const double variance = squares / total;
  return variance > 0 && std::isfinite(variance) ? -0.5 * std::log(variance) : kWorst;
}

// The maximum of `likelihood`: the best place of a coarse scan, refined by golden section (R. P.
// Brent, Algorithms for Minimization without Derivatives, 1973, ch. 5). Ties go to the lower
// lambda.
template <class Likelihood>
double Maximise(const Likelihood& likelihood) {
  double best = kLowestLambda, greatest = kWorst;
  for (double lambda = kLowestLambda; lambda <= kHighestLambda; lambda += kScanStep) {
    const double value = likelihood(lambda);
    if (value > greatest) {
      greatest = value;
      best = lambda;
    }
  }
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double low = std::max(kLowestLambda, best - kScanStep);
  double high = std::min(kHighestLambda, best + kScanStep);
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double at_left = likelihood(left), at_right = likelihood(right);
  while (high - low > kLambdaTolerance) {
    if (at_left >= at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - golden * (high - low);
      at_left = likelihood(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + golden * (high - low);
      at_right = likelihood(right);
    }
  }
  return (low + high) / 2;
}

bool AllEqual(std::span<const double> values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

}  // namespace

double BoxCox(double log_x, double lambda) {
  return lambda == 0 ? log_x : std::expm1(lambda * log_x) / lambda;
}

double YeoJohnson(double x, double lambda) {
  return x >= 0 ? BoxCox(std::log1p(x), lambda) : -BoxCox(std::log1p(-x), 2 - lambda);
}

// The values are divided by their geometric mean first. That moves the likelihood by a constant, so
// lambda stays, and keeps the powers near 1, where their differences are exact.
double LikeliestBoxCox(std::span<const double> log_values, std::span<const double> weights) {
  if (AllEqual(log_values)) return 1;
  const double centre = WeightedMean(log_values, weights);
  std::vector<double> changed(log_values.size());
  return Maximise([&](double lambda) {
    for (std::size_t i = 0; i < changed.size(); ++i) {
      changed[i] = BoxCox(log_values[i] - centre, lambda);
    }
    return NormalLikelihood(changed, weights);
  });
}

// Of one sign, the values are those of a Box-Cox transform of 1 + |x|.
double LikeliestYeoJohnson(std::span<const double> values, std::span<const double> weights) {
  if (AllEqual(values)) return 1;
  std::vector<double> changed;
  for (const double x : values) changed.push_back(std::log1p(std::fabs(x)));
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  if (*least >= 0) return LikeliestBoxCox(changed, weights);
  if (*greatest <= 0) return 2 - LikeliestBoxCox(changed, weights);
  for (std::size_t i = 0; i < values.size(); ++i) changed[i] = std::copysign(changed[i], values[i]);
  const double slope = WeightedMean(changed, weights);  // of the mean log Jacobian
  return Maximise([&](double lambda) {
    for (std::size_t i = 0; i < changed.size(); ++i) changed[i] = YeoJohnson(values[i], lambda);
    return NormalLikelihood(changed, weights) + (lambda - 1) * slope;
  });
}

}  // namespace crossfold::power
