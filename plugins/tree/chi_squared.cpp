#include "chi_squared.h"

#include <cmath>
#include <limits>
#include <vector>

namespace crossfold::bundled::tree {

namespace {

constexpr int kMaxSteps = 10000;
constexpr double kPrecision = 1e-16;

// The factor x^a e^-x / Gamma(a) of both expansions.
double Front(double a, double x) { return std::exp(a * std::log(x) - x - std::lgamma(a)); }

// Lower regularised incomplete gamma P(a, x) by its power series; for x < a + 1.
// Abramowitz and Stegun 6.5.29.
double LowerBySeries(double a, double x) {
  double term = 1 / a, sum = term;
  for (int n = 1; n < kMaxSteps && term > sum * kPrecision; ++n) {
    term *= x / (a + n);
    sum += term;
  }
  return sum * Front(a, x);
}

// Upper Q(a, x) by its continued fraction (Abramowitz and Stegun 6.5.31, in its even form),
// evaluated from the front as a ratio of two products (Lentz 1976); for x >= a + 1.
double UpperByFraction(double a, double x) {
  constexpr double kTiny = std::numeric_limits<double>::min() / kPrecision;
  double b = x + 1 - a;
  double c = 1 / kTiny, d = 1 / b, value = d;
  for (int n = 1; n < kMaxSteps; ++n) {
    const double numerator = -n * (n - a);
    b += 2;
    d = numerator * d + b;
    c = b + numerator / c;
    if (std::abs(d) < kTiny) d = kTiny;
    if (std::abs(c) < kTiny) c = kTiny;
    d = 1 / d;
    value *= c * d;
    if (std::abs(c * d - 1) < kPrecision) break;
  }
  return value * Front(a, x);
}

}  // namespace

double ChiSquaredTail(double x, double degrees) {
  if (!(x > 0)) return 1;
  const double a = degrees / 2, half = x / 2;
  return half < a + 1 ? 1 - LowerBySeries(a, half) : UpperByFraction(a, half);
}

double IndependenceTest(std::span<const double> table, std::size_t n_columns) {
  const std::size_t n_rows = table.size() / n_columns;
  std::vector<double> of_row(n_rows, 0.0), of_column(n_columns, 0.0);
  double total = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    of_row[i / n_columns] += table[i];
    of_column[i % n_columns] += table[i];
    total += table[i];
  }
  double statistic = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double expected = of_row[i / n_columns] * of_column[i % n_columns] / total;
    if (expected > 0) statistic += (table[i] - expected) * (table[i] - expected) / expected;
  }
  const auto present = [](const std::vector<double>& sums) {
    double n = 0;
    for (const double sum : sums) n += sum > 0 ? 1 : 0;
    return n;
  };
  const double degrees = (present(of_row) - 1) * (present(of_column) - 1);
  return degrees > 0 ? ChiSquaredTail(statistic, degrees) : 1;
}

}  // namespace crossfold::bundled::tree
