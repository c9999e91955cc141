#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "crossfold/calibration.h"
#include "crossfold/calibration_curve.h"
#include "unit/engine/data/refusal.h"
#include "unit/engine/score/scored_fixture.h"

namespace crossfold {
namespace {

using fixture::ExpectNear;
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
  EXPECT_EQ(test::MessageOf([&] { DrawCalibrationCurve(rows.view()); }),
            "cannot draw a curve: there are 2 scores but 1 row numbers; give one of each");
}

TEST(CalibrationCurveTest, RefusesScoresThatAreNoProbabilitiesAndOptionsOutOfRange) {
  const OwnedScoredRows rows = Scored({.5, 1.5}, {0, 1}), good = Scored({.5}, {1});
  EXPECT_EQ(
      test::MessageOf([&] { DrawCalibrationCurve(rows.view()); }),
      "cannot draw a calibration curve: score 2 is 1.5, which is not a probability; calibrate "
      "the scores first");
  EXPECT_EQ(test::MessageOf([&] { DrawCalibrationCurve(good.view(), {.bins = 0}); }),
            "cannot draw a calibration curve: 0 bins; use 1 to 10000");
  EXPECT_EQ(test::MessageOf([&] { DrawCalibrationCurve(good.view(), {.confidence = 1}); }),
            "cannot draw a calibration curve: confidence 1 is not between 0 and 1");
}

// Rows 0, 1, ... with these classes (and weights).
std::shared_ptr<const Dataset> Classes(std::vector<std::int32_t> codes,
                                       std::vector<std::string> names,
                                       std::vector<double> weights = {}) {
  std::vector<Column> columns = {Column::Categories("class", std::move(codes), std::move(names))};
  Roles roles;
  roles.target = "class";
  if (!weights.empty()) {
    columns.push_back(Column::Doubles("w", std::move(weights)));
    roles.weights = "w";
  }
  return Dataset::Create("rows", std::move(columns), roles);
}

Prediction Predicted(std::vector<double> probabilities, std::int64_t n_classes) {
  Prediction p;
  p.n_classes = n_classes;
  p.probabilities = std::move(probabilities);
  for (std::size_t i = 0; i * static_cast<std::size_t>(n_classes) < p.probabilities.size(); ++i) {
    p.rows.push_back(static_cast<std::int64_t>(i));
  }
  p.labels.assign(p.rows.size(), 0);
  return p;
}

TEST(CalibrationTest, TwoClassesHaveOneMapOfTheSecond) {
  const auto data = Classes({0, 1, 0, 1}, {"a", "b"});
  const Prediction p = Predicted({.9, .1, .6, .4, .3, .7, .2, .8}, 2);
  const Calibration isotonic = FitCalibration(*data, p, CalibrationMethod::kIsotonic);
  ASSERT_TRUE(isotonic.defined);
  ASSERT_EQ(isotonic.isotonic.size(), 1U);
  const Prediction calibrated = Calibrate(p, isotonic);
  // 0 1 0 1 at .1 .4 .7 .8: the middle pools to a half.
  EXPECT_EQ(calibrated.probabilities, (std::vector<double>{1, 0, .5, .5, .5, .5, 0, 1}));
  EXPECT_EQ(calibrated.labels, (std::vector<std::int32_t>{0, 0, 0, 1}));
  EXPECT_EQ(calibrated.rows, p.rows);
}

TEST(CalibrationTest, PlattIsFittedOnTheLogOdds) {
  const auto data = Classes({0, 1, 0, 1}, {"a", "b"}, {1, 2, 3, .5});
  const Prediction p = Predicted({1, 0, .6, .4, .3, .7, .2, .8}, 2);
  const Calibration platt = FitCalibration(*data, p, CalibrationMethod::kPlatt);
  ASSERT_EQ(platt.platt.size(), 1U);
  const std::vector<double> scores = {stats::LogOdds(0), stats::LogOdds(.4), stats::LogOdds(.7),
                                      stats::LogOdds(.8)};
  const auto expected = stats::FitPlattScaling(scores, std::vector<std::uint8_t>{0, 1, 0, 1},
                                               std::vector<double>{1, 2, 3, .5});
  EXPECT_EQ(platt.platt[0].slope, expected.slope);
  EXPECT_EQ(platt.platt[0].intercept, expected.intercept);
}

// Maps p to itself up to .5 and to .5 above, for two of three classes; the third is always 0.
Calibration HalfMaps() {
  Calibration calibration;
  calibration.defined = true;
  calibration.method = CalibrationMethod::kIsotonic;
  const stats::IsotonicRegression half{true, "", {0, .5}, {0, .5}}, none{true, "", {0}, {0}};
  calibration.isotonic = {half, half, none};
  return calibration;
}

TEST(CalibrationTest, MoreClassesAreDividedByTheirSum) {
  const Prediction calibrated = Calibrate(Predicted({.75, .25, 0, .1, .3, .6}, 3), HalfMaps());
  EXPECT_EQ(calibrated.probabilities[0], .5 / .75);
  EXPECT_EQ(calibrated.probabilities[1], .25 / .75);
  EXPECT_EQ(calibrated.probabilities[2], 0);
  EXPECT_NEAR(calibrated.probabilities[3], .25, 1e-15);
  EXPECT_EQ(calibrated.labels, (std::vector<std::int32_t>{0, 1}));
}

TEST(CalibrationTest, ARowOfZerosBecomesUniform) {
  const Prediction calibrated = Calibrate(Predicted({0, 0, 1}, 3), HalfMaps());
  EXPECT_EQ(calibrated.probabilities, (std::vector<double>(3, 1.0 / 3)));
  EXPECT_EQ(calibrated.labels[0], 0);
}

TEST(CalibrationTest, AClassWithoutARowIsUndefinedByName) {
  const Prediction three = Predicted({.5, .3, .2, .2, .5, .3}, 3);
  const auto data = Classes({0, 1}, {"a", "b", "c"});
  EXPECT_EQ(FitCalibration(*data, three, CalibrationMethod::kIsotonic).undefined,
            "for class 'c' there are no positive rows");
  const auto one = Classes({1, 1}, {"a", "b"});
  EXPECT_EQ(
      FitCalibration(*one, Predicted({.5, .5, .2, .8}, 2), CalibrationMethod::kPlatt).undefined,
      "for class 'b' there are no negative rows");
}

TEST(CalibrationTest, ThereMustBeProbabilities) {
  Prediction labels;
  labels.rows = {0};
  labels.n_classes = 2;
  labels.labels = {0};
  EXPECT_EQ(RefusalOf([&] { Calibrate(labels, HalfMaps()); }),
            InvalidArgument("cannot calibrate: the prediction has no probabilities; use a learner "
                            "that gives them"));
}

TEST(MeanPredictionTest, AveragesAndLabelsTheMostProbable) {
  const Prediction mean = MeanPrediction({Predicted({1, 0}, 2), Predicted({.25, .75}, 2),
                                          Predicted({0, 1}, 2), Predicted({.25, .75}, 2)});
  EXPECT_EQ(mean.probabilities, (std::vector<double>{.375, .625}));
  EXPECT_EQ(mean.labels, (std::vector<std::int32_t>{1}));
}

TEST(MeanPredictionTest, OtherRowsAreRefused) {
  EXPECT_EQ(RefusalOf([] {
              MeanPrediction({Predicted({1, 0}, 2), Predicted({1, 0, 1, 0}, 2)});
            }),
            InvalidArgument("cannot average predictions: they are for other rows or classes; give "
                            "predictions of the same rows"));
}

}  // namespace
}  // namespace crossfold
