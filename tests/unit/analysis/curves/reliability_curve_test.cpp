#include "crossfold/reliability_curve.h"

#include <cmath>

#include "crossfold/stats/isotonic_regression.h"
#include "unit/engine/score/scored_fixture.h"

namespace crossfold {
namespace {

using fixture::ExpectNear;
using fixture::RandomRows;
using fixture::ReferenceRows;
using fixture::Scored;
using fixture::Shuffled;

ReliabilityCurve Plain(const OwnedScoredRows& rows,
                       ReliabilityScore score = ReliabilityScore::kBrier) {
  return DrawReliabilityCurve(rows.view(), {.band = ReliabilityBand::kNone, .score = score});
}

std::vector<double> Each(const ReliabilityCurve& curve, double ReliabilityPoint::*member) {
  std::vector<double> values;
  for (const ReliabilityPoint& point : curve.points) values.push_back(point.*member);
  return values;
}

std::vector<double> Parts(const ReliabilityCurve& curve) {
  return {curve.score, curve.miscalibration, curve.discrimination, curve.uncertainty};
}

// The EMOS forecasts of rain in Niamey, July to September 2016, and whether it rained: the data
// precip_Niamey_2016 of the package reliabilitydiag (aijordan/reliabilitydiag), to four digits.
OwnedScoredRows Rain() {
  return Scored(
      {0.4709, 0.4472, 0.4288, 0.5064, 0.4893, 0.5077, 0.4287, 0.4513, 0.4441, 0.4601, 0.5769,
       0.7334, 0.4969, 0.4847, 0.441,  0.3277, 0.486,  0.712,  0.6158, 0.8802, 0.5422, 0.4472,
       0.5249, 0.6032, 0.6319, 0.4665, 0.4269, 0.5075, 0.5929, 0.4283, 0.574,  0.5346, 0.4635,
       0.6544, 0.5919, 0.4581, 0.4787, 0.5176, 0.6564, 0.776,  0.7428, 0.5884, 0.4814, 0.4572,
       0.4306, 0.5673, 0.7346, 0.683,  0.5567, 0.6253, 0.4456, 0.4583, 0.3282, 0.4738, 0.7842,
       0.6264, 0.518,  0.5775, 0.9226, 0.5108, 0.4672, 0.4582, 0.2294, 0.4506, 0.4612, 0.5123,
       0.5697, 0.4777, 0.4844, 0.4991, 0.5621, 0.4812, 0.5821, 0.4452, 0.4528, 0.5669, 0.5583,
       0.4441, 0.4582, 0.4557, 0.4903, 0.4836, 0.4938, 0.4852, 0.4799, 0.3155, 0.4619, 0.4785,
       0.486,  0.4481, 0.3151, 0.1962},
      {0, 1, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1, 1,
       0, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1,
       1, 1, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 0, 0});
}

// The README of reliabilitydiag prints mean_score 0.232, miscalibration 0.0183, discrimination
// 0.0305, uncertainty 0.244.
TEST(ReliabilityCurveTest, SplitsTheBrierScoreAsReliabilitydiagDoes) {
  const ReliabilityCurve curve = Plain(Rain());
  EXPECT_NEAR(curve.score, .232, .0005);
  EXPECT_NEAR(curve.miscalibration, .0183, .00005);
  EXPECT_NEAR(curve.discrimination, .0305, .00005);
  EXPECT_NEAR(curve.uncertainty, .244, .0005);
}

// reference_curves.py, with isotonic regression of scikit-learn 1.2.1.
TEST(ReliabilityCurveTest, AgreesWithScikitLearn) {
  const ReliabilityCurve plain = Plain(ReferenceRows(false)), weighted = Plain(ReferenceRows(true));
  ExpectNear(Parts(plain), {0.16999999999999998, 0.02833333333333332, 0.10833333333333334, 0.25});
  ExpectNear(Each(plain, &ReliabilityPoint::recalibrated),
             {0, 0, 0.25, 0.5, 0.75, 0.75, 0.8333333333333334, 0.8333333333333334});
  ExpectNear(Parts(weighted),
             {0.15309523809523812, 0.0552505446623094, 0.14705326575074473, 0.24489795918367344});
  ExpectNear(Each(weighted, &ReliabilityPoint::recalibrated),
             {0, 0, 0.1111111111111111, 0.75, 0.8235294117647058, 0.8235294117647058,
              0.8235294117647058, 0.8235294117647058});
  ExpectNear(Parts(Plain(ReferenceRows(false), ReliabilityScore::kLog)),
             {0.515838673159402, 0.08642153459599272, 0.263730041996536, 0.6931471805599453});
  ExpectNear(Parts(Plain(ReferenceRows(true), ReliabilityScore::kLog)),
             {0.4784317582323377, 0.16150754848471277, 0.3659838949528469, 0.6829081047004718});
}

TEST(ReliabilityCurveTest, PartsSumToTheScoreAndAreNotNegative) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    for (const auto score : {ReliabilityScore::kBrier, ReliabilityScore::kLog}) {
      const ReliabilityCurve curve = Plain(RandomRows(seed, seed % 2 == 0), score);
      if (!curve.defined) continue;
      EXPECT_GE(curve.miscalibration, 0);
      EXPECT_GE(curve.discrimination, 0);
      if (std::isinf(curve.score)) {
        EXPECT_TRUE(std::isinf(curve.miscalibration));
        continue;
      }
      EXPECT_NEAR(curve.score, curve.miscalibration - curve.discrimination + curve.uncertainty,
                  1e-12);
    }
  }
}

TEST(ReliabilityCurveTest, IsTheIsotonicRegressionOfTheClasses) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const OwnedScoredRows rows = RandomRows(seed, true);
    const ReliabilityCurve curve = Plain(rows);
    if (!curve.defined) continue;
    const std::vector<double> truth(rows.positive.begin(), rows.positive.end());
    const auto isotonic = stats::FitIsotonicRegression(rows.scores, truth, rows.weights);
    for (const ReliabilityPoint& point : curve.points) {
      EXPECT_NEAR(point.recalibrated, stats::ValueAt(isotonic, point.predicted), 1e-12);
    }
  }
}

TEST(ReliabilityCurveTest, DoesNotDependOnTheOrderOfTheRows) {
  const OwnedScoredRows rows = ReferenceRows(true), shuffled = Shuffled(rows, 5);
  const ReliabilityCurve a = DrawReliabilityCurve(rows.view(), {.samples = 50});
  const ReliabilityCurve b = DrawReliabilityCurve(shuffled.view(), {.samples = 50});
  EXPECT_EQ(Parts(a), Parts(b));
  EXPECT_EQ(a.p, b.p);
  EXPECT_EQ(Each(a, &ReliabilityPoint::low), Each(b, &ReliabilityPoint::low));
  EXPECT_EQ(Each(a, &ReliabilityPoint::high), Each(b, &ReliabilityPoint::high));
}

TEST(ReliabilityCurveTest, AnImpossibleClassMakesTheLogScoreInfinite) {
  const ReliabilityCurve curve = Plain(Scored({0, .5, .5}, {1, 0, 1}), ReliabilityScore::kLog);
  EXPECT_TRUE(std::isinf(curve.score));
  EXPECT_TRUE(std::isinf(curve.miscalibration));
  EXPECT_NEAR(curve.uncertainty, -(2 * std::log(2. / 3) + std::log(1. / 3)) / 3, 1e-12);
}

// Four rows with probability 1/2 are all of one class with probability 1/8; none differ more from
// the expected share.
TEST(ReliabilityCurveTest, PIsTheShareOfCalibratedSamplesThatAreNoBetter) {
  const ReliabilityCurve curve =
      DrawReliabilityCurve(Scored({.5, .5, .5, .5}, {1, 1, 1, 1}).view(), {.samples = 10000});
  EXPECT_NEAR(curve.miscalibration, .25, 1e-15);
  EXPECT_NEAR(curve.p, .125, .01);
}

// The shares of Binomial(100, 1/2): their quantiles .025 and .975 are 40 and 60 (R: qbinom).
TEST(ReliabilityCurveTest, TheConsistencyBandHasTheQuantilesOfCalibratedClasses) {
  const OwnedScoredRows rows = Scored(std::vector<double>(100, .5), std::vector<int>(100, 0));
  for (const auto band : {ReliabilityBand::kConsistency, ReliabilityBand::kConsistencyResampled}) {
    const ReliabilityCurve curve =
        DrawReliabilityCurve(rows.view(), {.band = band, .samples = 10000});
    EXPECT_NEAR(curve.points.at(0).low, .40, .01);
    EXPECT_NEAR(curve.points.at(0).high, .60, .01);
  }
}

// Every score of a row says the same of it: with 20 repeats the band is as wide as with one.
TEST(ReliabilityCurveTest, ARepeatedRowIsOneObservation) {
  OwnedScoredRows once, repeated;
  for (int row = 0; row < 60; ++row) {
    once.scores.push_back((row % 6 + 1) / 7.0);
    once.positive.push_back(static_cast<std::uint8_t>(row % 2));
    once.rows.push_back(row);
    for (int repeat = 0; repeat < 20; ++repeat) {
      repeated.scores.push_back(once.scores.back());
      repeated.positive.push_back(once.positive.back());
      repeated.rows.push_back(row);
    }
  }
  for (const auto band : {ReliabilityBand::kConsistency, ReliabilityBand::kBootstrap}) {
    const ReliabilityCurve a = DrawReliabilityCurve(once.view(), {.band = band});
    const ReliabilityCurve b = DrawReliabilityCurve(repeated.view(), {.band = band});
    ExpectNear(Each(a, &ReliabilityPoint::low), Each(b, &ReliabilityPoint::low));
    ExpectNear(Each(a, &ReliabilityPoint::high), Each(b, &ReliabilityPoint::high));
    EXPECT_EQ(a.p, b.p);
  }
}

// A sample of the one group is the data again.
TEST(ReliabilityCurveTest, GroupsAreDrawnWholeAndHaveNoConsistencyBand) {
  OwnedScoredRows rows = ReferenceRows(false);
  rows.groups.assign(rows.scores.size(), 7);
  const ReliabilityCurve curve = DrawReliabilityCurve(rows.view());
  EXPECT_EQ(Each(curve, &ReliabilityPoint::low), Each(curve, &ReliabilityPoint::recalibrated));
  EXPECT_EQ(Each(curve, &ReliabilityPoint::high), Each(curve, &ReliabilityPoint::recalibrated));
  EXPECT_TRUE(std::isnan(curve.p));
  EXPECT_EQ(curve.p_undefined, "the rows of a group depend on each other");
  EXPECT_EQ(
      test::MessageOf(
          [&] { DrawReliabilityCurve(rows.view(), {.band = ReliabilityBand::kConsistency}); }),
      "cannot draw a reliability curve: a consistency band assumes independent rows, and the rows "
      "of a group depend on each other; use the band 'bootstrap', which draws whole groups");
}

TEST(ReliabilityCurveTest, ManyPointsHaveABandBetweenThoseThatWereComputed) {
  OwnedScoredRows rows;
  for (int i = 0; i < 2501; ++i) {
    rows.scores.push_back(i / 2500.0);
    rows.positive.push_back(static_cast<std::uint8_t>(i % 2));
  }
  const ReliabilityCurve curve = DrawReliabilityCurve(rows.view(), {.samples = 20});
  ASSERT_EQ(curve.points.size(), 2501u);
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    EXPECT_GE(curve.points[i].low, curve.points[i - 1].low);
    EXPECT_GE(curve.points[i].high, curve.points[i].low);
  }
}

TEST(ReliabilityCurveTest, IsUndefinedWithoutRowsAndRefusesWhatIsNotAProbability) {
  EXPECT_EQ(Plain(Scored({}, {})).undefined, "there are no rows");
  EXPECT_EQ(Plain(Scored({.5}, {1}, {0})).undefined, "all rows have weight 0");
  EXPECT_EQ(test::MessageOf([] {
              Plain(Scored({.5, 1.5}, {1, 0}));
            }),
            "cannot draw a reliability curve: score 2 is 1.5, which is not a probability; "
            "calibrate the scores first");
  EXPECT_EQ(test::MessageOf([] { DrawReliabilityCurve(Scored({.5}, {1}).view(), {.samples = 1}); }),
            "cannot draw a reliability curve: samples is 1; use 2 to 10000");
  EXPECT_EQ(
      test::MessageOf([] { DrawReliabilityCurve(Scored({.5}, {1}).view(), {.confidence = 1}); }),
      "cannot draw a reliability curve: confidence is 1; it must be between 0 and 1");
}

TEST(ReliabilityCurveTest, StopsWhenCancelled) {
  CancelToken cancel;
  cancel.Cancel();
  EXPECT_EQ(
      test::MessageOf([&] { DrawReliabilityCurve(Scored({.5}, {1}).view(), {.cancel = &cancel}); }),
      "cancelled");
}

}  // namespace
}  // namespace crossfold
