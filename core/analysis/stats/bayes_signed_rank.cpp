#include "crossfold/stats/bayes_signed_rank.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "analysis/stats/posterior_samples.h"
#include "analysis/stats/refuse_argument.h"
#include "crossfold/stats/signed_rank.h"
#include "crossfold_plugin/random.hpp"
#include "engine/text/format_number.h"

namespace crossfold::stats {
namespace {

constexpr char kAttempt[] = "make the Bayesian signed-rank test";

void CheckOptions(const BayesSignedRankOptions& options) {
  if (!(options.rope >= 0 && std::isfinite(options.rope))) {
    RefuseArgument(kAttempt,
                   "the region of practical equivalence [-rope, rope] has rope " +
                       FormatShortest(options.rope),
                   "use a number of at least 0, such as 0.01");
  }
  if (!(options.prior_strength >= 0 && std::isfinite(options.prior_strength))) {
    RefuseArgument(kAttempt, "the prior strength is " + FormatShortest(options.prior_strength),
                   "use a number of at least 0, such as 0.6");
  }
  if (options.points < 0) {
    RefuseArgument(kAttempt, "the number of points is " + std::to_string(options.points),
                   "use a number of at least 0, such as 2000");
  }
  if (options.samples < 1) {
    RefuseArgument(kAttempt, "there are " + std::to_string(options.samples) + " samples",
                   "use a number of at least 1, such as 50000");
  }
}

// The gamma distribution with shape 1.
double Exponential(plugin::Random& random) { return -std::log(1 - random.Uniform()); }

// Which of the sorted differences make a sum below the region with difference i: those before the
// place `below`; up to `to_below` sums are on the boundary. Those from `above` on make one above
// it, and from `from_above` on sums are on the boundary.
struct Partners {
  std::size_t below, to_below, from_above, above;
};

std::vector<Partners> FindPartners(const std::vector<double>& z, double rope) {
  const double slack = kTieTolerance * std::max(std::fabs(z.front()), std::fabs(z.back()));
  const double edge = 2 * rope;
  std::vector<Partners> partners;
  for (const double one : z) {
    const auto count_below = [&](double limit) {
      const auto lies_below = [&](double other) { return one + other < limit; };
      return static_cast<std::size_t>(std::partition_point(z.begin(), z.end(), lies_below) -
                                      z.begin());
    };
    const auto count_up_to = [&](double limit) {
      const auto lies_up_to = [&](double other) { return one + other <= limit; };
      return static_cast<std::size_t>(std::partition_point(z.begin(), z.end(), lies_up_to) -
                                      z.begin());
    };
    partners.push_back({count_below(-edge - slack), count_up_to(-edge + slack),
                        count_below(edge - slack), count_up_to(edge + slack)});
  }
  return partners;
}

// `prior` is the place of the prior's 0 among the differences.
void DrawWeights(std::size_t prior, double prior_strength, plugin::Random& random,
                 std::vector<double>& weights) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = i == prior ? DrawGamma(prior_strength, random) : Exponential(random);
  }
}

// Shares of the samples, or weights of one of them.
struct Regions {
  double below = 0, within = 0, above = 0;
};

// Twice the weights of the regions, times the square of the sum of `weights`.
Regions WeighRegions(const std::vector<double>& weights, const std::vector<Partners>& partners,
                     bool has_rope, std::vector<double>& sums) {
  for (std::size_t i = 0; i < weights.size(); ++i) sums[i + 1] = sums[i] + weights[i];
  const double all = sums.back();
  Regions found;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Partners& p = partners[i];
    found.below += weights[i] * (sums[p.below] + sums[p.to_below]);
    found.above += weights[i] * ((all - sums[p.from_above]) + (all - sums[p.above]));
  }
  if (has_rope) found.within = 2 * all * all - found.below - found.above;
  return found;
}

void CountWinner(const Regions& weights, Regions& wins) {
  const double most = std::max({weights.below, weights.within, weights.above});
  const int winners = (weights.below == most) + (weights.within == most) + (weights.above == most);
  if (weights.below == most) wins.below += 1.0 / winners;
  if (weights.within == most) wins.within += 1.0 / winners;
  if (weights.above == most) wins.above += 1.0 / winners;
}

}  // namespace

BayesSignedRankTest BayesSignedRank(std::span<const double> differences,
                                    const BayesSignedRankOptions& options) {
  CheckFinite(kAttempt, "difference", differences);
  CheckOptions(options);
  BayesSignedRankTest test;
  test.n = static_cast<std::int64_t>(differences.size());
  if (test.n == 0) {
    test.undefined = "there are no differences";
    return test;
  }
  std::vector<double> z(differences.begin(), differences.end());
  std::sort(z.begin(), z.end());
  const auto middle = std::lower_bound(z.begin(), z.end(), 0.0);
  const auto prior = static_cast<std::size_t>(middle - z.begin());
  z.insert(middle, 0.0);
  const std::vector<Partners> partners = FindPartners(z, options.rope);
  plugin::Random random(options.seed);
  std::vector<double> weights(z.size()), sums(z.size() + 1);
  Regions wins;
  for (std::int64_t s = 0; s < options.samples; ++s) {
    StopIfCancelled(options.cancel);
    DrawWeights(prior, options.prior_strength, random, weights);
    const Regions regions = WeighRegions(weights, partners, options.rope > 0, sums);
    CountWinner(regions, wins);
    if (IsKept(s, options.samples, options.points)) {
      const double all = regions.below + regions.within + regions.above;
      test.points.push_back({regions.below / all, regions.within / all, regions.above / all});
    }
  }
  const double samples = static_cast<double>(options.samples);
  test.left = wins.below / samples;
  test.rope = wins.within / samples;
  test.right = wins.above / samples;
  test.defined = true;
  return test;
}

}  // namespace crossfold::stats
