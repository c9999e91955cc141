#include "crossfold/calibration_curve.h"

#include <algorithm>
#include <cmath>

#include "unit/engine/score/scored_fixture.h"

namespace crossfold {
namespace {

using fixture::ExpectNear;
using fixture::MessageOf;
using fixture::RandomRows;
using fixture::Scored;

std::vector<double> Each(const CalibrationCurve& curve, double CalibrationBin::*member) {
  std::vector<double> values;
  for (const CalibrationBin& bin : curve.bins) values.push_back(bin.*member);
  return values;
}

// The 200 rows of reference_curves.py.
OwnedScoredRows Rows() {
  OwnedScoredRows rows;
  for (int i = 0; i < 200; ++i) {
    rows.scores.push_back(i * 37 % 101 / 100.0);
    rows.positive.push_back(i * 53 % 97 / 97.0 < rows.scores.back() ? 1 : 0);
  }
  return rows;
}

// reference_curves.py: calibration_curve(strategy="uniform", n_bins=5).
TEST(CalibrationCurveTest, AgreesWithScikitLearnOnUniformBins) {
  const CalibrationCurve curve = DrawCalibrationCurve(Rows().view(), {.bins = 5});
  ExpectNear(Each(curve, &CalibrationBin::observed),
             {0.16666666666666666, 0.2564102564102564, 0.5, 0.7948717948717948, 0.875});
  ExpectNear(Each(curve, &CalibrationBin::mean_predicted),
             {0.1, 0.30589743589743595, 0.5050000000000001, 0.7066666666666667, 0.905});
}

// The same with strategy="quantile", n_bins=10.
TEST(CalibrationCurveTest, AgreesWithScikitLearnOnQuantileBins) {
  const CalibrationCurve curve =
      DrawCalibrationCurve(Rows().view(), {.binning = Binning::kQuantile, .bins = 10});
  ExpectNear(Each(curve, &CalibrationBin::observed), {0.2, 0.15, 0.19047619047619047, 0.3, 0.45,
                                                      0.55, 0.7368421052631579, 0.85, 0.8, 0.95});
  ExpectNear(
      Each(curve, &CalibrationBin::mean_predicted),
      {0.045000000000000005, 0.14500000000000002, 0.24904761904761907, 0.355, 0.45499999999999996,
       0.555, 0.6557894736842105, 0.7550000000000001, 0.8549999999999999, 0.9550000000000001});
}

// One bin of 10 rows: the vectors of 9 and of 0 successes among 10.
TEST(CalibrationCurveTest, HasWilsonIntervals) {
  const auto bin = [](int positive) {
    std::vector<int> classes(10, 0);
    std::fill_n(classes.begin(), positive, 1);
    return DrawCalibrationCurve(Scored(std::vector<double>(10, .5), classes).view()).bins.at(0);
  };
  const auto nine = Numbers(TestVector("ci_acc_9_10").at("out").at("wilson"));
  EXPECT_NEAR(bin(9).observed_low, nine[0], 1e-9);
  EXPECT_NEAR(bin(9).observed_high, nine[1], 1e-9);
  const auto none = Numbers(TestVector("ci_acc_0_10").at("out").at("wilson"));
  EXPECT_EQ(bin(0).observed_low, 0);
  EXPECT_NEAR(bin(0).observed_high, none[1], 1e-9);
}

// By hand: |0 - .1| in one half of the rows, |1/2 - .65| in the other.
TEST(CalibrationCurveTest, SumsUpTheErrorsOfTheBins) {
  const CalibrationCurve curve =
      DrawCalibrationCurve(Scored({.1, .1, .6, .7}, {0, 0, 1, 0}).view(), {.bins = 2});
  ASSERT_EQ(curve.bins.size(), 2u);
  EXPECT_NEAR(curve.expected_error, .125, 1e-15);
  EXPECT_NEAR(curve.largest_error, .15, 1e-15);
}

TEST(CalibrationCurveTest, ClosesBinsOnTheRightAndKeepsZeroInTheFirst) {
  const CalibrationCurve curve =
      DrawCalibrationCurve(Scored({0, .3, .30000000000000004, 1}, {0, 0, 1, 1}).view());
  ASSERT_EQ(curve.bins.size(), 4u);
  EXPECT_EQ(curve.bins[0].low, 0);
  EXPECT_EQ(curve.bins[1].high, .3);
  EXPECT_EQ(curve.bins[2].low, .3);
  EXPECT_EQ(curve.bins[3].high, 1);
}

TEST(CalibrationCurveTest, NeverPartsEqualScores) {
  const CalibrationCurve curve =
      DrawCalibrationCurve(Scored({.2, .2, .2, .2, .2, .9}, {0, 1, 0, 0, 1, 1}).view(),
                           {.binning = Binning::kQuantile, .bins = 3});
  ASSERT_EQ(curve.bins.size(), 2u);
  EXPECT_EQ(curve.bins[0].rows, 5);
  EXPECT_EQ(curve.bins[1].rows, 1);
}

TEST(CalibrationCurveTest, WeighsRowsAndWidensIntervalsForUnequalWeights) {
  const CalibrationBin bin =
      DrawCalibrationCurve(Scored({.4, .5}, {1, 0}, {3, 1}).view(), {.bins = 1}).bins.at(0);
  EXPECT_EQ(bin.rows, 2);
  EXPECT_EQ(bin.weight, 4);
  EXPECT_DOUBLE_EQ(bin.mean_predicted, .425);
  EXPECT_EQ(bin.observed, .75);
  // (3 + 1)^2 / (3^2 + 1^2) rows, by hand with z = 1.959963984540054.
  const double n = 1.6, z2 = 1.959963984540054 * 1.959963984540054;
  const double centre = (.75 + z2 / (2 * n)) / (1 + z2 / n);
  const double half = std::sqrt(z2 * (.75 * .25 / n + z2 / (4 * n * n))) / (1 + z2 / n);
  EXPECT_NEAR(bin.observed_low, centre - half, 1e-12);
  EXPECT_NEAR(bin.observed_high, centre + half, 1e-12);
}

// `rows` scored `times` times, as repeated splits do.
OwnedScoredRows Repeated(const OwnedScoredRows& rows, int times) {
  OwnedScoredRows repeated;
  for (int t = 0; t < times; ++t) {
    for (std::size_t i = 0; i < rows.scores.size(); ++i) {
      repeated.scores.push_back(rows.scores[i]);
      repeated.positive.push_back(rows.positive[i]);
      if (!rows.weights.empty()) repeated.weights.push_back(rows.weights[i]);
      repeated.rows.push_back(static_cast<std::int64_t>(i));
    }
  }
  return repeated;
}

// The vector of 9 successes among 10 rows, each of which is scored 20 times.
TEST(CalibrationCurveTest, HasIntervalsOfTheRowsHoweverOftenTheyAreScored) {
  const OwnedScoredRows ten = Scored(std::vector<double>(10, .5), {1, 1, 1, 1, 1, 1, 1, 1, 1, 0});
  const CalibrationBin bin = DrawCalibrationCurve(Repeated(ten, 20).view()).bins.at(0);
  const auto nine = Numbers(TestVector("ci_acc_9_10").at("out").at("wilson"));
  EXPECT_EQ(bin.rows, 10);
  EXPECT_EQ(bin.weight, 200);
  EXPECT_NEAR(bin.observed_low, nine[0], 1e-9);
  EXPECT_NEAR(bin.observed_high, nine[1], 1e-9);
}

TEST(CalibrationCurveTest, SaysOfRepeatedScoresWhatItSaysOfTheScoresThemselves) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const OwnedScoredRows rows = RandomRows(seed, true);
    const CalibrationCurve once = DrawCalibrationCurve(rows.view());
    for (const int times : {1, 2, 20}) {
      const CalibrationCurve often = DrawCalibrationCurve(Repeated(rows, times).view());
      ASSERT_EQ(often.bins.size(), once.bins.size()) << seed;
      for (std::size_t b = 0; b < once.bins.size(); ++b) {
        EXPECT_EQ(often.bins[b].rows, once.bins[b].rows) << seed;
        EXPECT_NEAR(often.bins[b].observed, once.bins[b].observed, 1e-12) << seed;
        EXPECT_NEAR(often.bins[b].observed_low, once.bins[b].observed_low, 1e-12) << seed;
        EXPECT_NEAR(often.bins[b].observed_high, once.bins[b].observed_high, 1e-12) << seed;
      }
    }
  }
}

// Rows 7 and 2 in one bin with three scores and one weigh as 3 and 1: (3 + 1)^2 / (3^2 + 1^2) rows.
TEST(CalibrationCurveTest, WeighsARowByItsScores) {
  OwnedScoredRows rows = Scored({.4, .4, .4, .5}, {1, 1, 1, 0});
  rows.rows = {7, 7, 7, 2};
  const CalibrationBin bin = DrawCalibrationCurve(rows.view(), {.bins = 1}).bins.at(0);
  const CalibrationBin weighted =
      DrawCalibrationCurve(Scored({.4, .5}, {1, 0}, {3, 1}).view(), {.bins = 1}).bins.at(0);
  EXPECT_EQ(bin.rows, 2);
  EXPECT_EQ(bin.observed, .75);
  EXPECT_DOUBLE_EQ(bin.observed_low, weighted.observed_low);
  EXPECT_DOUBLE_EQ(bin.observed_high, weighted.observed_high);
}

// Each of 20 rows has one of its two scores in either bin, 18 of them positive: a bin knows as much
// as ten rows do, 9 of which are positive.
TEST(CalibrationCurveTest, CountsARowInABinByTheShareOfItsScoresThere) {
  OwnedScoredRows rows;
  for (int i = 0; i < 40; ++i) {
    rows.scores.push_back(i < 20 ? .2 : .7);
    rows.positive.push_back(i % 10 == 0 ? 0 : 1);
    rows.rows.push_back(i % 20);
  }
  const CalibrationCurve curve = DrawCalibrationCurve(rows.view(), {.bins = 2});
  const auto nine = Numbers(TestVector("ci_acc_9_10").at("out").at("wilson"));
  ASSERT_EQ(curve.bins.size(), 2u);
  for (const CalibrationBin& bin : curve.bins) {
    EXPECT_EQ(bin.rows, 20);
    EXPECT_EQ(bin.weight, 20);
    EXPECT_NEAR(bin.observed_low, nine[0], 1e-9);
    EXPECT_NEAR(bin.observed_high, nine[1], 1e-9);
  }
}

TEST(CalibrationCurveTest, PutsEveryRowIntoOneBin) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const OwnedScoredRows rows = RandomRows(seed, true);
    for (const Binning binning : {Binning::kUniform, Binning::kQuantile}) {
      const CalibrationCurve curve =
          DrawCalibrationCurve(rows.view(), {.binning = binning, .bins = 4});
      double weight = 0, total = 0;
      for (const CalibrationBin& bin : curve.bins) {
        weight += bin.weight;
        EXPECT_TRUE(bin.low <= bin.mean_predicted && bin.mean_predicted <= bin.high) << seed;
        EXPECT_TRUE(bin.observed_low <= bin.observed && bin.observed <= bin.observed_high) << seed;
      }
      for (std::size_t i = 0; i < rows.scores.size(); ++i) total += rows.view().weight(i);
      EXPECT_EQ(weight, total) << seed;
    }
  }
}

TEST(CalibrationCurveTest, IsDefinedForOneClassButNotWithoutRows) {
  EXPECT_TRUE(DrawCalibrationCurve(Scored({.1, .2}, {0, 0}).view()).defined);
  EXPECT_EQ(DrawCalibrationCurve({}).undefined, "there are no rows");
  EXPECT_EQ(DrawCalibrationCurve(Scored({.1}, {1}, {0}).view()).undefined,
            "all rows have weight 0");
  EXPECT_TRUE(std::isnan(DrawCalibrationCurve({}).expected_error));
}

TEST(CalibrationCurveTest, RefusesRowNumbersOfAnotherLength) {
  OwnedScoredRows rows = Scored({.5, .5}, {0, 1});
  rows.rows = {1};
  EXPECT_EQ(MessageOf([&] { DrawCalibrationCurve(rows.view()); }),
            "cannot draw a curve: there are 2 scores but 1 row numbers; give one of each");
}

TEST(CalibrationCurveTest, RefusesScoresThatAreNoProbabilitiesAndOptionsOutOfRange) {
  const OwnedScoredRows rows = Scored({.5, 1.5}, {0, 1}), good = Scored({.5}, {1});
  EXPECT_EQ(
      MessageOf([&] { DrawCalibrationCurve(rows.view()); }),
      "cannot draw a calibration curve: score 2 is 1.5, which is not a probability; calibrate "
      "the scores first");
  EXPECT_EQ(MessageOf([&] { DrawCalibrationCurve(good.view(), {.bins = 0}); }),
            "cannot draw a calibration curve: 0 bins; use 1 to 10000");
  EXPECT_EQ(MessageOf([&] { DrawCalibrationCurve(good.view(), {.confidence = 1}); }),
            "cannot draw a calibration curve: confidence 1 is not between 0 and 1");
}

}  // namespace
}  // namespace crossfold
