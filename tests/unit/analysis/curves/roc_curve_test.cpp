#include <cmath>

#include "crossfold/roc_average.h"
#include "crossfold/roc_curve.h"
#include "unit/engine/score/scored_fixture.h"

namespace crossfold {
namespace {

using fixture::ExpectNear;
using fixture::RandomRows;
using fixture::ReferenceRows;
using fixture::Scored;
using fixture::ScoredVector;

template <class Get>
std::vector<double> Each(const std::vector<RocPoint>& points, Get get) {
  std::vector<double> values;
  for (const RocPoint& point : points) values.push_back(get(point));
  return values;
}
double Fpr(const RocPoint& point) { return point.fpr; }
double Tpr(const RocPoint& point) { return point.tpr; }

// P(positive above negative) + P(equal) / 2, pair by pair.
double MannWhitney(const ScoredRows& rows) {
  double wins = 0, pairs = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows.size(); ++j) {
      if (rows.positive[i] == 0 || rows.positive[j] == 1) continue;
      const double w = rows.weight(i) * rows.weight(j);
      pairs += w;
      if (rows.scores[i] > rows.scores[j]) wins += w;
      if (rows.scores[i] == rows.scores[j]) wins += w / 2;
    }
  }
  return wins / pairs;
}

TEST(RocCurveTest, HasTheAreasOfTheTestVectors) {
  EXPECT_NEAR(DrawRocCurve(ScoredVector("binary16").view()).auc,
              TestVector("binary16").at("out").at("auc").get<double>(), 1e-9);
  const VectorValue expected = TestVector("binary9").at("out");
  EXPECT_NEAR(DrawRocCurve(ScoredVector("binary9").view()).auc, expected.at("auc").get<double>(),
              1e-9);
  EXPECT_NEAR(DrawRocCurve(ScoredVector("binary9", true).view()).auc,
              expected.at("auc_weighted").get<double>(), 1e-9);
}

// 4 pairs: 1/2 + 1 + 1 + 1.
TEST(RocCurveTest, CountsEqualScoresAsOneHalf) {
  const RocCurve curve = DrawRocCurve(Scored({.5, .7, .5, .2}, {1, 1, 0, 0}).view());
  EXPECT_EQ(curve.auc, 0.875);
  ExpectNear(Each(curve.points, Fpr), {0, 0, .5, 1}, 0);
  ExpectNear(Each(curve.points, Tpr), {0, .5, 1, 1}, 0);
}

// reference_curves.py: roc_curve(drop_intermediate=False), roc_auc_score.
TEST(RocCurveTest, AgreesWithScikitLearn) {
  const RocCurve curve = DrawRocCurve(ReferenceRows(false).view());
  ExpectNear(Each(curve.points, Fpr), {0, 0.1, 0.1, 0.2, 0.2, 0.3, 0.6, 0.7, 1});
  ExpectNear(Each(curve.points, Tpr), {0, 0.4, 0.5, 0.5, 0.8, 0.9, 1, 1, 1});
  EXPECT_NEAR(curve.auc, 0.84, 1e-12);
  EXPECT_EQ(curve.points[0].counts.threshold, std::numeric_limits<double>::infinity());
  EXPECT_EQ(curve.points[1].counts.threshold, 0.9);
}

TEST(RocCurveTest, AgreesWithScikitLearnOnWeightedRows) {
  const RocCurve curve = DrawRocCurve(ReferenceRows(true).view());
  ExpectNear(Each(curve.points, Fpr), {0, 0.08333333333333333, 0.08333333333333333, 0.125, 0.125,
                                       0.16666666666666666, 0.5, 0.5833333333333334, 1});
  ExpectNear(Each(curve.points, Tpr),
             {0, 0.2777777777777778, 0.4444444444444444, 0.4444444444444444, 0.7777777777777778,
              0.9444444444444444, 1, 1, 1});
  EXPECT_NEAR(curve.auc, 0.8900462962962963, 1e-12);
}

TEST(RocCurveTest, RisesFromTheOriginToOneAndHasTheMannWhitneyArea) {
  int drawn = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const OwnedScoredRows rows = RandomRows(seed, seed % 2 == 1);
    const RocCurve curve = DrawRocCurve(rows.view());
    ASSERT_EQ(curve.defined, fixture::HasBothClasses(rows)) << seed;
    if (!curve.defined) continue;
    ++drawn;
    EXPECT_EQ(Fpr(curve.points.front()), 0);
    EXPECT_EQ(Tpr(curve.points.front()), 0);
    EXPECT_EQ(Fpr(curve.points.back()), 1);
    EXPECT_EQ(Tpr(curve.points.back()), 1);
    for (std::size_t i = 1; i < curve.points.size(); ++i) {
      const RocPoint &a = curve.points[i - 1], &b = curve.points[i];
      EXPECT_TRUE(a.fpr <= b.fpr && a.tpr <= b.tpr && (a.fpr < b.fpr || a.tpr < b.tpr)) << seed;
      EXPECT_GT(a.counts.threshold, b.counts.threshold);
    }
    EXPECT_NEAR(curve.auc, MannWhitney(rows.view()), 1e-12) << seed;
  }
  EXPECT_GT(drawn, 200);
}

TEST(RocCurveTest, DoesNotDependOnTheOrderOfTheRows) {
  OwnedScoredRows rows = RandomRows(4, true);
  for (double& weight : rows.weights) weight = weight / 3 + 0.1;  // sums that round
  const RocCurve curve = DrawRocCurve(rows.view());
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RocCurve other = DrawRocCurve(fixture::Shuffled(rows, seed).view());
    ExpectNear(Each(other.points, Fpr), Each(curve.points, Fpr), 0);
    ExpectNear(Each(other.points, Tpr), Each(curve.points, Tpr), 0);
    EXPECT_EQ(other.auc, curve.auc);
  }
}

TEST(RocCurveTest, DependsOnTheRanksOfTheScoresOnly) {
  OwnedScoredRows rows = RandomRows(6, true);
  const RocCurve curve = DrawRocCurve(rows.view());
  for (double& score : rows.scores) score = std::exp(3 * score) - 7;
  const RocCurve other = DrawRocCurve(rows.view());
  ExpectNear(Each(other.points, Fpr), Each(curve.points, Fpr), 0);
  ExpectNear(Each(other.points, Tpr), Each(curve.points, Tpr), 0);
  EXPECT_EQ(other.auc, curve.auc);
}

TEST(RocCurveTest, TakesWeightsAsRepetitions) {
  const RocCurve weighted =
      DrawRocCurve(Scored({.8, .6, .4, .4}, {1, 0, 1, 0}, {2, 1, 1, 3}).view());
  const RocCurve repeated =
      DrawRocCurve(Scored({.8, .8, .6, .4, .4, .4, .4}, {1, 1, 0, 1, 0, 0, 0}).view());
  ExpectNear(Each(weighted.points, Fpr), Each(repeated.points, Fpr), 0);
  ExpectNear(Each(weighted.points, Tpr), Each(repeated.points, Tpr), 0);
  EXPECT_EQ(weighted.auc, repeated.auc);
}

TEST(RocCurveTest, LeavesOutRowsOfWeightZero) {
  const RocCurve curve = DrawRocCurve(Scored({.9, .8, .7, .6}, {1, 0, 1, 0}, {1, 1, 0, 1}).view());
  ASSERT_EQ(curve.points.size(), 4u);
  EXPECT_EQ(curve.auc, 1);
}

// (0,0) (0,1/2) (0,1) and then steps of 1/3 along the top.
TEST(RocCurveTest, DropsCollinearPointsAndNothingElse) {
  const OwnedScoredRows rows = Scored({.9, .8, .7, .6, .5}, {1, 1, 0, 0, 0});
  const RocCurve curve = DrawRocCurve(rows.view(), true);
  ExpectNear(Each(curve.points, Fpr), {0, 0, 1}, 0);
  ExpectNear(Each(curve.points, Tpr), {0, 1, 1}, 0);
  EXPECT_EQ(curve.auc, DrawRocCurve(rows.view()).auc);
}

// frameworks.md 4.10: the hull of the second vector.
TEST(RocCurveTest, HasTheConvexHullOfTheReference) {
  const auto hull = ConvexHull(DrawRocCurve(ScoredVector("binary9").view()));
  ExpectNear(Each(hull, Fpr), {0, 0, .2, .6, 1});
  ExpectNear(Each(hull, Tpr), {0, .5, .75, 1, 1});
}

// .2 * .625 + .4 * .875 + .4 * 1
TEST(RocCurveTest, GivesTheAreaUnderAnyPoints) {
  const RocCurve curve = DrawRocCurve(ScoredVector("binary9").view());
  EXPECT_NEAR(AreaUnder(ConvexHull(curve)), .875, 1e-12);
  EXPECT_NEAR(AreaUnder(curve.points), curve.auc, 1e-12);
  EXPECT_EQ(AreaUnder({}), 0);
}

TEST(RocCurveTest, LiesNowhereAboveItsConvexHull) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const RocCurve curve = DrawRocCurve(RandomRows(seed, true).view());
    const std::vector<RocPoint> hull = ConvexHull(curve);
    for (std::size_t h = 1; h < hull.size(); ++h) {
      const double dx = hull[h].fpr - hull[h - 1].fpr, dy = hull[h].tpr - hull[h - 1].tpr;
      for (const RocPoint& p : curve.points) {
        EXPECT_LE(dx * (p.tpr - hull[h - 1].tpr) - dy * (p.fpr - hull[h - 1].fpr), 1e-12) << seed;
      }
    }
  }
}

TEST(RocCurveTest, IsUndefinedWithTheReason) {
  EXPECT_EQ(DrawRocCurve({}).undefined, "there are no rows");
  EXPECT_EQ(DrawRocCurve(Scored({.1, .2}, {0, 1}, {0, 0}).view()).undefined,
            "all rows have weight 0");
  EXPECT_EQ(DrawRocCurve(Scored({.1, .2}, {0, 0}).view()).undefined,
            "there is no row of the positive class");
  EXPECT_EQ(DrawRocCurve(Scored({.1, .2}, {1, 0}, {1, 0}).view()).undefined,
            "there is no row of the negative class");
  EXPECT_TRUE(std::isnan(DrawRocCurve({}).auc));
  EXPECT_TRUE(ConvexHull(DrawRocCurve({})).empty());
}

TEST(RocCurveTest, RefusesRowsThatAreNone) {
  const auto message = [](const OwnedScoredRows& rows) {
    return test::MessageOf([&] { DrawRocCurve(rows.view()); });
  };
  EXPECT_EQ(message(Scored({.1, .2}, {1})),
            "cannot draw a curve: there are 2 scores but 1 true classes; give one of each per row");
  EXPECT_EQ(message(Scored({.1, .2}, {1, 0}, {1})),
            "cannot draw a curve: there are 2 scores but 1 weights; give one of each per row");
  EXPECT_EQ(message(Scored({.1, std::nan("")}, {1, 0})),
            "cannot draw a curve: score 2 is not finite; leave the row out");
  EXPECT_EQ(message(Scored({.1, .2}, {1, 2})),
            "cannot draw a curve: true class 2 is neither 0 nor 1");
  EXPECT_EQ(message(Scored({.1, .2}, {1, 0}, {-1, 1})),
            "cannot draw a curve: weight 1 is negative or not finite; use 0 for rows that do not "
            "count");
}

// (0,0) (0,1/2) (1/2,1/2) (1/2,1) (1,1), area 3/4; and (0,0) (1,0) (1,1), area 0.
std::vector<RocCurve> TwoCurves() {
  return {DrawRocCurve(Scored({.9, .4, .6, .2}, {1, 1, 0, 0}).view()),
          DrawRocCurve(Scored({.3, .8}, {1, 0}).view())};
}

TEST(RocAverageTest, TakesTheHighestTprOfAVerticalStepAndTheLineBetweenPoints) {
  const RocCurve steps = TwoCurves()[0];
  EXPECT_EQ(TprAt(steps, 0), .5);
  EXPECT_EQ(TprAt(steps, .25), .5);
  EXPECT_EQ(TprAt(steps, .5), 1);
  EXPECT_EQ(TprAt(steps, 1), 1);
  const RocCurve diagonal = DrawRocCurve(Scored({.4, .4}, {1, 0}).view());
  EXPECT_EQ(TprAt(diagonal, .3), .3);
}

// By hand: tpr .5 and 0, 1 and 0, 1 and 1; sd of two numbers = difference / sqrt(2).
TEST(RocAverageTest, AveragesTheFoldsPointByPoint) {
  const RocAverage average = AverageRocCurves(TwoCurves(), {.points = 3});
  ASSERT_EQ(average.points.size(), 3u);
  EXPECT_EQ(average.folds, 2);
  EXPECT_EQ(average.points[0].tpr, .25);
  EXPECT_EQ(average.points[1].fpr, .5);
  EXPECT_EQ(average.points[1].tpr, .5);
  EXPECT_EQ(average.points[2].tpr, 1);
  EXPECT_NEAR(average.points[0].sd, .5 / std::sqrt(2), 1e-15);
  EXPECT_NEAR(average.points[1].sd, 1 / std::sqrt(2), 1e-15);
  EXPECT_EQ(average.points[2].sd, 0);
  EXPECT_EQ(average.auc, .5625);
  EXPECT_EQ(average.mean_auc, .375);
  EXPECT_NEAR(average.sd_auc, .75 / std::sqrt(2), 1e-15);
}

// .25 +- 1.959963984540054 * (.5 / sqrt(2)) / sqrt(2), cut at 0.
TEST(RocAverageTest, HasNormalIntervalsCutAtZeroAndOne) {
  const RocAverage average = AverageRocCurves(TwoCurves(), {.points = 3});
  EXPECT_EQ(average.points[0].low, 0);
  EXPECT_NEAR(average.points[0].high, .25 + 1.959963984540054 / 4, 1e-12);
  EXPECT_EQ(average.points[2].low, 1);
  EXPECT_EQ(average.points[2].high, 1);
}

// Two folds drawn from two: both the worse one in 1/4 of the samples, both the better in 1/4.
TEST(RocAverageTest, HasBootstrapIntervalsThatFollowFromTheSeed) {
  const RocAverageOptions options = {
      .points = 3, .interval = AverageInterval::kBootstrap, .seed = 7};
  const RocAverage average = AverageRocCurves(TwoCurves(), options);
  EXPECT_EQ(average.points[0].low, 0);
  EXPECT_EQ(average.points[0].high, .5);
  EXPECT_EQ(average.points[1].high, 1);
  std::vector<RocCurve> many;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    many.push_back(DrawRocCurve(RandomRows(seed, false).view()));
  }
  const RocAverage a = AverageRocCurves(many, options), b = AverageRocCurves(many, options);
  EXPECT_EQ(a.points[1].low, b.points[1].low);
  EXPECT_LT(a.points[1].low, a.points[1].tpr);
  EXPECT_GT(a.points[1].high, a.points[1].tpr);
}

// With n folds the two kinds agree up to the factor sqrt((n - 1) / n) and the noise of sampling.
TEST(RocAverageTest, HasBootstrapIntervalsAsWideAsNormalOnes) {
  std::vector<RocCurve> curves;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    curves.push_back(DrawRocCurve(RandomRows(seed, false).view()));
  }
  const AveragedRocPoint normal = AverageRocCurves(curves, {.points = 3}).points[1];
  const AveragedRocPoint bootstrap =
      AverageRocCurves(curves,
                       {.points = 3, .interval = AverageInterval::kBootstrap, .samples = 4000})
          .points[1];
  EXPECT_NEAR((bootstrap.high - bootstrap.low) / (normal.high - normal.low), 1, .06);
}

TEST(RocAverageTest, OfOneFoldIsThatFoldWithoutSpread) {
  const std::vector<RocCurve> one = {TwoCurves()[0]};
  const RocAverage average = AverageRocCurves(one, {.points = 201});
  EXPECT_TRUE(average.defined);
  EXPECT_EQ(average.points[50].tpr, TprAt(one[0], .25));
  EXPECT_TRUE(std::isnan(average.points[50].sd));
  EXPECT_TRUE(std::isnan(average.points[50].low));
  EXPECT_TRUE(std::isnan(average.sd_auc));
}

TEST(RocAverageTest, LeavesOutFoldsWithoutACurveAndCountsTheRest) {
  std::vector<RocCurve> curves = TwoCurves();
  curves.push_back(DrawRocCurve(Scored({.3}, {1}).view()));
  EXPECT_EQ(AverageRocCurves(curves).folds, 2);
  const std::vector<RocCurve> none = {curves[2]};
  const RocAverage undefined = AverageRocCurves(none);
  EXPECT_FALSE(undefined.defined);
  EXPECT_EQ(undefined.undefined, "no fold has a curve: there is no row of the negative class");
  EXPECT_EQ(AverageRocCurves({}).undefined, "there are no folds");
}

TEST(RocAverageTest, RefusesOptionsOutOfRange) {
  EXPECT_EQ(test::MessageOf([] { AverageRocCurves({}, {.points = 1}); }),
            "cannot average ROC curves: 1 points; use 2 to 100000");
  EXPECT_EQ(test::MessageOf([] { AverageRocCurves({}, {.samples = 99}); }),
            "cannot average ROC curves: 99 samples; use 100 to 1000000");
  EXPECT_EQ(test::MessageOf([] { AverageRocCurves({}, {.confidence = 0}); }),
            "cannot average ROC curves: confidence 0 is not between 0 and 1");
}

}  // namespace
}  // namespace crossfold
