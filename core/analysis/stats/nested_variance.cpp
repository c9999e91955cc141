#include "crossfold/stats/nested_variance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "analysis/stats/distributions.h"
#include "analysis/stats/refuse_argument.h"
#include "crossfold_plugin/compensated_sum.hpp"

namespace crossfold::stats {
namespace {

constexpr char kSplitVariance[] = "split the variance of scores";

void CheckScores(std::span<const double> scores, std::span<const std::int64_t> units) {
  if (units.empty()) RefuseArgument(kSplitVariance, "there is no source", "name at least one");
  std::size_t expected = 1;
  for (const std::int64_t n : units) {
    if (n < 2) {
      RefuseArgument(kSplitVariance, "a source has " + std::to_string(n) + " units",
                     "a variance takes 2 at least; leave the source out to hold it fixed");
    }
    if (expected <= scores.size()) expected *= static_cast<std::size_t>(n);
  }
  if (expected != scores.size()) {
    RefuseArgument(kSplitVariance,
                   "there are " + std::to_string(scores.size()) +
                       " scores, which is not the product of the units",
                   "give one score per unit of the last source");
  }
  CheckFinite(kSplitVariance, "score", scores);
}

// Sums differences from the first value, so that the mean of equal values is that value.
double MeanOfUnits(std::span<const double> values) {
  plugin::CompensatedSum sum;
  for (const double value : values) sum.Add(value - values[0]);
  return values[0] + sum.value() / static_cast<double>(values.size());
}

// Squared deviations of the values from the means of their units above.
double SquaresAround(std::span<const double> values, std::span<const double> means) {
  plugin::CompensatedSum sum;
  const std::size_t n = values.size() / means.size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double deviation = values[i] - means[i / n];
    sum.Add(deviation * deviation);
  }
  return sum.value();
}

// Quantiles of a mean square with these degrees of freedom, divided by its expectation.
struct Tails {
  double low, high;
};

Tails TailsOf(double df, double alpha) {
  return {ChiSquaredQuantile(alpha / 2, df) / df, ChiSquaredUpperQuantile(alpha / 2, df) / df};
}

double Square(double x) { return x * x; }

// The interval of E(M1) - E(M2), two independent mean squares.
void SetDifferenceInterval(const VarianceComponent& upper, const VarianceComponent& lower,
                           double factor, double alpha, VarianceComponent& component) {
  const double m1 = upper.mean_square, m2 = lower.mean_square;
  const Tails t1 = TailsOf(upper.df, alpha), t2 = TailsOf(lower.df, alpha);
  const double g1 = 1 - 1 / t1.high, g2 = 1 - 1 / t2.high;
  const double h1 = 1 / t1.low - 1, h2 = 1 / t2.low - 1;
  const double f_high = FisherUpperQuantile(alpha / 2, upper.df, lower.df);
  const double f_low = 1 / FisherUpperQuantile(alpha / 2, lower.df, upper.df);
  const double g12 = (Square(f_high - 1) - Square(g1 * f_high) - Square(h2)) / f_high;
  const double h12 = (Square(1 - f_low) - Square(h1 * f_low) - Square(g2)) / f_low;
  const double below = Square(g1 * m1) + Square(h2 * m2) + g12 * m1 * m2;
  const double above = Square(h1 * m1) + Square(g2 * m2) + h12 * m1 * m2;
  component.low = std::max(0.0, (m1 - m2 - std::sqrt(std::max(0.0, below))) / factor);
  component.high = std::max(0.0, (m1 - m2 + std::sqrt(std::max(0.0, above))) / factor);
}

void SetLastInterval(double alpha, VarianceComponent& last) {
  const Tails tails = TailsOf(last.df, alpha);
  last.low = last.mean_square / tails.high;
  last.high = last.mean_square / tails.low;
}

// Unbiased for the variance of a mean square (Searle, Casella, McCulloch 1992, 3.6).
double VarianceOfSquare(const VarianceComponent& c) {
  return 2 * Square(c.mean_square) / (c.df + 2);
}

// `scores_per_unit[j]` scores are in each unit of source j.
void SetEstimates(std::span<const double> scores_per_unit, double alpha,
                  std::vector<VarianceComponent>& components) {
  for (std::size_t j = 0; j + 1 < components.size(); ++j) {
    VarianceComponent& c = components[j];
    const VarianceComponent& inside = components[j + 1];
    const double factor = scores_per_unit[j];
    c.estimate = (c.mean_square - inside.mean_square) / factor;
    c.standard_error = std::sqrt(VarianceOfSquare(c) + VarianceOfSquare(inside)) / factor;
    SetDifferenceInterval(c, inside, factor, alpha, c);
  }
  VarianceComponent& last = components.back();
  last.estimate = last.mean_square;
  last.standard_error = std::sqrt(VarianceOfSquare(last));
  SetLastInterval(alpha, last);
}

}  // namespace

NestedVariance EstimateNestedVariance(std::span<const double> scores,
                                      std::span<const std::int64_t> units, double confidence) {
  CheckScores(scores, units);
  CheckOpenShare(kSplitVariance, "confidence", confidence);
  NestedVariance result;
  result.components.resize(units.size());
  std::vector<double> scores_per_unit(units.size());
  std::vector<double> values(scores.begin(), scores.end());
  double per_value = 1;  // scores in each of the values
  for (std::size_t j = units.size(); j-- > 0;) {
    const auto n = static_cast<std::size_t>(units[j]);
    std::vector<double> means(values.size() / n);
    for (std::size_t i = 0; i < means.size(); ++i) {
      means[i] = MeanOfUnits(std::span(values).subspan(i * n, n));
    }
    VarianceComponent& c = result.components[j];
    c.units = units[j];
    c.df = static_cast<double>(values.size() - means.size());
    c.mean_square = per_value * SquaresAround(values, means) / c.df;
    scores_per_unit[j] = per_value;
    per_value *= static_cast<double>(n);
    values = std::move(means);
  }
  result.mean = values[0];
  result.mean_df = result.components[0].df;
  result.mean_standard_error = std::sqrt(result.components[0].mean_square / per_value);
  SetEstimates(scores_per_unit, 1 - confidence, result.components);
  return result;
}

}  // namespace crossfold::stats
