#include "crossfold/stats/t_test.h"

#include <algorithm>
#include <cmath>

#include "analysis/stats/distributions.h"
#include "analysis/stats/refuse_argument.h"
#include "crossfold/error.h"
#include "crossfold/stats/unpaired_t.h"
#include "crossfold/summary.h"
#include "crossfold_plugin/compensated_sum.hpp"
#include "engine/text/format_number.h"

namespace crossfold::stats {
namespace {

// Whether numbers between `min` and `max` differ by no more than the rounding of a subtraction.
bool AreEqual(double min, double max) {
  return max - min <= kEqualDifferences * std::max(std::fabs(min), std::fabs(max));
}

// What the variance of n values is if only `distinct` of them are of different splits.
double OfDistinct(double variance, double n, double distinct) {
  return distinct < n ? variance * ((n - 1) / n) * (distinct / (distinct - 1)) : variance;
}

// Mean and variance, and which tests there can be.
struct Spread {
  double n = 0;  // that count, see CorrectedT
  double mean = TTest::kNone, variance = TTest::kNone;
  std::string undefined;  // why there is no test; empty = there is one
  bool equal = false;     // undefined because all are equal
};

Spread SpreadOf(std::span<const double> differences, std::optional<std::int64_t> distinct) {
  Spread spread;
  const Summary summary = SummarizeWithoutOrder(differences);
  if (summary.n > 0) spread.mean = summary.mean;
  if (summary.n < 2) {
    spread.undefined = summary.n == 0 ? "there are no differences; a variance needs two"
                                      : "there is one difference; a variance needs two";
    return spread;
  }
  spread.n = static_cast<double>(distinct.value_or(summary.n));
  if (spread.n < 2) {
    spread.undefined = "all differences are of one split; a variance needs two";
    return spread;
  }
  spread.equal = AreEqual(summary.min, summary.max);
  spread.variance = OfDistinct(summary.sd * summary.sd, static_cast<double>(summary.n), spread.n);
  if (spread.equal) spread.variance = 0;
  if (spread.equal) {
    spread.undefined = spread.mean == 0
                           ? "all differences are 0: without variance there is no statistic; p = 1 "
                             "by convention"
                           : "all differences are " + FormatShortest(spread.mean) +
                                 ": without variance there is no statistic; p = 0 by convention";
  } else if (!std::isnormal(spread.variance) || !std::isfinite(spread.mean)) {
    spread.mean = spread.variance = TTest::kNone;
    spread.undefined = "the squares of the differences overflow";
  }
  return spread;
}

// p of a test whose differences are all equal to `mean`.
void SetConventionalP(double mean, TTest& test) {
  test.p = mean == 0 ? 1 : 0;
  test.p_greater = mean == 0 ? 0.5 : (mean > 0 ? 0 : 1);
  test.p_less = 1 - test.p_greater;
}

// `ratio` is the term added to 1/n: 0 for independent differences. nullopt = no interval.
TTest TestOfMean(std::span<const double> differences, double ratio,
                 std::optional<double> confidence, std::optional<std::int64_t> distinct) {
  const Spread spread = SpreadOf(differences, distinct);
  TTest test;
  test.n = static_cast<std::int64_t>(differences.size());
  test.mean = spread.mean;
  test.variance = spread.variance;
  test.undefined = spread.undefined;
  test.defined = spread.undefined.empty();
  if (spread.n < 2) return test;
  test.df = spread.n - 1;
  test.standard_error = std::sqrt((1 / spread.n + ratio) * test.variance);
  if (confidence) test.critical = TwoSidedStudentQuantile(*confidence, test.df);
  if (spread.equal) SetConventionalP(test.mean, test);
  if (!test.defined) return test;
  test.statistic = test.mean / test.standard_error;
  const double tail = StudentUpper(std::fabs(test.statistic), test.df);
  test.p = std::min(1.0, 2 * tail);
  test.p_greater = test.statistic > 0 ? tail : StudentUpper(test.statistic, test.df);
  test.p_less = StudentCdf(test.statistic, test.df);
  test.low = test.mean - test.critical * test.standard_error;
  test.high = test.mean + test.critical * test.standard_error;
  return test;
}

struct Squares {
  double of_values = 0;      // sum of the squared differences
  double of_deviations = 0;  // sum of the s^2
};

Squares SquaresOf(const std::array<std::array<double, 2>, 5>& differences) {
  plugin::CompensatedSum values, deviations;
  for (const auto& [first, second] : differences) {
    values.Add(first * first);
    values.Add(second * second);
    if (AreEqual(std::min(first, second), std::max(first, second))) continue;
    // Both have the same distance from their mean.
    deviations.Add((first - second) * (first - second) / 2);
  }
  return {values.value(), deviations.value()};
}

// Neither test has a statistic: no replication varies, or the squares are out of range.
void SetWithoutVariance(double first, const Squares& squares, FiveByTwoTest& test) {
  if (!std::isfinite(squares.of_values) || squares.of_deviations != 0) {
    test.undefined = "the squares of the differences overflow";
    return;
  }
  test.undefined =
      "the two differences of every replication are equal: without variance there is no statistic; "
      "p = 0 by convention, or 1 where the differences are 0";
  test.t_p = first == 0 ? 1 : 0;
  test.f_p = squares.of_values == 0 ? 1 : 0;
}

void SetPointMass(double rope, CorrelatedBayes& result) {
  result.left = result.mean < -rope ? 1 : 0;
  result.right = result.mean > rope ? 1 : 0;
  result.rope = 1 - result.left - result.right;
}

void SetPosterior(double rope, double confidence, CorrelatedBayes& result) {
  const double from = (-rope - result.mean) / result.scale;
  const double to = (rope - result.mean) / result.scale;
  result.left = StudentCdf(from, result.df);
  result.right = StudentUpper(to, result.df);
  // Of the two forms of the same difference, the one that does not cancel.
  result.rope = from > 0 ? StudentUpper(from, result.df) - StudentUpper(to, result.df)
                         : StudentCdf(to, result.df) - StudentCdf(from, result.df);
  const double half = TwoSidedStudentQuantile(confidence, result.df) * result.scale;
  result.low = result.mean - half;
  result.high = result.mean + half;
}

[[noreturn]] void RefuseUnpaired(const std::string& finding) {
  throw Error(ErrorKind::kInvalidArgument, "cannot compare scores of different splits: " + finding);
}

// Variance of the mean of the scores, and its degrees of freedom.
struct MeanVariance {
  double mean, variance, df;
};

MeanVariance VarianceOfMean(const OwnScores& scores) {
  const Summary summary = Summarize(scores.values);
  const auto n = static_cast<double>(scores.distinct.value_or(summary.n));
  const double variance = OfDistinct(summary.sd * summary.sd, static_cast<double>(summary.n), n);
  return {summary.mean, variance * (1 / n + scores.ratio), n - 1};
}

}  // namespace

TTest PairedT(std::span<const double> differences, double confidence) {
  const std::string attempt = "make the paired t test";
  CheckOpenShare(attempt, "the confidence", confidence);
  CheckFinite(attempt, "difference", differences);
  return TestOfMean(differences, 0, confidence, std::nullopt);
}

TTest CorrectedT(std::span<const double> differences, double test_train_ratio,
                 std::optional<double> confidence, std::optional<std::int64_t> distinct) {
  const std::string attempt = "make the corrected t test";
  if (confidence) CheckOpenShare(attempt, "the confidence", *confidence);
  CheckFinite(attempt, "difference", differences);
  if (!(test_train_ratio > 0 && std::isfinite(test_train_ratio))) {
    RefuseArgument(attempt,
                   "test rows / training rows of a split is " + FormatShortest(test_train_ratio) +
                       ", which is not a number above 0",
                   "for k folds it is 1/(k-1)");
  }
  return TestOfMean(differences, test_train_ratio, confidence, distinct);
}

FiveByTwoTest FiveByTwoCv(const std::array<std::array<double, 2>, 5>& differences) {
  plugin::CompensatedSum sum;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    CheckFinite("make the 5x2cv test", "replication " + std::to_string(i + 1) + ": difference",
                differences[i]);
    for (const double difference : differences[i]) sum.Add(difference);
  }
  const Squares squares = SquaresOf(differences);
  FiveByTwoTest test;
  test.mean = sum.DividedBy(10);
  test.t_df = 5;
  test.f_df1 = 10;
  test.f_df2 = 5;
  test.defined = std::isnormal(squares.of_deviations) && std::isfinite(squares.of_values);
  if (!test.defined) {
    SetWithoutVariance(differences[0][0], squares, test);
    return test;
  }
  test.t = differences[0][0] / std::sqrt(squares.of_deviations / 5);
  test.t_p = std::min(1.0, 2 * StudentUpper(std::fabs(test.t), test.t_df));
  test.f = squares.of_values / (2 * squares.of_deviations);
  test.f_p = FisherUpper(test.f, test.f_df1, test.f_df2);
  return test;
}

CorrelatedBayes BayesCorrelatedT(std::span<const double> differences, double rho, double rope,
                                 double confidence, std::optional<std::int64_t> distinct) {
  const std::string attempt = "make the Bayesian correlated t test";
  CheckOpenShare(attempt, "the confidence", confidence);
  CheckFinite(attempt, "difference", differences);
  if (!(rho >= 0 && rho < 1)) {
    RefuseArgument(attempt,
                   "the correlation rho is " + FormatShortest(rho) + ", not at least 0 and below 1",
                   "it is test rows / all rows of a split");
  }
  if (!(rope >= 0 && std::isfinite(rope))) {
    RefuseArgument(
        attempt,
        "the region of practical equivalence [-rope, rope] has rope " + FormatShortest(rope),
        "use a number of at least 0, such as 0.01");
  }
  const Spread spread = SpreadOf(differences, distinct);
  CorrelatedBayes result;
  result.n = static_cast<std::int64_t>(differences.size());
  result.mean = spread.mean;
  result.variance = spread.variance;
  result.defined = spread.undefined.empty();
  result.undefined = spread.equal ? "all differences are " + FormatShortest(spread.mean) +
                                        ": the posterior has no width; all of its probability is "
                                        "at the mean by convention"
                                  : spread.undefined;
  if (spread.n < 2) return result;
  result.df = spread.n - 1;
  result.scale = std::sqrt((1 / spread.n + rho / (1 - rho)) * result.variance);
  if (spread.equal) SetPointMass(rope, result);
  if (result.defined) SetPosterior(rope, confidence, result);
  return result;
}

UnpairedT CompareUnpaired(const OwnScores& first, const OwnScores& second, double confidence) {
  const auto is_finite = [](double v) { return std::isfinite(v); };
  for (const OwnScores& one : {first, second}) {
    if (!std::ranges::all_of(one.values, is_finite)) {
      RefuseUnpaired("a score is not finite; leave such splits out");
    }
    if (!is_finite(one.ratio) || one.ratio < 0) {
      RefuseUnpaired("a ratio of test to training rows is negative or not finite");
    }
  }
  if (!(confidence > 0 && confidence < 1)) {
    RefuseUnpaired("the confidence is outside (0, 1); use 0.95 for 95 %");
  }
  UnpairedT result{false,      "",         kUndefined, kUndefined,
                   kUndefined, kUndefined, kUndefined, kUndefined};
  const auto count = [](const OwnScores& one) {
    return one.distinct.value_or(static_cast<std::int64_t>(one.values.size()));
  };
  if (count(first) < 2 || count(second) < 2) {
    result.undefined = "a learner has fewer than 2 scores";
    return result;
  }
  const MeanVariance a = VarianceOfMean(first), b = VarianceOfMean(second);
  result.difference = a.mean - b.mean;
  const double variance = a.variance + b.variance;
  if (variance == 0) {
    result.undefined = "no score differs from the others of its learner";
    return result;
  }
  result.defined = true;
  result.df =
      variance * variance / (a.variance * a.variance / a.df + b.variance * b.variance / b.df);
  result.statistic = result.difference / std::sqrt(variance);
  result.p = std::min(1.0, 2 * StudentUpper(std::abs(result.statistic), result.df));
  const double half = TwoSidedStudentQuantile(confidence, result.df) * std::sqrt(variance);
  result.low = result.difference - half;
  result.high = result.difference + half;
  return result;
}

}  // namespace crossfold::stats
