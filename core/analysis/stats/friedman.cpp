#include "crossfold/stats/friedman.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

#include "analysis/stats/distributions.h"
#include "analysis/stats/refuse_argument.h"

namespace crossfold::stats {
namespace {

constexpr char kRanks[] = "compare the learners by their ranks";

RankTest UndefinedTest(const std::string& reason, std::int64_t df1 = 0, std::int64_t df2 = 0) {
  return {false, reason, kUndefined, kUndefined, df1, df2};
}

// The standard error of a difference of two average ranks.
double RankDifferenceError(std::size_t learners, std::int64_t datasets) {
  const double k = static_cast<double>(learners);
  return std::sqrt(k * (k + 1) / (6 * static_cast<double>(datasets)));
}

// Places 0 .. n-1, those with the smaller key first, equal keys in their order.
std::vector<std::size_t> Ordered(std::span<const double> keys) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  return order;
}

// Sum of t^3 - t over the groups of equal ranks, each of t learners.
double TieTerm(std::span<const double> ranks) {
  std::vector<double> sorted(ranks.begin(), ranks.end());
  std::sort(sorted.begin(), sorted.end());
  double term = 0;
  for (std::size_t i = 0; i < sorted.size();) {
    const std::size_t first = i;
    while (i < sorted.size() && sorted[i] == sorted[first]) ++i;
    const double t = static_cast<double>(i - first);
    term += t * t * t - t;
  }
  return term;
}

struct RankSums {
  std::vector<double> of_learner;  // halves of whole numbers: exact
  double tie_term = 0;
};

RankSums SumRanks(const std::vector<std::vector<double>>& scores, bool higher_is_better) {
  RankSums sums;
  sums.of_learner.resize(scores.front().size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i].size() != sums.of_learner.size()) {
      RefuseArgument(kRanks,
                     "dataset " + std::to_string(i + 1) + " has " +
                         std::to_string(scores[i].size()) + " scores, dataset 1 has " +
                         std::to_string(sums.of_learner.size()),
                     "give one score per learner");
    }
    CheckFinite(kRanks, "dataset " + std::to_string(i + 1) + ": score", scores[i]);
    const std::vector<double> ranks = MidRanks(scores[i], higher_is_better);
    for (std::size_t j = 0; j < ranks.size(); ++j) sums.of_learner[j] += ranks[j];
    sums.tie_term += TieTerm(ranks);
  }
  return sums;
}

// Why there is no test for these numbers of datasets and learners, or "".
std::string NothingToTest(double n, double k, double tie_share) {
  if (k < 2) return "one learner has nothing to be compared with";
  if (n < 2) return "one dataset does not show how ranks differ between datasets";
  if (tie_share == 1) return "all learners are equal on every dataset";
  return "";
}

RankTest ChiSquaredTest(double statistic, std::int64_t df) {
  return {true, "", statistic, ChiSquaredUpper(statistic, static_cast<double>(df)), df, 0};
}

// `spread` = sum of (rank sum - n (k+1)/2)^2. Ties lower its maximum: Conover,
// Practical Nonparametric Statistics, 3rd ed. (1999), 5.8.
RankTest FisherTest(double n, double k, double spread, double tie_term) {
  const auto df1 = static_cast<std::int64_t>(k - 1);
  const auto df2 = static_cast<std::int64_t>((k - 1) * (n - 1));
  // The spread if every dataset ranks alike: whole numbers and halves, so exact.
  const double most = n * (n * k * (k * k - 1) - tie_term) / 12;
  if (!(spread < most)) {
    return UndefinedTest("every dataset ranks the learners alike: F is infinite", df1, df2);
  }
  const double f = (n - 1) * spread / (most - spread);
  return {true, "", f, FisherUpper(f, static_cast<double>(df1), static_cast<double>(df2)),
          df1,  df2};
}

}  // namespace

std::vector<double> MidRanks(std::span<const double> values, bool higher_is_better) {
  std::vector<double> keys(values.begin(), values.end());
  if (higher_is_better) {
    for (double& key : keys) key = -key;
  }
  const std::vector<std::size_t> order = Ordered(keys);
  std::vector<double> ranks(keys.size());
  for (std::size_t i = 0; i < order.size();) {
    const std::size_t first = i;
    while (i < order.size() && keys[order[i]] == keys[order[first]]) ++i;
    const double rank = (static_cast<double>(first) + static_cast<double>(i) + 1) / 2;
    for (std::size_t j = first; j < i; ++j) ranks[order[j]] = rank;
  }
  return ranks;
}

FriedmanTest Friedman(const std::vector<std::vector<double>>& scores, bool higher_is_better) {
  if (scores.empty() || scores.front().empty()) {
    RefuseArgument(kRanks, "there are no scores", "give one list of scores per dataset");
  }
  const RankSums sums = SumRanks(scores, higher_is_better);
  FriedmanTest test;
  test.datasets = static_cast<std::int64_t>(scores.size());
  test.learners = static_cast<std::int64_t>(sums.of_learner.size());
  test.ties = sums.tie_term > 0;
  const double n = static_cast<double>(test.datasets), k = static_cast<double>(test.learners);
  double spread = 0;  // of the rank sums: exact
  for (const double sum : sums.of_learner) {
    test.average_ranks.push_back(sum / n);
    const double deviation = sum - n * (k + 1) / 2;
    spread += deviation * deviation;
  }
  const double tie_share = k < 2 ? 0 : sums.tie_term / (n * (k * k * k - k));
  const std::string reason = NothingToTest(n, k, tie_share);
  if (!reason.empty()) {
    test.chi_squared = test.tie_corrected = test.iman_davenport = UndefinedTest(reason);
    return test;
  }
  const double statistic = 12 * spread / (n * k * (k + 1));
  test.chi_squared = ChiSquaredTest(statistic, test.learners - 1);
  test.tie_corrected = ChiSquaredTest(statistic / (1 - tie_share), test.learners - 1);
  test.iman_davenport = FisherTest(n, k, spread, sums.tie_term);
  return test;
}

double CriticalDifference(std::int64_t learners, std::int64_t datasets, double alpha,
                          PostHoc method) {
  const std::string attempt = "compute the critical difference";
  if (learners < 2) {
    RefuseArgument(attempt, "the number of learners is " + std::to_string(learners),
                   "compare at least 2");
  }
  if (datasets < 1) {
    RefuseArgument(attempt, "the number of datasets is " + std::to_string(datasets),
                   "use at least 1");
  }
  CheckOpenShare(attempt, "alpha", alpha);
  const double q = method == PostHoc::kNemenyi
                       ? StudentizedRangeUpperQuantile(alpha, learners) / std::numbers::sqrt2
                       : -NormalQuantile(alpha / (2 * static_cast<double>(learners - 1)));
  return q * RankDifferenceError(static_cast<std::size_t>(learners), datasets);
}

std::vector<RankComparison> Nemenyi(std::span<const double> average_ranks, std::int64_t datasets,
                                    const CancelToken* cancel) {
  assert(average_ranks.size() >= 2 && datasets >= 1);
  const double error = RankDifferenceError(average_ranks.size(), datasets);
  const auto k = static_cast<std::int64_t>(average_ranks.size());
  std::vector<RankComparison> pairs;
  for (std::size_t i = 0; i < average_ranks.size(); ++i) {
    for (std::size_t j = i + 1; j < average_ranks.size(); ++j) {
      StopIfCancelled(cancel);
      const double difference = average_ranks[i] - average_ranks[j];
      const double q = std::numbers::sqrt2 * std::fabs(difference) / error;
      pairs.push_back({i, j, difference, StudentizedRangeUpper(q, k)});
    }
  }
  return pairs;
}

std::vector<RankComparison> BonferroniDunn(std::span<const double> average_ranks,
                                           std::int64_t datasets, std::size_t control) {
  assert(control < average_ranks.size() && datasets >= 1);
  const double error = RankDifferenceError(average_ranks.size(), datasets);
  const double comparisons = static_cast<double>(average_ranks.size() - 1);
  std::vector<RankComparison> pairs;
  for (std::size_t i = 0; i < average_ranks.size(); ++i) {
    if (i == control) continue;
    const double difference = average_ranks[i] - average_ranks[control];
    const double p = 2 * NormalUpper(std::fabs(difference) / error);
    pairs.push_back({i, control, difference, std::min(1.0, comparisons * p)});
  }
  return pairs;
}

std::vector<std::vector<std::size_t>> AlikeGroups(std::span<const double> average_ranks,
                                                  double critical_difference) {
  const std::vector<std::size_t> order = Ordered(average_ranks);
  std::vector<std::vector<std::size_t>> groups;
  std::size_t covered = 0;  // the longest reach so far, as the place after the last learner
  std::size_t end = 0;      // does not decrease with the first learner
  for (std::size_t first = 0; first < order.size(); ++first) {
    end = std::max(end, first + 1);
    while (end < order.size() &&
           average_ranks[order[end]] - average_ranks[order[first]] < critical_difference) {
      ++end;
    }
    if (end - first >= 2 && end > covered) {
      groups.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(first),
                          order.begin() + static_cast<std::ptrdiff_t>(end));
      covered = end;
    }
  }
  return groups;
}

}  // namespace crossfold::stats
