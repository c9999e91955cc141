#include "analysis/stats/distributions.h"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "crossfold_plugin/compensated_sum.hpp"

namespace crossfold::stats {
namespace {

namespace math = boost::math;
// Without long double in between, which is another type on every machine; a tail that underflows is
// 0.
using Policy =
    math::policies::policy<math::policies::promote_double<false>,
                           math::policies::promote_float<false>,
                           math::policies::overflow_error<math::policies::ignore_error>,
                           math::policies::underflow_error<math::policies::ignore_error>>;
using Normal = math::normal_distribution<double, Policy>;
using Student = math::students_t_distribution<double, Policy>;
using ChiSquared = math::chi_squared_distribution<double, Policy>;
using Fisher = math::fisher_f_distribution<double, Policy>;
using Beta = math::beta_distribution<double, Policy>;
using Binomial = math::binomial_distribution<double, Policy>;
using NoncentralStudent = math::non_central_t_distribution<double, Policy>;

// Integral of `integrand` over -10 .. q/2 + 10; the tail of a large range gathers around q/2.
template <class Integrand>
double Integrate(double q, const Integrand& integrand) {
  // Beyond this the normal density adds nothing to a sum near 1.
  constexpr double kReach = 10;
  // The trapezoid rule converges exponentially for a smooth integrand that vanishes at both ends:
  // at this step its error is below the rounding of the sum, for any k.
  constexpr double kStep = 1.0 / 32;
  const auto steps = static_cast<std::int64_t>(std::ceil((2 * kReach + q / 2) / kStep));
  plugin::CompensatedSum sum;
  for (std::int64_t i = 0; i <= steps; ++i) {
    sum.Add(integrand(-kReach + static_cast<double>(i) * kStep));
  }
  return sum.value() * kStep;
}

}  // namespace

double NormalDensity(double x) { return math::pdf(Normal(), x); }
double NormalCdf(double x) { return math::cdf(Normal(), x); }
double NormalUpper(double x) { return math::cdf(math::complement(Normal(), x)); }
double NormalQuantile(double p) { return math::quantile(Normal(), p); }
double TwoSidedNormalQuantile(double confidence) {
  return math::quantile(math::complement(Normal(), (1 - confidence) / 2));
}

double StudentCdf(double t, double df) { return math::cdf(Student(df), t); }
double StudentUpper(double t, double df) { return math::cdf(math::complement(Student(df), t)); }
double StudentQuantile(double p, double df) { return math::quantile(Student(df), p); }
double TwoSidedStudentQuantile(double confidence, double df) {
  return math::quantile(math::complement(Student(df), (1 - confidence) / 2));
}

double ChiSquaredUpper(double x, double df) {
  return math::cdf(math::complement(ChiSquared(df), x));
}
double FisherUpper(double x, double df1, double df2) {
  return math::cdf(math::complement(Fisher(df1, df2), x));
}

double ChiSquaredUpperQuantile(double p, double df) {
  return math::quantile(math::complement(ChiSquared(df), p));
}
double ChiSquaredQuantile(double p, double df) { return math::quantile(ChiSquared(df), p); }
double FisherUpperQuantile(double p, double df1, double df2) {
  return math::quantile(math::complement(Fisher(df1, df2), p));
}

double BetaQuantile(double p, double a, double b) { return math::quantile(Beta(a, b), p); }
double LogGamma(double x) { return math::lgamma(x, Policy()); }

double BinomialMass(std::int64_t k, std::int64_t n, double p) {
  return math::pdf(Binomial(static_cast<double>(n), p), static_cast<double>(k));
}
double BinomialCdf(std::int64_t k, std::int64_t n, double p) {
  return math::cdf(Binomial(static_cast<double>(n), p), static_cast<double>(k));
}

double NoncentralStudentCdf(double t, double df, double delta) {
  return math::cdf(NoncentralStudent(df, delta), t);
}
double NoncentralStudentUpper(double t, double df, double delta) {
  return math::cdf(math::complement(NoncentralStudent(df, delta), t));
}

// The largest is z, the others are below it, but not all of them in z-q .. z.
double StudentizedRangeUpper(double q, std::int64_t k) {
  const double others = static_cast<double>(k - 1);
  const double integral = Integrate(q, [&](double z) {
    const double below = NormalCdf(z);
    const double far = std::fmin(1.0, NormalCdf(z - q) / below);
    return NormalDensity(z) * std::pow(below, others) * -std::expm1(others * std::log1p(-far));
  });
  return std::fmin(1.0, static_cast<double>(k) * integral);
}

double StudentizedRangeUpperQuantile(double upper, std::int64_t k) {
  const auto excess = [&](double q) { return std::log(StudentizedRangeUpper(q, k) / upper); };
  double low = 0, above = -std::log(upper), high = 1, below = excess(high);
  while (below > 0) {
    low = high, above = below;
    high *= 2, below = excess(high);
  }
  // False position with Illinois' change (Dowell and Jarratt 1971): an end that stays twice counts
  // half. The logarithm of a tail is smooth, so about ten integrals do; bisection would take fifty.
  int side = 0;
  for (;;) {
    const double share = std::isfinite(below) ? above / (above - below) : 0.5;
    const double q = std::clamp(low + (high - low) * share, low, high);
    const double at_q = excess(q);
    if (q == low || q == high || at_q == 0 || high - low < 1e-13 * high) return q;
    if (at_q > 0) {
      if (side == 1) below /= 2;
      low = q, above = at_q, side = 1;
    } else {
      if (side == -1) above /= 2;
      high = q, below = at_q, side = -1;
    }
  }
}

}  // namespace crossfold::stats
