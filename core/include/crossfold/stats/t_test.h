// Compares two learners on the same splits by t tests over the differences of their scores, one per
// split.
//
// Without variance there is no statistic: `defined` is false, statistic and interval are NaN, and p
// is set by convention (as in Weka's PairedStats): 1 if all differences are 0, else 0. Differences
// count as equal if they spread by at most kEqualDifferences of the largest |difference|: the
// rounding of subtracted decimals (0.84 - 0.82 and 0.82 - 0.8) is not a variance.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>

namespace crossfold::stats {

inline constexpr double kEqualDifferences = 1e-12;

struct TTest {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  bool defined = false;   // whether there is a statistic
  std::string undefined;  // why not
  std::int64_t n = 0;     // differences
  double mean = kNone, variance = kNone, standard_error = kNone;
  double statistic = kNone, df = kNone;
  double p = kNone;                          // two-sided
  double p_greater = kNone, p_less = kNone;  // one-sided: small if the mean is above, below 0
  double critical = kNone;                   // |statistic| beyond it is significant, two-sided
  double low = kNone, high = kNone;          // the interval of the mean
};

// t = mean / sqrt(variance / n), n - 1 degrees of freedom (Student 1908, Biometrika 6, 1-25). It
// assumes that the differences are independent. Those of folds are not: their training sets
// overlap, and p is too small (Dietterich 1998). Raises Error for differences that are not finite.
TTest PairedT(std::span<const double> differences, double confidence = 0.95);

// The corrected resampled t: t = mean / sqrt((1/n + test_train_ratio) variance), n - 1 degrees of
// freedom, where the ratio is test rows / training rows of a split: C. Nadeau, Y. Bengio 2003,
// Machine Learning 52, 239-281, for random splits; R. R. Bouckaert, E. Frank 2004, PAKDD, LNAI
// 3056, for repeated k-fold, ratio 1/(k-1), as a heuristic. Raises Error unless the ratio is above
// 0. Without a confidence it computes no interval and no critical value, which take the largest
// part of the time.
//
// A split that comes back says nothing new: if only `distinct` of the n splits are different, 1/n
// and n - 1 are those of `distinct`, and the variance has distinct - 1 instead of n - 1, too. The
// mean stays that of all.
TTest CorrectedT(std::span<const double> differences, double test_train_ratio,
                 std::optional<double> confidence = 0.95,
                 std::optional<std::int64_t> distinct = std::nullopt);

struct FiveByTwoTest {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  bool defined = false;   // whether there are statistics
  std::string undefined;  // why not
  double mean = kNone;    // of the ten differences
  double t = kNone, t_df = kNone, t_p = kNone;
  double f = kNone, f_df1 = kNone, f_df2 = kNone, f_p = kNone;
};

// Five times twofold cross-validation: the two differences of each replication, s^2 the sum of
// their squared deviations from their mean. t = first difference / sqrt(mean of the s^2), df 5: T.
// G. Dietterich 1998, Neural Computation 10, 1895-1923; it depends on which difference is first. F
// = sum of the squared differences / (2 sum of the s^2), df (10, 5): E. Alpaydin 1999, Neural
// Computation 11, 1885-1892; it does not. Raises Error for differences that are not finite.
FiveByTwoTest FiveByTwoCv(const std::array<std::array<double, 2>, 5>& differences);

struct CorrelatedBayes {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  bool defined = false;   // whether there is a posterior with a width
  std::string undefined;  // why not
  std::int64_t n = 0;
  double mean = kNone, variance = kNone, df = kNone;
  double scale = kNone;  // of the posterior
  // Probabilities that the mean difference is below, in and above [-rope, rope]. Without variance
  // all of the probability is at the mean, by convention.
  double left = kNone, rope = kNone, right = kNone;
  double low = kNone, high = kNone;  // central credible interval
};

// The Bayesian correlated t test: the posterior of the mean difference is Student's t, n - 1
// degrees of freedom, around the mean, with scale^2 = (1/n + rho/(1-rho)) variance: A. Benavoli, G.
// Corani, J. Demsar, M. Zaffalon 2017, JMLR 18(77), 1-36. rho = test rows / all rows of a split; 0
// <= rho < 1. `rope` >= 0 is the largest difference without practical relevance. `distinct` is that
// of CorrectedT.
CorrelatedBayes BayesCorrelatedT(std::span<const double> differences, double rho, double rope,
                                 double confidence = 0.95,
                                 std::optional<std::int64_t> distinct = std::nullopt);

}  // namespace crossfold::stats
