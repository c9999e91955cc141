#include "crossfold/decision_curve.h"

#include <algorithm>
#include <cmath>

#include "unit/engine/score/scored_fixture.h"

namespace crossfold {
namespace {

using fixture::MessageOf;
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
  EXPECT_EQ(MessageOf([&] {
              DrawDecisionCurve(rows.view(), {.thresholds = {.5, .5}});
            }),
            "cannot draw a decision curve: the thresholds do not ascend; sort them");
  EXPECT_EQ(MessageOf([&] { DrawDecisionCurve(rows.view(), {.thresholds = {1}}); }),
            "cannot draw a decision curve: a threshold is 1; it must be between 0 and 1");
  EXPECT_EQ(MessageOf([&] { DrawDecisionCurve(rows.view(), {.prevalence = 0}); }),
            "cannot draw a decision curve: prevalence is 0; it must be between 0 and 1");
  EXPECT_EQ(MessageOf([&] { DrawDecisionCurve(rows.view(), {.samples = 1}); }),
            "cannot draw a decision curve: samples is 1; use 2 to 10000, or 0 for none");
  EXPECT_EQ(MessageOf([] {
              DrawDecisionCurve(Scored({2, .5}, {1, 0}).view());
            }),
            "cannot draw a decision curve: score 1 is 2, which is not a probability; calibrate the "
            "scores first");
}

}  // namespace
}  // namespace crossfold
