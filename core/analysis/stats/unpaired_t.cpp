#include "crossfold/stats/unpaired_t.h"

#include <algorithm>
#include <cmath>

#include "analysis/stats/distributions.h"
#include "analysis/stats/undefined.h"
#include "crossfold/error.h"
#include "crossfold/summary.h"

namespace crossfold::stats {
namespace {

[[noreturn]] void RefuseUnpaired(const std::string& finding) {
  throw Error(ErrorKind::kInvalidArgument, "cannot compare scores of different splits: " + finding);
}

// Variance of the mean of the scores, and its degrees of freedom.
struct MeanVariance {
  double mean, variance, df;
};

MeanVariance VarianceOfMean(std::span<const double> scores, double ratio) {
  const Summary summary = Summarize(scores);
  const auto n = static_cast<double>(summary.n);
  return {summary.mean, summary.sd * summary.sd * (1 / n + ratio), n - 1};
}

}  // namespace

UnpairedT CompareUnpaired(std::span<const double> first, std::span<const double> second,
                          double first_ratio, double second_ratio, double confidence) {
  const auto is_finite = [](double v) { return std::isfinite(v); };
  if (!std::ranges::all_of(first, is_finite) || !std::ranges::all_of(second, is_finite)) {
    RefuseUnpaired("a score is not finite; leave such splits out");
  }
  for (const double ratio : {first_ratio, second_ratio}) {
    if (!is_finite(ratio) || ratio < 0)
      RefuseUnpaired("a ratio of test to training rows is negative or not finite");
  }
  if (!(confidence > 0 && confidence < 1)) {
    RefuseUnpaired("the confidence is outside (0, 1); use 0.95 for 95 %");
  }
  UnpairedT result{false,      "",         kUndefined, kUndefined,
                   kUndefined, kUndefined, kUndefined, kUndefined};
  if (first.size() < 2 || second.size() < 2) {
    result.undefined = "a learner has fewer than 2 scores";
    return result;
  }
  const MeanVariance a = VarianceOfMean(first, first_ratio);
  const MeanVariance b = VarianceOfMean(second, second_ratio);
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
