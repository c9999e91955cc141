#include "crossfold/roc_average.h"

#include <cmath>

#include "unit/engine/score/scored_fixture.h"

namespace crossfold {
namespace {

using fixture::MessageOf;
using fixture::RandomRows;
using fixture::Scored;

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
  EXPECT_EQ(MessageOf([] { AverageRocCurves({}, {.points = 1}); }),
            "cannot average ROC curves: 1 points; use 2 to 100000");
  EXPECT_EQ(MessageOf([] { AverageRocCurves({}, {.samples = 99}); }),
            "cannot average ROC curves: 99 samples; use 100 to 1000000");
  EXPECT_EQ(MessageOf([] { AverageRocCurves({}, {.confidence = 0}); }),
            "cannot average ROC curves: confidence 0 is not between 0 and 1");
}

}  // namespace
}  // namespace crossfold
