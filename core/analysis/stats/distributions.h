// Distribution functions and quantiles, from Boost.Math. The functions are pure. `Upper` is the
// probability of a value above x. REQUIRES everywhere: the arguments are in the stated ranges and
// not NaN.
#pragma once

#include <cstdint>

namespace crossfold::stats {

double NormalDensity(double x);
double NormalCdf(double x);
double NormalUpper(double x);
double NormalQuantile(double p);  // 0 < p < 1
// The value that |Z| stays below with this probability. It is computed from the tail, which keeps
// the digits of a confidence near 1.
double TwoSidedNormalQuantile(double confidence);  // 0 < confidence < 1

double StudentCdf(double t, double df);  // df > 0
double StudentUpper(double t, double df);
double StudentQuantile(double p, double df);                   // 0 < p < 1
double TwoSidedStudentQuantile(double confidence, double df);  // as TwoSidedNormalQuantile

// x >= 0, both degrees of freedom > 0.
double ChiSquaredUpper(double x, double df);
double FisherUpper(double x, double df1, double df2);
// The value that is exceeded with probability p, and that with probability 1 - p; 0 < p < 1.
double ChiSquaredUpperQuantile(double p, double df);
double ChiSquaredQuantile(double p, double df);
double FisherUpperQuantile(double p, double df1, double df2);

double BetaQuantile(double p, double a, double b);  // 0 <= p <= 1; a, b > 0

double LogGamma(double x);  // x > 0

// The probabilities of exactly k, and of at most k, of n; 0 <= k <= n, 0 <= p <= 1.
double BinomialMass(std::int64_t k, std::int64_t n, double p);
double BinomialCdf(std::int64_t k, std::int64_t n, double p);

// The distribution of a Student t with noncentrality delta, which gives the power of a t test; df >
// 0.
double NoncentralStudentCdf(double t, double df, double delta);
double NoncentralStudentUpper(double t, double df, double delta);

// The range of k independent standard normal values: the studentized range with infinite degrees of
// freedom, of which Boost.Math has none. Tukey's and Nemenyi's tests read their quantiles from it.
//
// The probability of a range above q: an integral over the largest of the k values (Harter 1960,
// "Tables of range and studentized range", Annals of Mathematical Statistics 31). It keeps its
// relative accuracy far out. REQUIRES: k >= 2, q >= 0.
double StudentizedRangeUpper(double q, std::int64_t k);
// The q that is exceeded with probability `upper`. REQUIRES: k >= 2, 0 < upper < 1.
double StudentizedRangeUpperQuantile(double upper, std::int64_t k);

}  // namespace crossfold::stats
