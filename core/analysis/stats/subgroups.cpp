#include "crossfold/stats/subgroups.h"

#include <algorithm>
#include <cmath>

#include "analysis/stats/refuse_argument.h"
#include "analysis/stats/sampled_units.h"
#include "crossfold/summary.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold::stats {
namespace {

constexpr char kSubgroups[] = "compare subgroups";

void CheckSubgroups(const SubgroupOptions& options) {
  CheckOpenShare(kSubgroups, "confidence", options.confidence);
  if (options.samples < 2 || options.samples > 100000) {
    RefuseArgument(kSubgroups, "samples is " + std::to_string(options.samples), "use 2 to 100000");
  }
}

// One entry per level; of each, one per sample.
struct LevelSamples {
  std::vector<std::vector<double>> scores, rests;
};

// The places of the rows of a level, or of all others.
void PickPlaces(const SubgroupDesign& design, const std::vector<std::size_t>& units,
                const std::vector<std::size_t>& times, std::size_t level, bool rest,
                std::vector<std::size_t>& places) {
  places.clear();
  for (std::size_t i = 0; i < units.size(); ++i) {
    const bool inside = design.level[i] == static_cast<std::int32_t>(level);
    if (inside != rest) places.insert(places.end(), times[units[i]], i);
  }
}

LevelSamples DrawLevels(const SubgroupDesign& design, const ScoreOfPlaces& score, bool with_rest,
                        const SubgroupOptions& options) {
  LevelSamples samples;
  samples.scores.resize(design.levels);
  samples.rests.resize(design.levels);
  const SampledUnits units = NumberUnits(design.unit);
  std::vector<std::size_t> times, places;
  const auto scored = [&] { return places.empty() ? std::nan("") : score(places); };
  for (const std::uint64_t seed : SampleSeeds(options.seed, options.samples, options.cancel)) {
    StopIfCancelled(options.cancel);
    plugin::Random random(seed);
    DrawUnits(random, units.count, times);
    for (std::size_t level = 0; level < design.levels; ++level) {
      PickPlaces(design, units.of, times, level, false, places);
      samples.scores[level].push_back(scored());
      if (!with_rest) continue;
      PickPlaces(design, units.of, times, level, true, places);
      samples.rests[level].push_back(scored());
    }
  }
  return samples;
}

std::size_t CountNotFiniteSamples(std::span<const double> samples) {
  return static_cast<std::size_t>(
      std::count_if(samples.begin(), samples.end(), [](double x) { return !std::isfinite(x); }));
}

// Why the samples do not show how a score varies; "" = they do.
std::string NoSpread(std::span<const double> samples) {
  const std::size_t bad = CountNotFiniteSamples(samples);
  if (bad > 0) {
    return "the score is undefined in " + std::to_string(bad) + " of " +
           std::to_string(samples.size()) + " samples";
  }
  const auto [low, high] = std::minmax_element(samples.begin(), samples.end());
  return *low == *high ? "every sample has the same score, so how it varies is not known" : "";
}

BootstrapInterval LevelInterval(double estimate, std::span<const double> samples,
                                double confidence) {
  const std::string reason = NoSpread(samples);
  if (reason.empty()) {
    return IntervalOfReplicates(estimate, samples, {}, BootstrapMethod::kPercentile, confidence);
  }
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  return {false, reason, estimate, kNone, kNone, kNone, kNone, kNone};
}

std::vector<double> Differences(std::span<const double> a, std::span<const double> b) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  return differences;
}

LevelTest TestDifference(double difference, std::span<const double> samples) {
  LevelTest test;
  test.undefined =
      std::isfinite(difference) ? NoSpread(samples) : "the score of the rest is undefined";
  if (!test.undefined.empty()) return test;
  const auto reached = std::count_if(samples.begin(), samples.end(), [&](double sample) {
    return std::fabs(sample - difference) >= std::fabs(difference);
  });
  test.p = (1.0 + static_cast<double>(reached)) / (1.0 + static_cast<double>(samples.size()));
  return test;
}

// Two levels: their difference, and its standard error over the samples.
struct Pair {
  double difference = 0, error = 0;
};

SubgroupGap GapOf(std::span<const double> scores, const LevelSamples& samples, double confidence) {
  SubgroupGap gap;
  if (scores.size() < 2) {
    gap.undefined = "there are fewer than 2 levels with enough rows";
    return gap;
  }
  const auto [low, high] = std::minmax_element(scores.begin(), scores.end());
  gap.estimate = *high - *low;
  for (const std::vector<double>& level : samples.scores) {
    gap.undefined = NoSpread(level);
    if (!gap.undefined.empty()) return gap;
  }
  std::vector<Pair> pairs;
  std::vector<double> largest(samples.scores[0].size(), 0);
  for (std::size_t a = 0; a < scores.size(); ++a) {
    for (std::size_t b = a + 1; b < scores.size(); ++b) {
      const std::vector<double> drawn = Differences(samples.scores[a], samples.scores[b]);
      const Pair pair{scores[a] - scores[b], Summarize(drawn).sd};
      if (!(pair.error > 0)) continue;  // the same difference in every sample
      pairs.push_back(pair);
      for (std::size_t s = 0; s < drawn.size(); ++s) {
        largest[s] = std::max(largest[s], std::fabs(drawn[s] - pair.difference) / pair.error);
      }
    }
  }
  std::sort(largest.begin(), largest.end());
  const double q = SortedQuantile(largest, confidence);
  gap.low = 0;
  gap.high = gap.estimate;
  for (const Pair& pair : pairs) {
    gap.low = std::max(gap.low, std::fabs(pair.difference) - q * pair.error);
    gap.high = std::max(gap.high, std::fabs(pair.difference) + q * pair.error);
  }
  return gap;
}

// Sums over units: of the scores S, the weights N and their products.
struct UnitSums {
  double units = 0, s = 0, n = 0, ss = 0, sn = 0, nn = 0;
  void Add(double score, double weight) {
    units += 1;
    s += score;
    n += weight;
    ss += score * score;
    sn += score * weight;
    nn += weight * weight;
  }
  UnitSums Without(const UnitSums& o) const {
    return {units - o.units, s - o.s, n - o.n, ss - o.ss, sn - o.sn, nn - o.nn};
  }
  double mean() const { return s / n; }
  // Of the mean, by the residuals S - mean N of the units.
  double variance() const {
    const double m = mean(), squares = ss - 2 * m * sn + m * m * nn;
    // What is left of equal residuals is rounding.
    return squares > 1e-12 * ss && units > 1 ? squares * units / (units - 1) / (n * n) : 0;
  }
};

double Studentized(const UnitSums& level, const UnitSums& all) {
  const UnitSums rest = all.Without(level);
  const double difference = level.mean() - rest.mean();
  const double error = std::sqrt(level.variance() + rest.variance());
  if (std::fabs(difference) <= 1e-12 * (std::fabs(level.mean()) + std::fabs(rest.mean()))) return 0;
  return std::fabs(difference) / error;  // infinite if nothing varies
}

struct SummedUnit {
  std::int32_t level = -1;
  double score = 0, weight = 0;
};

std::vector<SummedUnit> SumUnits(const SubgroupDesign& design, std::span<const double> scores,
                                 std::span<const double> weights) {
  const SampledUnits units = NumberUnits(design.unit);
  std::vector<SummedUnit> sums(units.count);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    SummedUnit& unit = sums[units.of[i]];
    const double weight = weights.empty() ? 1 : weights[i];
    unit.level = design.level[i];
    unit.score += weight * scores[i];
    unit.weight += weight;
  }
  return sums;
}

std::vector<double> StatisticsOf(const std::vector<SummedUnit>& units,
                                 std::span<const std::int32_t> level, std::size_t levels) {
  UnitSums all;
  std::vector<UnitSums> sums(levels);
  for (std::size_t u = 0; u < units.size(); ++u) {
    all.Add(units[u].score, units[u].weight);
    if (level[u] >= 0)
      sums[static_cast<std::size_t>(level[u])].Add(units[u].score, units[u].weight);
  }
  std::vector<double> statistics;
  for (const UnitSums& sum : sums) statistics.push_back(Studentized(sum, all));
  return statistics;
}

}  // namespace

SubgroupBootstrap BootstrapSubgroups(const SubgroupDesign& design, const ScoreOfPlaces& score,
                                     bool with_tests, const SubgroupOptions& options) {
  CheckSubgroups(options);
  const LevelSamples samples = DrawLevels(design, score, with_tests, options);
  SubgroupBootstrap answer;
  const std::vector<std::size_t> once(design.unit.size(), 1);
  std::vector<std::size_t> rows(design.unit.size()), places;
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  std::vector<double> scores;
  for (std::size_t level = 0; level < design.levels; ++level) {
    PickPlaces(design, rows, once, level, false, places);
    scores.push_back(score(places));
    answer.levels.push_back(
        LevelInterval(scores.back(), samples.scores[level], options.confidence));
    if (!with_tests) continue;
    PickPlaces(design, rows, once, level, true, places);
    const double rest = places.empty() ? std::nan("") : score(places);
    answer.tests.push_back(TestDifference(
        scores.back() - rest, Differences(samples.scores[level], samples.rests[level])));
  }
  answer.gap = GapOf(scores, samples, options.confidence);
  return answer;
}

std::vector<LevelTest> PermuteSubgroups(const SubgroupDesign& design,
                                        std::span<const double> scores,
                                        std::span<const double> weights,
                                        const SubgroupOptions& options) {
  CheckSubgroups(options);
  const std::vector<SummedUnit> units = SumUnits(design, scores, weights);
  std::vector<std::int32_t> level;
  for (const SummedUnit& unit : units) level.push_back(unit.level);
  const std::vector<double> found = StatisticsOf(units, level, design.levels);
  std::vector<std::int64_t> reached(design.levels, 0);
  for (const std::uint64_t seed : SampleSeeds(options.seed, options.samples, options.cancel)) {
    StopIfCancelled(options.cancel);
    plugin::Random random(seed);
    random.Shuffle(std::span(level));
    const std::vector<double> drawn = StatisticsOf(units, level, design.levels);
    for (std::size_t j = 0; j < design.levels; ++j) {
      // Equal statistics may differ in the last bits of their sums.
      reached[j] += drawn[j] >= found[j] * (1 - 1e-9) ? 1 : 0;
    }
  }
  std::vector<LevelTest> tests;
  for (std::size_t j = 0; j < design.levels; ++j) {
    LevelTest test;
    if (std::isnan(found[j])) {
      test.undefined = "there are no other rows";
    } else {
      test.p =
          (1.0 + static_cast<double>(reached[j])) / (1.0 + static_cast<double>(options.samples));
    }
    tests.push_back(test);
  }
  return tests;
}

}  // namespace crossfold::stats
