#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "crossfold/best_threshold.h"
#include "crossfold/decision.h"
#include "crossfold/decision_curve.h"
#include "unit/engine/data/refusal.h"
#include "unit/engine/score/scored_fixture.h"

namespace crossfold {
namespace {

using fixture::RandomRows;
using fixture::ReferenceRows;
using fixture::Scored;
using fixture::Shuffled;

// df_binary of MSKCC-Epi-Bio/dcurves: 750 rows, by family history and cancer.
OwnedScoredRows FamilyHistory() {
  OwnedScoredRows rows;
  const auto add = [&](int n, double score, std::uint8_t positive) {
    rows.scores.insert(rows.scores.end(), static_cast<std::size_t>(n), score);
    rows.positive.insert(rows.positive.end(), static_cast<std::size_t>(n), positive);
  };
  add(554, 0, 0);
  add(81, 0, 1);
  add(91, 1, 0);
  add(24, 1, 1);
  return rows;
}

// net_benefit.csv of the same project.
TEST(DecisionCurveTest, AgreesWithDcurves) {
  const DecisionCurve curve =
      DrawDecisionCurve(FamilyHistory().view(), {.thresholds = {.05, .2}, .samples = 0});
  EXPECT_NEAR(curve.points.at(0).treat_all, .0947368421, 5e-11);
  EXPECT_NEAR(curve.points.at(0).net_benefit, .0256140351, 5e-11);
  EXPECT_NEAR(curve.points.at(1).treat_all, -.075, 5e-11);
  EXPECT_NEAR(curve.points.at(1).net_benefit, .0016666667, 5e-11);
  EXPECT_NEAR(curve.points.at(0).gain, .0256140351 - .0947368421, 1e-10);
  EXPECT_NEAR(curve.points.at(1).gain, .0016666667, 5e-11);
  EXPECT_EQ(curve.points.at(0).tp, 24);
  EXPECT_EQ(curve.points.at(0).fp, 91);
  EXPECT_NEAR(curve.prevalence, .14, 1e-15);
}

// TP/n - FP/n t / (1 - t), counted row by row.
TEST(DecisionCurveTest, CountsTheRowsThatReachAThreshold) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const OwnedScoredRows rows = RandomRows(seed, seed % 2 == 0);
    const DecisionCurve curve = DrawDecisionCurve(rows.view(), {.samples = 0});
    EXPECT_EQ(curve.defined, fixture::HasBothClasses(rows));
    for (const DecisionPoint& point : curve.points) {
      double tp = 0, fp = 0, n = 0;
      for (std::size_t i = 0; i < rows.scores.size(); ++i) {
        const double w = rows.view().weight(i);
        n += w;
        if (rows.scores[i] >= point.threshold) (rows.positive[i] != 0 ? tp : fp) += w;
      }
      EXPECT_NEAR(point.net_benefit, tp / n - fp / n * point.threshold / (1 - point.threshold),
                  1e-12);
      EXPECT_NEAR(point.gain, point.net_benefit - std::max(0.0, point.treat_all), 1e-15);
    }
  }
}

// Case-control data: three times the negative rows are as the same rows with the prevalence that
// these would have.
TEST(DecisionCurveTest, APrevalenceReplacesThatOfTheData) {
  OwnedScoredRows weighted = ReferenceRows(false);
  double positives = 0, total = 0;
  for (const std::uint8_t positive : weighted.positive) {
    weighted.weights.push_back(positive != 0 ? 1 : 3);
    positives += positive;
    total += weighted.weights.back();
  }
  const DecisionCurve a = DrawDecisionCurve(weighted.view(), {.samples = 0});
  const DecisionCurve b = DrawDecisionCurve(ReferenceRows(false).view(),
                                            {.prevalence = positives / total, .samples = 0});
  for (std::size_t t = 0; t < a.points.size(); ++t) {
    EXPECT_NEAR(a.points[t].net_benefit, b.points[t].net_benefit, 1e-12);
    EXPECT_NEAR(a.points[t].treat_all, b.points[t].treat_all, 1e-12);
  }
}

// At threshold 1/2 the net benefit of 400 rows is (TP - FP) / 400. Per row it is 1, -1 or 0 with
// probability .4, .1 and .5, so that its standard error is sqrt((.5 - .09) / 400) = .0320.
TEST(DecisionCurveTest, IntervalsHaveTheWidthOfTheNormalApproximation) {
  std::vector<double> scores(400, .2);
  std::fill_n(scores.begin(), 200, .8);
  std::vector<int> positive(400, 0);
  std::fill_n(positive.begin(), 160, 1);
  const DecisionPoint point =
      DrawDecisionCurve(Scored(scores, positive).view(), {.thresholds = {.5}, .samples = 10000})
          .points.at(0);
  EXPECT_NEAR(point.net_benefit, .3, 1e-12);
  EXPECT_NEAR(point.low, .3 - 1.96 * .0320, .004);
  EXPECT_NEAR(point.high, .3 + 1.96 * .0320, .004);
}

TEST(DecisionCurveTest, GroupsAndRepeatedRowsAreDrawnWhole) {
  OwnedScoredRows rows = ReferenceRows(false);
  rows.groups.assign(rows.scores.size(), 1);
  const DecisionCurve grouped = DrawDecisionCurve(rows.view(), {.samples = 20});
  for (const DecisionPoint& point : grouped.points) EXPECT_EQ(point.low, point.high);
  OwnedScoredRows once = ReferenceRows(false), twice;
  for (std::size_t i = 0; i < once.scores.size(); ++i) {
    once.rows.push_back(static_cast<std::int64_t>(i));
    for (int repeat = 0; repeat < 2; ++repeat) {
      twice.scores.push_back(once.scores[i]);
      twice.positive.push_back(once.positive[i]);
      twice.rows.push_back(static_cast<std::int64_t>(i));
    }
  }
  const DecisionCurve a = DrawDecisionCurve(once.view()), b = DrawDecisionCurve(twice.view());
  for (std::size_t t = 0; t < a.points.size(); ++t) {
    EXPECT_NEAR(a.points[t].low, b.points[t].low, 1e-12);
    EXPECT_NEAR(a.points[t].gain_high, b.points[t].gain_high, 1e-12);
  }
}

TEST(DecisionCurveTest, DoesNotDependOnTheOrderOfTheRows) {
  const OwnedScoredRows rows = ReferenceRows(true), shuffled = Shuffled(rows, 5);
  const DecisionCurve a = DrawDecisionCurve(rows.view(), {.samples = 50});
  const DecisionCurve b = DrawDecisionCurve(shuffled.view(), {.samples = 50});
  for (std::size_t t = 0; t < a.points.size(); ++t) {
    EXPECT_EQ(a.points[t].net_benefit, b.points[t].net_benefit);
    EXPECT_EQ(a.points[t].low, b.points[t].low);
    EXPECT_EQ(a.points[t].gain_high, b.points[t].gain_high);
  }
}

TEST(DecisionCurveTest, NeedsBothClassesProbabilitiesAndThresholdsInOrder) {
  EXPECT_EQ(DrawDecisionCurve(Scored({.5}, {1}).view()).undefined,
            "there is no row of the negative class");
  const OwnedScoredRows rows = ReferenceRows(false);
  EXPECT_EQ(test::MessageOf([&] {
              DrawDecisionCurve(rows.view(), {.thresholds = {.5, .5}});
            }),
            "cannot draw a decision curve: the thresholds do not ascend; sort them");
  EXPECT_EQ(test::MessageOf([&] { DrawDecisionCurve(rows.view(), {.thresholds = {1}}); }),
            "cannot draw a decision curve: a threshold is 1; it must be between 0 and 1");
  EXPECT_EQ(test::MessageOf([&] { DrawDecisionCurve(rows.view(), {.prevalence = 0}); }),
            "cannot draw a decision curve: prevalence is 0; it must be between 0 and 1");
  EXPECT_EQ(test::MessageOf([&] { DrawDecisionCurve(rows.view(), {.samples = 1}); }),
            "cannot draw a decision curve: samples is 1; use 2 to 10000, or 0 for none");
  EXPECT_EQ(test::MessageOf([] {
              DrawDecisionCurve(Scored({2, .5}, {1, 0}).view());
            }),
            "cannot draw a decision curve: score 1 is 2, which is not a probability; calibrate the "
            "scores first");
}

using Codes = std::vector<std::int32_t>;

Prediction TwoClasses(const std::vector<double>& of_second) {
  Prediction p;
  p.n_classes = 2;
  for (std::size_t i = 0; i < of_second.size(); ++i) {
    p.rows.push_back(static_cast<std::int64_t>(i));
    p.labels.push_back(0);
    p.probabilities.insert(p.probabilities.end(), {1 - of_second[i], of_second[i]});
  }
  return p;
}

TEST(DecideByThresholdTest, TheThresholdItselfIsPositive) {
  const Prediction p = TwoClasses({.25, .5, .75});
  const Prediction decided = DecideByThreshold(p, 1, .5);
  EXPECT_EQ(decided.labels, (Codes{0, 1, 1}));
  EXPECT_EQ(decided.probabilities, p.probabilities);
  EXPECT_EQ(DecideByThreshold(p, 0, .5).labels, (Codes{0, 0, 1}));
}

TEST(DecideByThresholdTest, InfinityCallsOneClassAlways) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Prediction p = TwoClasses({0, 1});
  EXPECT_EQ(DecideByThreshold(p, 1, kInfinity).labels, (Codes{0, 0}));
  EXPECT_EQ(DecideByThreshold(p, 1, -kInfinity).labels, (Codes{1, 1}));
}

TEST(DecideByThresholdTest, OtherClassesAndNaNAreRefused) {
  const Refusal refusal = InvalidArgument(
      "cannot decide by a threshold: it takes two classes, one of them positive, and a number; "
      "decide by costs instead");
  Prediction three = TwoClasses({.5, .5, .5});
  three.n_classes = 3;
  three.rows = {0, 1};
  EXPECT_EQ(RefusalOf([&] { DecideByThreshold(three, 1, .5); }), refusal);
  EXPECT_EQ(RefusalOf([] { DecideByThreshold(TwoClasses({.5}), 2, .5); }), refusal);
  EXPECT_EQ(RefusalOf([] { DecideByThreshold(TwoClasses({.5}), 1, NAN); }), refusal);
}

TEST(DecideByCostTest, AFivefoldMissMovesTheBorderToASixth) {
  const Prediction decided =
      DecideByCost(TwoClasses({.1, .16, .17, .9}), std::vector<double>{0, 1, 5, 0});
  EXPECT_EQ(decided.labels, (Codes{0, 0, 1, 1}));
}

TEST(DecideByCostTest, ThereMustBeProbabilities) {
  Prediction p = TwoClasses({.5});
  p.probabilities.clear();
  EXPECT_EQ(RefusalOf([&] {
              DecideByCost(p, std::vector<double>{0, 1, 1, 0});
            }),
            InvalidArgument("cannot decide by costs: the prediction has no probabilities; use a "
                            "learner that gives them"));
}

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
  EXPECT_EQ(test::MessageOf([] { FindBestThreshold({}, {.beta = 0}); }),
            "cannot choose a threshold: beta is 0; use a number above 0");
  EXPECT_EQ(test::MessageOf([] {
              FindBestThreshold({}, {.costs = {{{0, NAN}, {1, 0}}}});
            }),
            "cannot choose a threshold: a cost is not finite");
}

}  // namespace
}  // namespace crossfold
