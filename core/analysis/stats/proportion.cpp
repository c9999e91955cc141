#include "crossfold/stats/proportion.h"

#include <algorithm>
#include <cmath>

#include "analysis/stats/distributions.h"
#include "analysis/stats/refuse_argument.h"
#include "engine/text/format_number.h"

namespace crossfold::stats {
namespace {

struct Limits {
  double low, high;
};

// The two-sided quantile z of the normal distribution.
double CriticalNormal(double confidence) { return TwoSidedNormalQuantile(confidence); }

Limits NormalApproximation(double p, double n, double z) {
  const double half = z * std::sqrt(p * (1 - p) / n);
  return {p - half, p + half};
}

Limits Wilson(double p, double n, double z) {
  const double scale = 1 + z * z / n;
  const double centre = (p + z * z / (2 * n)) / scale;
  const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / scale;
  return {centre - half, centre + half};
}

Limits WilsonCorrected(double p, double n, double z) {
  const double middle = 2 * n * p + z * z;
  const double low_root = std::sqrt(z * z - 2 - 1 / n + 4 * p * (n * (1 - p) + 1));
  const double high_root = std::sqrt(z * z + 2 - 1 / n + 4 * p * (n * (1 - p) - 1));
  const double scale = 2 * (n + z * z);
  return {(middle - 1 - z * low_root) / scale, (middle + 1 + z * high_root) / scale};
}

Limits AgrestiCoull(double count, double n, double z) {
  const double rows = n + z * z;
  return NormalApproximation((count + z * z / 2) / rows, rows, z);
}

// BetaQuantile needs positive parameters; at the edges the limit is the edge.
Limits ClopperPearson(double count, double n, double confidence) {
  const double tail = (1 - confidence) / 2;
  return {count == 0 ? 0 : BetaQuantile(tail, count, n - count + 1),
          count == n ? 1 : BetaQuantile(1 - tail, count + 1, n - count)};
}

Limits Jeffreys(double count, double n, double confidence) {
  const double tail = (1 - confidence) / 2;
  return {BetaQuantile(tail, count + 0.5, n - count + 0.5),
          BetaQuantile(1 - tail, count + 0.5, n - count + 0.5)};
}

Limits LimitsOf(double count, double n, ProportionMethod method, double confidence) {
  const double z = CriticalNormal(confidence);
  switch (method) {
    case ProportionMethod::kWilson:
      return Wilson(count / n, n, z);
    case ProportionMethod::kWilsonCorrected:
      return WilsonCorrected(count / n, n, z);
    case ProportionMethod::kNormal:
      return NormalApproximation(count / n, n, z);
    case ProportionMethod::kClopperPearson:
      return ClopperPearson(count, n, confidence);
    case ProportionMethod::kAgrestiCoull:
      return AgrestiCoull(count, n, z);
    case ProportionMethod::kJeffreys:
      break;
  }
  return Jeffreys(count, n, confidence);
}

// The score intervals reach the edge there exactly; rounding must not keep them from it.
bool TouchesEdge(ProportionMethod method) {
  return method == ProportionMethod::kWilson || method == ProportionMethod::kWilsonCorrected;
}

void RequireCount(const std::string& attempt, double count, std::int64_t n) {
  constexpr std::int64_t kMostRows = std::int64_t{1} << 53;  // whole numbers of a double
  if (n < 0) {
    RefuseArgument(attempt, std::to_string(n) + " is not a number of rows",
                   "count the rows that were tested");
  }
  if (n > kMostRows) {
    RefuseArgument(attempt, std::to_string(n) + " rows are too many to be counted exactly",
                   "give at most " + std::to_string(kMostRows));
  }
  if (count >= 0 && count <= static_cast<double>(n)) return;
  RefuseArgument(attempt,
                 FormatShortest(count) + " of " + std::to_string(n) + " rows is not a proportion",
                 "the count must be between 0 and the number of rows");
}

double TwoSidedNormal(double z) { return std::min(1.0, 2 * NormalUpper(std::fabs(z))); }

void SetPooledTest(const CountOf& first, const CountOf& second, TwoProportions& result) {
  const double n1 = static_cast<double>(first.n), n2 = static_cast<double>(second.n);
  const double pooled = (first.count + second.count) / (n1 + n2);
  result.pooled_error = std::sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n2));
  result.defined = result.pooled_error > 0;
  if (!result.defined) {
    result.undefined = "both rates are " + FormatShortest(pooled) +
                       ": they do not vary, so there is no statistic; p = 1 by convention";
    result.p = 1;
    return;
  }
  result.statistic = result.difference / result.pooled_error;
  result.p = TwoSidedNormal(result.statistic);
}

void SetInterval(const CountOf& first, const CountOf& second, double confidence,
                 TwoProportions& result) {
  const double variance = result.first * (1 - result.first) / static_cast<double>(first.n) +
                          result.second * (1 - result.second) / static_cast<double>(second.n);
  result.standard_error = std::sqrt(variance);
  if (result.standard_error == 0) {
    result.interval_undefined =
        "each rate is 0 or 1: the standard error is 0, which says nothing about the rows not seen";
    return;
  }
  result.unpooled_statistic = result.difference / result.standard_error;
  result.unpooled_p = TwoSidedNormal(result.unpooled_statistic);
  const double half = CriticalNormal(confidence) * result.standard_error;
  result.low = std::max(-1.0, result.difference - half);
  result.high = std::min(1.0, result.difference + half);
}

}  // namespace

ProportionInterval IntervalOfProportion(std::int64_t count, std::int64_t n, ProportionMethod method,
                                        double confidence) {
  const std::string attempt = "make the interval of a proportion";
  CheckOpenShare(attempt, "the confidence", confidence);
  RequireCount(attempt, static_cast<double>(count), n);
  ProportionInterval result;
  if (n == 0) {
    result.undefined = "there are no rows";
    return result;
  }
  const double x = static_cast<double>(count), rows = static_cast<double>(n);
  const Limits limits = LimitsOf(x, rows, method, confidence);
  result.defined = true;
  result.estimate = x / rows;
  result.low = count == 0 && TouchesEdge(method) ? 0 : std::max(0.0, limits.low);
  result.high = count == n && TouchesEdge(method) ? 1 : std::min(1.0, limits.high);
  return result;
}

TwoProportions CompareProportions(CountOf first, CountOf second, double confidence) {
  const std::string attempt = "compare two proportions";
  CheckOpenShare(attempt, "the confidence", confidence);
  RequireCount(attempt, first.count, first.n);
  RequireCount(attempt, second.count, second.n);
  TwoProportions result;
  if (first.n == 0 || second.n == 0) {
    result.undefined = result.interval_undefined =
        std::string("there are no rows of the ") + (first.n == 0 ? "first" : "second");
    return result;
  }
  result.first = first.count / static_cast<double>(first.n);
  result.second = second.count / static_cast<double>(second.n);
  result.difference = result.first - result.second;
  SetPooledTest(first, second, result);
  SetInterval(first, second, confidence, result);
  return result;
}

}  // namespace crossfold::stats
