// The inverse power law of learning curves, err(n) = a + b n^-c with a >= 0, b > 0, c > 0, and what
// follows from it: the error at other sizes, the rows that a target needs, where two curves cross.
// Sources: Cortes, Jackel, Solla, Vapnik and Denker, "Learning curves: asymptotic values and rate
// of convergence", NIPS 6 (1993); Figueroa, Zeng-Treitler, Kandula and Ngo, "Predicting sample size
// required for classification performance", BMC Med. Inform. Decis. Mak. 12:8 (2012).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace crossfold::stats {

// The weight of point j of m in the least squares.
enum class PowerLawWeights {
  kEqual,
  kRank,            // j / m, as Figueroa et al.
  kSize,            // n_j
  kInverseVariance  // 1 / the variance over the trials; for FitPowerLawToTrials only
};

// A fitted curve, scaled at the smallest size n_0, a + scaled_b (n / n_0)^-c, and what the
// variances of its predictions are computed from.
struct PowerLawCurve {
  double a = 0, scaled_b = 0, c = 0;
  double smallest = 1;                                // n_0
  bool a_free = true;                                 // false: a is held at 0 and has no variance
  std::int64_t df = 0;                                // of the variances
  std::array<std::array<double, 3>, 3> covariance{};  // of (a, scaled_b, c), for independent trials
  // For a fit to trials: what each trial adds to the parameters, to first order; its mean error
  // over the sizes (its level); what a level that is 1 higher at all sizes adds to the parameters.
  std::vector<std::array<double, 3>> trials;
  std::vector<double> levels;
  std::array<double, 3> by_level{};
  double test_to_train = 0;

  double At(double n) const;
  // Derivatives of At by (a, scaled_b, c).
  std::array<double, 3> Gradient(double n) const;
  // The variance of a number with these derivatives: see FitPowerLawToTrials.
  double Variance(const std::array<double, 3>& gradient) const;
};

struct PowerLaw {
  bool defined = false;
  std::string undefined;  // why there is no law
  double a = 0, b = 0, c = 0;
  // Standard errors. At the bound a = 0 those of b and c are from the two-parameter law, and that
  // of a is undefined (NaN).
  double se_a = 0, se_b = 0, se_c = 0;
  bool at_bound = false;
  double sse = 0;  // weighted sum of squared residuals
  std::int64_t points = 0, df = 0;
  double largest = 0;  // size
  // The relative error per unit of ln n of the law inside the curve, beyond the noise: see
  // FitPowerLawToTrials. It is 0 for a fit to points.
  double misfit = 0;
  PowerLawCurve curve;
  PowerLawCurve unbounded;  // at the bound: the fit with a free, for the intervals
};

// Fits by least squares: the best (a, b) for each c, and the best c. The covariance is s^2 (J' W
// J)^-1 with s^2 = sse / (m - p): only the scatter of the points around the law is known about
// their noise. The law is undefined with fewer than 4 points, and if the error does not fall.
// Throws Error if the sizes do not ascend from above 0, the lists differ in length, an error is
// negative or not finite, or the weights need trials.
PowerLaw FitPowerLaw(std::span<const double> sizes, std::span<const double> errors,
                     PowerLawWeights weights = PowerLawWeights::kEqual);

// errors[t][j]: trial t at size j. The law goes through the means over the T trials. Any prediction
// of it is to first order a weighted sum of the points, so each trial gives a value of it. The
// variance S of these values (T - 1 degrees of freedom) holds every covariance between the sizes of
// a trial (nested training sets, the same test rows). For independent trials, the variance of the
// prediction is S / T. Trials that draw their test rows from the same rows are not independent: by
// Nadeau and Bengio (Machine Learning 52, 2003) the variance of a mean over them is that of one
// times 1/T + test rows / training rows. Here that holds for the noise that all sizes of a trial
// share, its level: the variance is S / T + test_to_train min(S, S_level), where S_level is the
// variance of what the levels of the trials add to the prediction. test_to_train = 0 means that the
// trials are independent.
//
// `misfit` comes from forecasts inside the curve: the law of the first k sizes, k = 4 .. m-1,
// predicts the error at the largest size. With r = relative error of the forecast, s = its standard
// error from independent trials, L = ln(n_m / n_k):
//   misfit = max over k of sqrt(max(0, r^2 - (2 s)^2)) / L.
//
// Throws Error as FitPowerLaw, and with fewer than 2 trials.
PowerLaw FitPowerLawToTrials(std::span<const double> sizes,
                             std::span<const std::vector<double>> errors, double test_to_train,
                             PowerLawWeights weights = PowerLawWeights::kEqual);

struct PowerLawEstimate {
  double estimate = 0, low = 0, high = 0;
  double se = 0;  // delta method
};

// The mean error at n rows and its interval: estimate +- sqrt((t se)^2 + (misfit L estimate)^2), L
// = ln(n / largest size) beyond the largest size and 0 elsewhere. At the bound a = 0 the interval
// is the hull of that of the two-parameter law and that of the law with a free. It is never below
// 0. REQUIRES: law.defined. Throws Error unless n > 0 and 0 < confidence < 1.
PowerLawEstimate PredictError(const PowerLaw& law, double n, double confidence);

struct PowerLawRows {
  bool reachable = false;  // the target is above the asymptote
  double rows = 0;         // (b / (error - a))^(1/c); NaN if unreachable
  // Where the lower and the upper end of the interval of PredictError reach the target; NaN if they
  // do not reach it below kMostRows.
  double low = 0, high = 0;
};
inline constexpr double kMostRows = 1e15;

// The number of rows at which the error falls to `error`. REQUIRES: law.defined. Throws Error
// unless error is finite and 0 < confidence < 1.
PowerLawRows RowsForError(const PowerLaw& law, double error, double confidence);

enum class Crosses { kNotDecided, kYes, kNo };

struct PowerLawCrossing {
  // A law is shown to be lower at a size if the interval of the difference excludes 0 there. kYes:
  // one law is shown to be lower at some sizes, and the other at later ones. kNo: the same law is
  // shown to be lower at every size of the range. kNotDecided: neither is shown, wherever the laws
  // themselves meet.
  Crosses crosses = Crosses::kNotDecided;
  double rows = 0;  // where the laws meet; NaN if they do not in the range
  // Where the interval of the difference includes 0: around `rows` or, if the laws do not meet, the
  // first such sizes. An end is NaN if it is the end of the range, and both are NaN for kNo.
  double low = 0, high = 0;
  bool first_lower_before = false;  // the first law has the lower error before (or without) `rows`
};

// Whether the two curves cross between `from` and `to` rows, and where. The intervals of the
// difference have the given confidence. Laws with the same number of trials are assumed to be of
// the same trials, whose differences are used; others are assumed to be independent. REQUIRES: both
// defined. Throws Error unless 0 < from < to and 0 < confidence < 1.
PowerLawCrossing CrossPowerLaws(const PowerLaw& first, const PowerLaw& second, double from,
                                double to, double confidence);

}  // namespace crossfold::stats
