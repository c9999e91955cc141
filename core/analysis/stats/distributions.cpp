#include "analysis/stats/distributions.h"

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/gamma.hpp>

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

}  // namespace crossfold::stats
