// The curves other than the ROC curve: precision-recall, DET, lift and cost.
#include <algorithm>
#include <cmath>

#include "crossfold/cost_curve.h"
#include "crossfold/det_curve.h"
#include "crossfold/lift_curve.h"
#include "crossfold/precision_recall_curve.h"
#include "crossfold/roc_curve.h"
#include "crossfold/scored_rows.h"
#include "unit/engine/run/fixture.h"
#include "unit/engine/score/scored_fixture.h"

namespace crossfold {
namespace {

using fixture::ExpectNear;
using fixture::RandomRows;
using fixture::ReferenceRows;
using fixture::Scored;
using fixture::ScoredVector;

template <class Point>
std::vector<double> Each(const std::vector<Point>& points, double Point::*member) {
  std::vector<double> values;
  for (const Point& point : points) values.push_back(point.*member);
  return values;
}

TEST(PrecisionRecallCurveTest, HasTheAveragePrecisionsOfTheTestVectors) {
  for (const char* id : {"binary16", "binary9"}) {
    EXPECT_NEAR(DrawPrecisionRecallCurve(ScoredVector(id).view()).average_precision,
                TestVector(id).at("out").at("ap").get<double>(), 1e-9);
  }
}

// reference_curves.py: precision_recall_curve, average_precision_score.
TEST(PrecisionRecallCurveTest, AgreesWithScikitLearn) {
  const PrecisionRecallCurve curve = DrawPrecisionRecallCurve(ReferenceRows(false).view());
  ExpectNear(
      Each(curve.points, &PrecisionRecallPoint::precision),
      {0.8, 0.8333333333333334, 0.7142857142857143, 0.8, 0.75, 0.625, 0.5882352941176471, 0.5});
  ExpectNear(Each(curve.points, &PrecisionRecallPoint::recall), {0.4, 0.5, 0.5, 0.8, 0.9, 1, 1, 1});
  EXPECT_NEAR(curve.average_precision, 0.7808333333333334, 1e-12);
}

TEST(PrecisionRecallCurveTest, AgreesWithScikitLearnOnWeightedRows) {
  const PrecisionRecallCurve curve = DrawPrecisionRecallCurve(ReferenceRows(true).view());
  ExpectNear(Each(curve.points, &PrecisionRecallPoint::precision),
             {0.7142857142857143, 0.8, 0.7272727272727273, 0.8235294117647058, 0.8095238095238095,
              0.6, 0.5625, 0.42857142857142855});
  ExpectNear(Each(curve.points, &PrecisionRecallPoint::recall),
             {0.2777777777777778, 0.4444444444444444, 0.4444444444444444, 0.7777777777777778,
              0.9444444444444444, 1, 1, 1});
  EXPECT_NEAR(curve.average_precision, 0.7745098039215687, 1e-12);
}

TEST(PrecisionRecallCurveTest, HasNoPointWhereNothingIsCalledPositive) {
  const PrecisionRecallCurve curve =
      DrawPrecisionRecallCurve(Scored({.5, .7, .5, .2}, {1, 1, 0, 0}).view());
  ASSERT_EQ(curve.points.size(), 3u);
  EXPECT_EQ(curve.points[0].counts.threshold, .7);
  EXPECT_EQ(curve.points[0].recall, .5);
}

// reference_curves.py: det_curve, which leaves out the first and last steps of one error alone.
TEST(DetCurveTest, AgreesWithScikitLearn) {
  const DetCurve curve = DrawDetCurve(ReferenceRows(true).view());
  ASSERT_EQ(curve.points.size(), 9u);
  EXPECT_EQ(curve.points[2].counts.threshold, .7);
  const std::vector<double> fpr = {0.08333333333333333, 0.125, 0.125, 0.16666666666666666, 0.5};
  const std::vector<double> fnr = {0.5555555555555556, 0.5555555555555556, 0.2222222222222222,
                                   0.05555555555555555, 0};
  for (std::size_t i = 0; i < fpr.size(); ++i) {
    EXPECT_NEAR(curve.points[i + 2].fpr, fpr[i], 1e-12);
    EXPECT_NEAR(curve.points[i + 2].fnr, fnr[i], 1e-12);
  }
}

// Threshold .6: one of 5 negatives above, one of 4 positives below. scipy.stats.norm.ppf(.2),
// (.25).
TEST(DetCurveTest, HasNormalDeviatesOnlyWhereTheyExist) {
  const DetCurve curve = DrawDetCurve(ScoredVector("binary9").view());
  const DetPoint& point = curve.points[4];
  EXPECT_EQ(point.counts.threshold, .6);
  EXPECT_NEAR(point.probit_fpr, -0.8416212335729142, 1e-12);
  EXPECT_NEAR(point.probit_fnr, -0.6744897501960817, 1e-12);
  EXPECT_TRUE(std::isnan(curve.points.front().probit_fpr));  // rate 0
  EXPECT_TRUE(std::isnan(curve.points.front().probit_fnr));  // rate 1
}

// By hand: 1, 3 and 4 of 4 rows, 1, 2 and 2 of 2 positive ones.
TEST(LiftCurveTest, GivesGainsAndLift) {
  const LiftCurve curve = DrawLiftCurve(Scored({.5, .7, .5, .2}, {1, 1, 0, 0}).view());
  ExpectNear(Each(curve.points, &LiftPoint::share), {0, .25, .75, 1}, 0);
  ExpectNear(Each(curve.points, &LiftPoint::gain), {0, .5, 1, 1}, 0);
  EXPECT_TRUE(std::isnan(curve.points[0].lift));
  EXPECT_EQ(curve.points[1].lift, 2);
  EXPECT_DOUBLE_EQ(curve.points[2].lift, 4.0 / 3);
  EXPECT_EQ(curve.points[3].lift, 1);
  EXPECT_EQ(curve.area, .6875);  // .25 * .25 + .5 * .75 + .25 * 1
}

// share = p tpr + (1 - p) fpr, so the area is p / 2 + (1 - p) AUC, p being the share of positives.
TEST(LiftCurveTest, HasTheAreaThatFollowsFromTheAuc) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const OwnedScoredRows rows = RandomRows(seed, true);
    const RocCurve roc = DrawRocCurve(rows.view());
    if (!roc.defined) continue;
    const ThresholdCounts& all = roc.points.back().counts;
    const double p = all.tp / (all.tp + all.fp);
    EXPECT_NEAR(DrawLiftCurve(rows.view()).area, p / 2 + (1 - p) * roc.auc, 1e-12) << seed;
  }
}

// By hand from the hull (0,0) (0,.5) (.2,.75) (.6,1) (1,1): corners at .2/.45 and .4/.65.
TEST(CostCurveTest, HasTheEnvelopeCalculatedByHand) {
  const CostCurve curve = DrawCostCurve(ScoredVector("binary9").view());
  ExpectNear(Each(curve.points, &CostPoint::probability_cost), {0, 4.0 / 9, 8.0 / 13, 1});
  ExpectNear(Each(curve.points, &CostPoint::cost), {0, 2.0 / 9, 3.0 / 13, 0});
  ExpectNear(Each(curve.points, &CostPoint::fpr), {0, .2, .6, .6});
  ExpectNear(Each(curve.points, &CostPoint::fnr), {.5, .25, 0, 0});
  EXPECT_EQ(curve.points[0].counts.threshold, .8);
  EXPECT_EQ(curve.points[1].counts.threshold, .6);
  EXPECT_EQ(curve.points[2].counts.threshold, .3);
  EXPECT_NEAR(curve.area, 4.0 / 81 + 1060.0 / 27378 + 15.0 / 338, 1e-12);
}

// The highest point of the envelope is the equal error rate of the convex hull.
TEST(CostCurveTest, PeaksAtTheEqualErrorRateOfTheHull) {
  double peak = 0;
  for (const CostPoint& point : DrawCostCurve(ScoredVector("binary9").view()).points) {
    peak = std::max(peak, point.cost);
  }
  EXPECT_NEAR(peak, TestVector("binary9").at("out").at("eer_hull").get<double>(), 1e-9);
}

// The cheapest of all lines, threshold by threshold, at 101 places.
TEST(CostCurveTest, IsTheLowestOfAllLinesEverywhere) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const OwnedScoredRows rows = RandomRows(seed, true);
    const CostCurve curve = DrawCostCurve(rows.view());
    if (!curve.defined) continue;
    const DetCurve lines = DrawDetCurve(rows.view());
    std::size_t corner = 0;
    for (int i = 0; i <= 100; ++i) {
      const double pc = i / 100.0;
      while (corner + 2 < curve.points.size() && curve.points[corner + 1].probability_cost <= pc) {
        ++corner;
      }
      double lowest = 1;
      for (const DetPoint& line : lines.points) {
        lowest = std::min(lowest, line.fpr * (1 - pc) + line.fnr * pc);
      }
      const CostPoint& best = curve.points[corner];
      EXPECT_NEAR(best.fpr * (1 - pc) + best.fnr * pc, lowest, 1e-12) << seed << " at " << pc;
    }
  }
}

// Scores that tell nothing: call all rows the cheaper class.
TEST(CostCurveTest, IsTheTriangleForEqualScores) {
  const CostCurve curve = DrawCostCurve(Scored({.4, .4, .4}, {1, 0, 0}).view());
  ExpectNear(Each(curve.points, &CostPoint::probability_cost), {0, .5, 1}, 0);
  ExpectNear(Each(curve.points, &CostPoint::cost), {0, .5, 0}, 0);
  EXPECT_EQ(curve.area, .25);
}

TEST(CurvesTest, AreUndefinedWithOneClassOnly) {
  const OwnedScoredRows rows = Scored({.1, .2}, {1, 1});
  const std::string reason = "there is no row of the negative class";
  EXPECT_EQ(DrawPrecisionRecallCurve(rows.view()).undefined, reason);
  EXPECT_EQ(DrawDetCurve(rows.view()).undefined, reason);
  EXPECT_EQ(DrawLiftCurve(rows.view()).undefined, reason);
  EXPECT_EQ(DrawCostCurve(rows.view()).undefined, reason);
  EXPECT_TRUE(std::isnan(DrawPrecisionRecallCurve(rows.view()).average_precision));
  EXPECT_TRUE(std::isnan(DrawLiftCurve(rows.view()).area));
  EXPECT_TRUE(std::isnan(DrawCostCurve(rows.view()).area));
}

using fixture::Classes;
using fixture::ExpectError;

// Rows 4 and 1 of six; their classes of three: 1 and 1.
Prediction Probabilities() {
  Prediction p;
  p.rows = {4, 1, 2};
  p.n_classes = 3;
  p.probabilities = {.1, .7, .2, .3, .3, .4, 0, .5, .5};
  return p;
}

TEST(OneAgainstRestTest, TakesTheProbabilitiesAndRowsOfOneClass) {
  const OwnedScoredRows rows = OneAgainstRest(*Classes(6, 3), Probabilities(), 1);
  EXPECT_EQ(rows.scores, (std::vector<double>{.7, .3, .5}));
  EXPECT_EQ(rows.positive, (std::vector<std::uint8_t>{1, 1, 0}));
  EXPECT_TRUE(rows.weights.empty());
}

TEST(OneAgainstRestTest, TakesTheWeightsOfTheDataset) {
  Roles roles;
  roles.target = "class";
  roles.weights = "w";
  const auto data = Dataset::Create(
      "weighted",
      {Column::Doubles("w", {1, 2, 4}), Column::Categories("class", {0, 1, 0}, {"a", "b"})}, roles);
  Prediction p;
  p.rows = {2, 0};
  p.n_classes = 2;
  p.probabilities = {.5, .5, .25, .75};
  EXPECT_EQ(OneAgainstRest(*data, p, 1).weights, (std::vector<double>{4, 1}));
}

TEST(OneAgainstRestTest, RefusesWhatHasNoProbabilitiesOrOtherClasses) {
  const auto expect = [](const std::string& text, Prediction p, std::int64_t positive) {
    ExpectError(ErrorKind::kInvalidArgument, "cannot draw a curve: " + text,
                [&] { OneAgainstRest(*Classes(6, 3), p, positive); });
  };
  expect("there is no class 4", Probabilities(), 3);
  Prediction labels = Probabilities();
  labels.probabilities.clear();
  expect("the learner gives no probabilities, or they were not kept; use one that does", labels, 1);
  Prediction two = Probabilities();
  two.n_classes = 2;
  expect("the prediction has other classes than dataset 'classes'", two, 1);
  Prediction beyond = Probabilities();
  beyond.rows[0] = 6;
  expect("the prediction is for row 7, which is not among the 6 rows of 'classes'", beyond, 1);
  ExpectError(ErrorKind::kInvalidArgument, "cannot draw a curve: the target is not categorical",
              [&] { OneAgainstRest(*fixture::Numbers({1}, {1}), Probabilities(), 1); });
}

// Counts are multiplied: with 1e-200 an area would be 0 / 0 and an interval would have no width.
TEST(CheckScoredRowsTest, RefusesWeightsWhoseProductsAreNoNumbers) {
  const std::vector<double> scores = {.5, .5};
  const std::vector<std::uint8_t> positive = {1, 0};
  for (const double weight : {1e-60, 1e60}) {
    const std::vector<double> weights = {weight, 0};
    CheckScoredRows({scores, positive, weights});
  }
  const std::vector<double> tiny = {1, 1e-200}, huge = {1e300, 1};
  const std::string way_out =
      ", and weights other than 0 must be between 1e-60 and 1e+60; multiply them all by one number";
  ExpectError(ErrorKind::kInvalidArgument, "cannot draw a curve: weight 2 is 1e-200" + way_out,
              [&] {
                CheckScoredRows({scores, positive, tiny});
              });
  ExpectError(ErrorKind::kInvalidArgument, "cannot draw a curve: weight 1 is 1e+300" + way_out,
              [&] {
                CheckScoredRows({scores, positive, huge});
              });
}

}  // namespace
}  // namespace crossfold
