#include <gtest/gtest.h>

#include "unit/plugins/ranking_fixture.h"

namespace crossfold {
namespace {

const ParamValues kTwoBinsOfB = {{"bins", std::int64_t{2}}, {"of", "positive"}};

TEST(CalibrationErrorTest, OfTheTopClassByHand) {
  // Confidences .75 (right), .75 (wrong), .625 (right): gaps .75 - 1/2 and .375.
  const std::vector<double> p = {.75, .25, .25, .75, .625, .375};
  const auto data = TruthData({0, 0, 0}, 2);
  const ParamValues ten = {{"bins", std::int64_t{10}}};
  EXPECT_DOUBLE_EQ(ValueOf(ScoreProbabilities("expected_calibration_error", *data, p, ten)),
                   (2 * .25 + .375) / 3);
  EXPECT_DOUBLE_EQ(ValueOf(ScoreProbabilities("max_calibration_error", *data, p, ten)), .375);
}

TEST(CalibrationErrorTest, OfThePositiveClassByHand) {
  // Bins [0, .5] and ].5, 1]: .25 and .5 with none positive, .75 with one.
  const TwoClasses rows{{0, 0, 1}, {.25, .5, .75}};
  EXPECT_DOUBLE_EQ(ValueOf(ScoreTwo("expected_calibration_error", rows, kTwoBinsOfB)),
                   (.75 + .25) / 3);
  EXPECT_DOUBLE_EQ(ValueOf(ScoreTwo("max_calibration_error", rows, kTwoBinsOfB)), .375);
}

TEST(CalibrationErrorTest, QuantileBinsHoldEqualWeight) {
  // Halves {.1, .2} and {.3, .9} of the four rows; all would be in the first uniform bin but .9.
  const TwoClasses rows{{0, 1, 0, 1}, {.1, .2, .3, .9}};
  ParamValues values = kTwoBinsOfB;
  values["binning"] = Value("quantile");
  EXPECT_DOUBLE_EQ(ValueOf(ScoreTwo("expected_calibration_error", rows, values)),
                   ((1 - .3) + (1.2 - 1)) / 4);
}

TEST(CalibrationErrorTest, EqualProbabilitiesStayInOneQuantileBin) {
  const TwoClasses rows{{0, 1, 0, 1}, {.5, .5, .5, .5}};
  ParamValues values = kTwoBinsOfB;
  values["binning"] = Value("quantile");
  EXPECT_EQ(ValueOf(ScoreTwo("expected_calibration_error", rows, values)), 0);
}

TEST(CalibrationErrorTest, AWeightIsARepetitionAndOrderDoesNotMatter) {
  for (const char* metric : {"expected_calibration_error", "max_calibration_error"}) {
    for (const char* binning : {"uniform", "quantile"}) {
      const TwoClasses rows = RandomRows(4, 80, 40, true);
      const ParamValues values = {{"bins", std::int64_t{5}}, {"binning", binning}};
      const double value = ValueOf(ScoreTwo(metric, rows, values));
      EXPECT_NEAR(value, ValueOf(ScoreTwo(metric, Repeated(rows), values)), 1e-14);
      EXPECT_NEAR(value, ValueOf(ScoreTwo(metric, Reversed(rows), values)), 1e-14);
    }
  }
}

TEST(CalibrationErrorTest, WhereNothingCountsIsUndefined) {
  for (const char* metric : {"expected_calibration_error", "max_calibration_error"}) {
    EXPECT_EQ(ScoreNoRows(metric).message, "there are no rows");
    ExpectUndefined(ScoreTwo(metric, {{0, 1}, {.5, .5}, {0, 0}}),
                    "the weights of all rows are zero");
  }
}

TEST(CalibrationErrorTest, ThePositiveOfThreeClassesHasAName) {
  EXPECT_EQ(Refusal("max_calibration_error", 3), "");
  EXPECT_EQ(
      Refusal("max_calibration_error", 3, {{"of", "positive"}}),
      "cannot use metric 'max_calibration_error{of=positive}' on dataset 'truth': the dataset "
      "has 3 classes; name one with positive = \"...\", or choose of = \"top_class\"");
}

}  // namespace
}  // namespace crossfold
