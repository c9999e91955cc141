#include "crossfold/stats/signed_rank.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "analysis/stats/distributions.h"
#include "analysis/stats/refuse_argument.h"
#include "engine/text/format_number.h"

namespace crossfold::stats {
namespace {

constexpr char kRankAttempt[] = "make the signed-rank test";
constexpr char kAllZero[] = "all differences are 0: nothing was tested; p = 1 by convention";

void RequireTolerance(const std::string& attempt, double tolerance) {
  if (tolerance >= 0 && tolerance < 1) return;
  RefuseArgument(attempt, "the tolerance of ties is " + FormatShortest(tolerance),
                 "it is a part of the largest difference, at least 0 and below 1");
}

// Up to this size differences are 0, and within it sizes are equal.
double SlackOf(std::span<const double> differences, double tolerance) {
  double largest = 0;
  for (const double d : differences) largest = std::max(largest, std::fabs(d));
  return tolerance * largest;
}

// Differences of one size, not 0: how many there are of each sign, and twice their mid-rank, which
// is a whole number.
struct Tie {
  std::int64_t plus = 0, minus = 0, twice_rank = 0;
  std::int64_t count() const { return plus + minus; }
  double rank() const { return static_cast<double>(twice_rank) / 2; }
};

// The differences that are not 0, by size; ranks are counted from `offset` + 1. Sizes within
// `slack` of the smallest of a tie belong to it.
std::vector<Tie> TiesOf(std::span<const double> differences, double slack, std::int64_t offset,
                        const CancelToken* cancel) {
  std::vector<double> sorted;
  for (const double d : differences) {
    if (std::fabs(d) > slack) sorted.push_back(d);
  }
  std::sort(sorted.begin(), sorted.end(), [cancel](double a, double b) {
    StopIfCancelled(cancel);
    return std::fabs(a) < std::fabs(b);
  });
  std::vector<Tie> ties;
  for (std::size_t first = 0, next = 0; first < sorted.size(); first = next) {
    Tie tie;
    for (; next < sorted.size() && std::fabs(sorted[next]) - std::fabs(sorted[first]) <= slack;
         ++next) {
      ++(sorted[next] > 0 ? tie.plus : tie.minus);
    }
    tie.twice_rank = 2 * offset + static_cast<std::int64_t>(first + next) + 1;
    ties.push_back(tie);
  }
  return ties;
}

double SumOfSquares(double n) { return n * (n + 1) * (2 * n + 1) / 6; }

// The variance of T: a quarter of the sum of the squared ranks whose sign is a coin toss. Mid-ranks
// have the smaller squares, by (t^3 - t) / 12 a tie: this is the tie correction.
double RankSumVariance(const std::vector<Tie>& ties, const SignedRankTest& test,
                       const SignedRankOptions& options) {
  const double zeros = static_cast<double>(test.zeros);
  const double tested = static_cast<double>(test.n - test.zeros);
  if (!options.tie_correction) {
    switch (options.zeros) {
      case Zeros::kWilcox:
        return SumOfSquares(tested) / 4;
      case Zeros::kPratt:
        return (SumOfSquares(zeros + tested) - SumOfSquares(zeros)) / 4;
      case Zeros::kZsplit:
        return SumOfSquares(zeros + tested) / 4;
    }
  }
  double squares = 0;
  for (const Tie& tie : ties) squares += static_cast<double>(tie.count()) * tie.rank() * tie.rank();
  if (options.zeros == Zeros::kZsplit) squares += zeros * (zeros + 1) * (zeros + 1) / 4;
  return squares / 4;
}

void SetNormal(const std::vector<Tie>& ties, const SignedRankOptions& options,
               SignedRankTest& test) {
  const double mean = (test.r_plus + test.r_minus) / 2;
  const double distance = std::min(0.0, test.statistic - mean + (options.continuity ? 0.5 : 0));
  test.z = distance / std::sqrt(RankSumVariance(ties, test, options));
  test.p = std::min(1.0, 2 * NormalCdf(test.z));
}

// In how many of the 2^n patterns of signs each sum of (twice) the positive ranks occurs.
std::vector<double> CountSums(const std::vector<Tie>& ties) {
  std::vector<double> patterns = {1};
  for (const Tie& tie : ties) {
    const auto step = static_cast<std::size_t>(tie.twice_rank);
    for (std::int64_t i = 0; i < tie.count(); ++i) {
      patterns.resize(patterns.size() + step);
      for (std::size_t sum = patterns.size(); sum-- > step;) patterns[sum] += patterns[sum - step];
    }
  }
  return patterns;
}

void SetExact(const std::vector<Tie>& ties, SignedRankTest& test) {
  const std::vector<double> patterns = CountSums(ties);
  const auto observed = static_cast<std::size_t>(2 * test.statistic);
  double as_small = 0;
  for (std::size_t sum = 0; sum <= observed; ++sum) as_small += patterns[sum];
  test.exact = true;
  test.p = std::min(1.0, 2 * std::ldexp(as_small, -static_cast<int>(test.n - test.zeros)));
}

void RequireExact(const SignedRankTest& test, Zeros zeros) {
  if (zeros == Zeros::kZsplit && test.zeros > 0) {
    RefuseArgument(kRankAttempt, "there is no exact distribution for split zeros",
                   "drop them (wilcox or pratt) or take the normal distribution");
  }
  const std::int64_t ranks = zeros == Zeros::kPratt ? test.n : test.n - test.zeros;
  if (ranks <= kMaxExactRanks) return;
  RefuseArgument(kRankAttempt,
                 "the exact distribution is counted for up to " + std::to_string(kMaxExactRanks) +
                     " ranks, there are " + std::to_string(ranks) + "",
                 "take the normal distribution");
}

bool UsesExact(const SignedRankTest& test, SignedRankMethod method) {
  if (method != SignedRankMethod::kAuto) return method == SignedRankMethod::kExact;
  return !test.ties && test.zeros == 0 && test.n <= kMaxExactRanks;
}

// Sums of ranks, and the number of their differences.
void SetRanks(const std::vector<Tie>& ties, Zeros zeros, SignedRankTest& test) {
  const double of_zeros =
      static_cast<double>(test.zeros) * (static_cast<double>(test.zeros) + 1) / 2;
  test.r_plus = test.r_minus = zeros == Zeros::kZsplit ? of_zeros / 2 : 0;
  for (const Tie& tie : ties) {
    test.r_plus += static_cast<double>(tie.plus) * tie.rank();
    test.r_minus += static_cast<double>(tie.minus) * tie.rank();
    test.ties = test.ties || tie.count() > 1;
  }
  test.statistic = std::min(test.r_plus, test.r_minus);
}

}  // namespace

SignedRankTest SignedRank(std::span<const double> differences, SignedRankOptions options) {
  CheckFinite(kRankAttempt, "difference", differences);
  RequireTolerance(kRankAttempt, options.tie_tolerance);
  const double slack = SlackOf(differences, options.tie_tolerance);
  SignedRankTest test;
  test.n = static_cast<std::int64_t>(differences.size());
  test.zeros = std::count_if(differences.begin(), differences.end(),
                             [&](double d) { return std::fabs(d) <= slack; });
  if (test.zeros == test.n) {
    test.undefined = test.n == 0 ? "there are no differences" : kAllZero;
    if (test.n > 0) test.p = 1;
    return test;
  }
  const std::vector<Tie> ties =
      TiesOf(differences, slack, options.zeros == Zeros::kWilcox ? 0 : test.zeros, options.cancel);
  SetRanks(ties, options.zeros, test);
  test.defined = true;
  if (UsesExact(test, options.method)) {
    RequireExact(test, options.zeros);
    SetExact(ties, test);
  } else {
    SetNormal(ties, options, test);
  }
  return test;
}

SignTest TestSigns(std::span<const double> differences, SignTies ties, double tie_tolerance) {
  const std::string attempt = "make the sign test";
  CheckFinite(attempt, "difference", differences);
  RequireTolerance(attempt, tie_tolerance);
  const double slack = SlackOf(differences, tie_tolerance);
  SignTest test;
  for (const double d : differences) {
    ++(std::fabs(d) <= slack ? test.ties : d > 0 ? test.plus : test.minus);
  }
  if (test.plus + test.minus == 0) {
    test.undefined = differences.empty() ? "there are no differences" : kAllZero;
    if (!differences.empty()) test.p = 1;
    return test;
  }
  const std::int64_t to_each_side = ties == SignTies::kSplit ? test.ties / 2 : 0;
  test.n = test.plus + test.minus + 2 * to_each_side;
  test.defined = true;
  test.p =
      std::min(1.0, 2 * BinomialCdf(std::min(test.plus, test.minus) + to_each_side, test.n, 0.5));
  return test;
}

}  // namespace crossfold::stats
