#include "crossfold/calibration.h"

#include <gtest/gtest.h>

#include <vector>

#include "unit/engine/data/refusal.h"

namespace crossfold {
namespace {

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
