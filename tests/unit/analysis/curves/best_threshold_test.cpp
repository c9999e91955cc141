#include "crossfold/best_threshold.h"

#include <algorithm>
#include <cmath>

#include "unit/engine/score/scored_fixture.h"

namespace crossfold {
namespace {

using fixture::MessageOf;
using fixture::RandomRows;
using fixture::Scored;
using fixture::ScoredVector;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ThresholdCounts CountAt(const ScoredRows& rows, double threshold) {
  ThresholdCounts c{threshold, 0, 0, 0, 0};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool called = rows.scores[i] >= threshold;
    double& cell = rows.positive[i] != 0 ? (called ? c.tp : c.fn) : (called ? c.fp : c.tn);
    cell += rows.weight(i);
  }
  return c;
}

// Formulas in their textbook forms, which differ from those of the code.
double Textbook(const ThresholdChoice& choice, const ThresholdCounts& c) {
  const double precision = c.tp / (c.tp + c.fp), recall = c.tp / (c.tp + c.fn);
  const double specificity = c.tn / (c.tn + c.fp), b2 = choice.beta * choice.beta;
  const double total = c.tp + c.fp + c.tn + c.fn;
  switch (choice.goal) {
    case ThresholdGoal::kAccuracy:
      return 1 - (c.fp + c.fn) / total;
    case ThresholdGoal::kFBeta:
      return c.tp == 0 ? 0 : (1 + b2) * precision * recall / (b2 * precision + recall);
    case ThresholdGoal::kYouden:
      return recall + specificity - 1;
    case ThresholdGoal::kBalancedAccuracy:
      return (recall + specificity) / 2;
    case ThresholdGoal::kMatthews:
      return (c.tp * c.tn - c.fp * c.fn) / std::sqrt(c.tp + c.fp) / std::sqrt(c.tp + c.fn) /
             std::sqrt(c.tn + c.fp) / std::sqrt(c.tn + c.fn);
    case ThresholdGoal::kCost:
      return (choice.costs[0][0] * c.tn + choice.costs[0][1] * c.fp + choice.costs[1][0] * c.fn +
              choice.costs[1][1] * c.tp) /
             total;
  }
  return NAN;
}

// Every threshold between two scores, and the two beyond all scores, from the highest down.
std::vector<double> Candidates(const ScoredRows& rows) {
  std::vector<double> scores;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows.weight(i) > 0) scores.push_back(rows.scores[i]);
  }
  std::sort(scores.rbegin(), scores.rend());
  scores.erase(std::unique(scores.begin(), scores.end()), scores.end());
  std::vector<double> candidates = {kInfinity};
  for (std::size_t i = 1; i < scores.size(); ++i) {
    candidates.push_back((scores[i - 1] + scores[i]) / 2);
  }
  candidates.push_back(-kInfinity);
  return candidates;
}

const ThresholdChoice kChoices[] = {
    {.goal = ThresholdGoal::kAccuracy},
    {.goal = ThresholdGoal::kFBeta},
    {.goal = ThresholdGoal::kFBeta, .beta = 2},
    {.goal = ThresholdGoal::kYouden},
    {.goal = ThresholdGoal::kBalancedAccuracy},
    {.goal = ThresholdGoal::kMatthews},
    {.goal = ThresholdGoal::kCost, .costs = {{{0, 1}, {5, 0}}}},
    {.goal = ThresholdGoal::kCost, .costs = {{{-1, 2}, {3, -2}}}},
};

TEST(BestThresholdTest, AgreesWithTryingEveryThreshold) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const OwnedScoredRows rows = RandomRows(seed, seed % 2 == 1);
    if (!fixture::HasBothClasses(rows)) continue;
    for (const ThresholdChoice& choice : kChoices) {
      const double sign = choice.goal == ThresholdGoal::kCost ? -1 : 1;
      double best = NAN, threshold = NAN;
      for (const double candidate : Candidates(rows.view())) {
        const double value = Textbook(choice, CountAt(rows.view(), candidate));
        if (std::isnan(value) || (!std::isnan(best) && sign * value <= sign * best + 1e-12)) {
          continue;
        }
        best = value;
        threshold = candidate;
      }
      const BestThreshold found = FindBestThreshold(rows.view(), choice);
      ASSERT_EQ(found.defined, !std::isnan(best)) << seed;
      if (!found.defined) continue;
      EXPECT_NEAR(found.value, best, 1e-12) << seed;
      EXPECT_DOUBLE_EQ(found.counts.threshold, threshold)
          << seed << " goal " << static_cast<int>(choice.goal);
      const ThresholdCounts counted = CountAt(rows.view(), found.counts.threshold);
      EXPECT_EQ(found.counts.tp, counted.tp);
      EXPECT_EQ(found.counts.fp, counted.fp);
      EXPECT_EQ(found.counts.tn, counted.tn);
      EXPECT_EQ(found.counts.fn, counted.fn);
    }
  }
}

// frameworks.md 4.10, second vector, costs [[0,1],[5,0]]: threshold 1/6 costs 4, .4444444 a row;
// calling .3 and above positive costs 3, which is the least.
TEST(BestThresholdTest, MinimisesCostsOnTheReferenceVector) {
  const BestThreshold best = FindBestThreshold(ScoredVector("binary9").view(), kChoices[6]);
  EXPECT_DOUBLE_EQ(best.counts.threshold, .25);
  EXPECT_DOUBLE_EQ(best.value, 3.0 / 9);
  EXPECT_EQ(best.counts.fp, 3);
  EXPECT_EQ(best.counts.fn, 0);
}

// J is 1/2 - 0 for .9 and above, and 1 - 1/2 for .3 and above.
TEST(BestThresholdTest, GivesEqualValuesToTheHighestThreshold) {
  const OwnedScoredRows rows = Scored({.9, .7, .3, .1}, {1, 0, 1, 0});
  const BestThreshold best = FindBestThreshold(rows.view(), {.goal = ThresholdGoal::kYouden});
  EXPECT_DOUBLE_EQ(best.counts.threshold, .8);
  EXPECT_EQ(best.value, .5);
}

// 1/3 - 0 and 2/3 - 1/3 differ in the last bit as doubles, but not as numbers.
TEST(BestThresholdTest, SeesThatValuesAreEqualDespiteRounding) {
  const OwnedScoredRows rows = Scored({.9, .8, .7, .6, .5, .4}, {1, 0, 1, 0, 0, 1});
  const BestThreshold best = FindBestThreshold(rows.view(), {.goal = ThresholdGoal::kYouden});
  EXPECT_DOUBLE_EQ(best.counts.threshold, .85);
}

TEST(BestThresholdTest, IsInfiniteWhereAllRowsAreCalledOneClass) {
  const OwnedScoredRows rows = Scored({.9, .1}, {0, 0});
  EXPECT_EQ(FindBestThreshold(rows.view(), {}).counts.threshold, kInfinity);
  const OwnedScoredRows positive = Scored({.9, .1}, {1, 1});
  EXPECT_EQ(FindBestThreshold(positive.view(), {}).counts.threshold, -kInfinity);
  EXPECT_EQ(FindBestThreshold(positive.view(), {}).value, 1);
}

TEST(BestThresholdTest, StaysAboveTheLowerOfNeighbouringDoubles) {
  const double low = .5, high = std::nextafter(.5, 1);
  const BestThreshold best = FindBestThreshold(Scored({low, high}, {0, 1}).view(), {});
  EXPECT_EQ(best.counts.threshold, high);
  EXPECT_EQ(best.value, 1);
}

TEST(BestThresholdTest, IsUndefinedWithTheReason) {
  const auto reason = [](const OwnedScoredRows& rows, ThresholdGoal goal) {
    return FindBestThreshold(rows.view(), {.goal = goal}).undefined;
  };
  EXPECT_EQ(reason({}, ThresholdGoal::kAccuracy), "there are no rows");
  EXPECT_EQ(reason(Scored({.5}, {1}, {0}), ThresholdGoal::kCost), "all rows have weight 0");
  EXPECT_EQ(reason(Scored({.5}, {0}), ThresholdGoal::kFBeta),
            "there is no row of the positive class");
  EXPECT_EQ(reason(Scored({.5}, {1}), ThresholdGoal::kFBeta), "");
  EXPECT_EQ(reason(Scored({.5}, {1}), ThresholdGoal::kYouden),
            "there is no row of the negative class");
  EXPECT_EQ(reason(Scored({.5}, {1}), ThresholdGoal::kBalancedAccuracy),
            "there is no row of the negative class");
  EXPECT_EQ(reason(Scored({.5, .5}, {0, 1}), ThresholdGoal::kMatthews),
            "every threshold calls all rows one class");
  EXPECT_TRUE(std::isnan(FindBestThreshold({}, {}).value));
  EXPECT_TRUE(std::isnan(FindBestThreshold({}, {}).counts.threshold));
}

TEST(BestThresholdTest, RefusesOptionsOutOfRange) {
  EXPECT_EQ(MessageOf([] { FindBestThreshold({}, {.beta = 0}); }),
            "cannot choose a threshold: beta is 0; use a number above 0");
  EXPECT_EQ(MessageOf([] {
              FindBestThreshold({}, {.costs = {{{0, NAN}, {1, 0}}}});
            }),
            "cannot choose a threshold: a cost is not finite");
}

}  // namespace
}  // namespace crossfold
