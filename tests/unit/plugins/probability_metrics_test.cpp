#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "unit/engine/data/refusal.h"
#include "unit/plugins/bundled_plugins.h"
#include "unit/plugins/metric_fixture.h"
#include "unit/plugins/ranking_fixture.h"

namespace crossfold {
namespace {

// ---- the Brier score ---------------------------------------------------------------------------

TEST(BrierTest, OfTwoClassesIsTheMeanSquaredError) {
  const auto vector = TestVector("binary16");
  EXPECT_NEAR(ValueOf(ScoreTwo("brier", VectorRows(vector))), vector["out"]["brier"], 1e-15);
}

TEST(BrierTest, OfThreeClassesHasTwoScales) {
  EXPECT_NEAR(ValueOf(ScoreHandTill("brier", {{"scale", "sum"}})),
              TestVector("hand_till")["out"]["brier_sum"], 1e-15);
  EXPECT_NEAR(ValueOf(ScoreHandTill("brier")), 0.213, 1e-15);  // frameworks.md 4.9
}

TEST(BrierTest, OfCertainMistakesIsTheWorst) {
  EXPECT_EQ(ValueOf(ScoreTwo("brier", {{0, 1}, {1, 0}})), 1);
  EXPECT_EQ(ValueOf(ScoreTwo("brier", {{0, 1}, {1, 0}}, {{"scale", "sum"}})), 2);
}

TEST(BrierTest, AProbabilityThatIsNoneFails) {
  EXPECT_THROW(ScoreProbabilities("brier", *TruthData({0, 1}, 2), {.5, .5, 1.5, -.5}), Error);
}

TEST(BrierPartsTest, ByHand) {
  // Forecast .75: three rows, two positive; forecast .25: two rows, none positive.
  const TwoClasses rows{{1, 1, 0, 0, 0}, {.75, .75, .75, .25, .25}};
  EXPECT_DOUBLE_EQ(ValueOf(ScoreTwo("brier_calibration", rows)),
                   (3 * (.75 - 2.0 / 3) * (.75 - 2.0 / 3) + 2 * .25 * .25) / 5);
  EXPECT_DOUBLE_EQ(ValueOf(ScoreTwo("brier_refinement", rows)), 3 * (2.0 / 3) * (1.0 / 3) / 5);
}

TEST(BrierPartsTest, AddUpToTheScore) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const TwoClasses rows = RandomRows(seed, 50, 8, seed % 2 == 0);
    EXPECT_NEAR(
        ValueOf(ScoreTwo("brier_calibration", rows)) + ValueOf(ScoreTwo("brier_refinement", rows)),
        ValueOf(ScoreTwo("brier", rows)), 1e-15);
  }
  const ParamValues sum = {{"scale", "sum"}};
  EXPECT_NEAR(ValueOf(ScoreHandTill("brier_calibration", sum)) +
                  ValueOf(ScoreHandTill("brier_refinement", sum)),
              0.426, 1e-15);
}

TEST(BrierPartsTest, BinsTakeForecastsTogether) {
  // One bin: the mean forecast .5 against a frequency of 2/5.
  const TwoClasses rows{{1, 1, 0, 0, 0}, {.75, .75, .5, .25, .25}};
  const ParamValues one = {{"bins", std::int64_t{1}}};
  EXPECT_DOUBLE_EQ(ValueOf(ScoreTwo("brier_calibration", rows, one)), .1 * .1);
  EXPECT_DOUBLE_EQ(ValueOf(ScoreTwo("brier_refinement", rows, one)), .4 * .6);
}

// ---- calibration errors ------------------------------------------------------------------------

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

TEST(CalibrationErrorTest, ThePositiveOfThreeClassesHasAName) {
  EXPECT_EQ(MetricRefusal("max_calibration_error", 3), "");
  EXPECT_EQ(
      MetricRefusal("max_calibration_error", 3, {{"of", "positive"}}),
      "cannot use metric 'max_calibration_error{of=positive}' on dataset 'truth': the dataset has "
      "3 classes; name one with positive = \"...\", or choose of = \"top_class\"");
}

// ---- log loss ----------------------------------------------------------------------------------

Score LogLoss(const Dataset& data, const std::vector<double>& probabilities,
              const ParamValues& values = {}) {
  return ScoreProbabilities("log_loss", data, probabilities, values);
}

TEST(LogLossTest, IsTheMeanNegativeLogarithm) {
  // The example of scikit-learn's documentation of log_loss: ham = A, spam = B; 0.21616...
  const auto data = TruthData({1, 0, 0, 1}, 2);
  const Score score = LogLoss(*data, {.1, .9, .9, .1, .8, .2, .35, .65});
  ASSERT_TRUE(score.defined) << score.undefined;
  EXPECT_NEAR(score.value, 0.21616, 0.00001);
}

TEST(LogLossTest, OfTheExampleInTheUserGuide) {
  // The example in section "Log loss" of scikit-learn's user guide: 0.1738...
  const auto data = TruthData({0, 0, 1, 1}, 2);
  EXPECT_NEAR(LogLoss(*data, {.9, .1, .8, .2, .3, .7, .01, .99}).value, 0.1738, 0.0001);
}

TEST(LogLossTest, OfThreeClasses) {
  // The mean of -ln over 0.7 0.5 0.4 0.2 0.6 0.4 0.7 0.6 0.6 0.3, the true classes' probabilities.
  const auto data = TruthData({0, 0, 0, 0, 1, 1, 1, 2, 2, 2}, 3);
  const Score score =
      LogLoss(*data, {0.7, 0.2, 0.1, 0.5, 0.3, 0.2, 0.4, 0.4, 0.2, 0.2, 0.5, 0.3, 0.3, 0.6, 0.1,
                      0.4, 0.4, 0.2, 0.1, 0.7, 0.2, 0.2, 0.2, 0.6, 0.3, 0.1, 0.6, 0.3, 0.4, 0.3});
  EXPECT_NEAR(score.value, 0.758496612024, 1e-12);
}

TEST(LogLossTest, CountsWeights) {
  // (1 ln 2 + 3 ln 4) / 4 = 7/4 ln 2
  const auto data = TruthData({0, 1}, 2, {1, 3});
  EXPECT_DOUBLE_EQ(LogLoss(*data, {.5, .5, .75, .25}).value, 1.75 * std::log(2.0));
}

TEST(LogLossTest, ACertainMistakeIsClipped) {
  // -ln(1e-15) = 34.538776394911
  EXPECT_NEAR(LogLoss(*TruthData({0}, 2), {0, 1}).value, 34.538776394911, 1e-12);
}

TEST(LogLossTest, TheClipCanBeChosen) {
  EXPECT_DOUBLE_EQ(LogLoss(*TruthData({0}, 2), {0, 1}, {{"clip", 0.25}}).value, std::log(4.0));
}

TEST(LogLossTest, CertaintyIsClippedToo) {
  EXPECT_DOUBLE_EQ(LogLoss(*TruthData({0}, 2), {1, 0}, {{"clip", 0.25}}).value, -std::log(0.75));
}

TEST(LogLossTest, WithoutClipACertainMistakeIsInfinite) {
  const Score score = LogLoss(*TruthData({0, 1}, 2), {0, 1, .5, .5}, {{"clip", 0.0}});
  ASSERT_TRUE(score.defined) << score.undefined;
  EXPECT_EQ(score.value, kInfinity);
}

TEST(LogLossTest, WithoutClipCertaintyThatIsRightCostsNothing) {
  EXPECT_EQ(LogLoss(*TruthData({0, 1}, 2), {1, 0, 0, 1}, {{"clip", 0.0}}).value, 0);
}

TEST(LogLossTest, AMistakeWithoutWeightIsNoMistake) {
  const auto data = TruthData({0, 1}, 2, {0, 1});
  EXPECT_DOUBLE_EQ(LogLoss(*data, {0, 1, .5, .5}, {{"clip", 0.0}}).value, std::log(2.0));
}

TEST(LogLossTest, AProbabilityThatIsNoneFailsInsteadOfBeingClipped) {
  const auto data = TruthData({0, 1}, 2);
  for (const double bad : {-0.5, 1.5, std::nan("")}) {
    EXPECT_EQ(test::MessageOf(
                  [&] {
                    LogLoss(*data, {.5, .5, .5, bad});
                  },
                  ErrorKind::kFailed),
              "cannot score 'log_loss' on dataset 'truth': a predicted probability of class 'B' is "
              "not between 0 and 1");
  }
}

// ---- top-k accuracy ----------------------------------------------------------------------------

const ParamValues kOne = {{"k", std::int64_t{1}}};

TEST(TopKAccuracyTest, OfTheExampleOfScikitLearn) {
  // The example of top_k_accuracy_score: y = 0 1 2 2 gives 0.75.
  const Score score = ScoreProbabilities("top_k_accuracy", *TruthData({0, 1, 2, 2}, 3),
                                         {.5, .2, .2, .3, .4, .2, .2, .4, .3, .7, .2, .1});
  EXPECT_EQ(ValueOf(score), 0.75);
}

TEST(TopKAccuracyTest, TheLastOfTiedClassesAreInside) {
  const std::vector<double> p = {.5, .5, 0, .5, .5, 0};
  EXPECT_EQ(ValueOf(ScoreProbabilities("top_k_accuracy", *TruthData({0, 0}, 3), p, kOne)), 0);
  EXPECT_EQ(ValueOf(ScoreProbabilities("top_k_accuracy", *TruthData({1, 1}, 3), p, kOne)), 1);
}

TEST(TopKAccuracyTest, TiedClassesCanShareThePlaces) {
  const std::vector<double> p = {.25, .25, .5, .5, .25, .25};
  const ParamValues share = {{"k", std::int64_t{2}}, {"ties", "share"}};
  // One place of two for the first row, and its class is surely inside for the second.
  EXPECT_EQ(ValueOf(ScoreProbabilities("top_k_accuracy", *TruthData({0, 0}, 3), p, share)), 0.75);
  EXPECT_EQ(ValueOf(ScoreProbabilities("top_k_accuracy", *TruthData({1, 1}, 3), p, share)), 0.5);
}

TEST(TopKAccuracyTest, CountsWeights) {
  const auto data = TruthData({0, 1}, 2, {1, 3});
  EXPECT_EQ(ValueOf(ScoreProbabilities("top_k_accuracy", *data, {.9, .1, .9, .1}, kOne)), 0.25);
}

TEST(TopKAccuracyTest, AsManyAsThereAreClassesAreRefused) {
  EXPECT_EQ(MetricRefusal("top_k_accuracy", 2),
            "cannot use metric 'top_k_accuracy' on dataset 'truth': k = 2, but there are 2 "
            "classes: every row would be right; choose k < 2");
  EXPECT_EQ(MetricRefusal("top_k_accuracy", 3), "");
}

TEST(SphericalScoreTest, IsTheProbabilityByTheLength) {
  const auto data = TruthData({0, 1}, 2);
  EXPECT_DOUBLE_EQ(ValueOf(ScoreProbabilities("spherical_score", *data, {.6, .4, .6, .4})),
                   (.6 + .4) / 2 / std::sqrt(.52));
  EXPECT_EQ(ValueOf(ScoreProbabilities("spherical_score", *data, {1, 0, 0, 1})), 1);
}

// ---- all of them -------------------------------------------------------------------------------

TEST(ProbabilityMetricsTest, WhereNothingCountsIsUndefined) {
  for (const char* metric :
       {"brier", "brier_calibration", "brier_refinement", "expected_calibration_error",
        "max_calibration_error", "log_loss", "spherical_score"}) {
    SCOPED_TRACE(metric);
    EXPECT_EQ(ScoreNoRows(metric).status, CF_E_UNDEFINED);
    EXPECT_EQ(ScoreNoRows(metric).message, "there are no rows");
    ExpectUndefined(ScoreTwo(metric, {{0, 1}, {.5, .5}, {0, 0}}),
                    "the weights of all rows are zero");
  }
}

TEST(ProbabilityMetricsTest, AWeightIsARepetitionAndOrderDoesNotMatter) {
  const ParamValues uniform = {{"bins", std::int64_t{5}}, {"binning", "uniform"}};
  const ParamValues quantile = {{"bins", std::int64_t{5}}, {"binning", "quantile"}};
  const TwoClasses rows = RandomRows(4, 80, 40, true);
  for (const auto& [metric, values] :
       std::vector<std::pair<const char*, ParamValues>>{{"brier", {}},
                                                        {"brier_calibration", {}},
                                                        {"brier_refinement", {}},
                                                        {"expected_calibration_error", uniform},
                                                        {"expected_calibration_error", quantile},
                                                        {"max_calibration_error", uniform},
                                                        {"max_calibration_error", quantile}}) {
    SCOPED_TRACE(metric);
    const double value = ValueOf(ScoreTwo(metric, rows, values));
    EXPECT_NEAR(value, ValueOf(ScoreTwo(metric, Repeated(rows), values)), 1e-14);
    EXPECT_NEAR(value, ValueOf(ScoreTwo(metric, Reversed(rows), values)), 1e-14);
  }
}

// Of metrics over labels, too.
TEST(ProbabilityMetricsTest, EachSaysWhichWayIsBetterAndBetweenWhichBounds) {
  for (const auto& [id, direction, worst, best] :
       {std::tuple("accuracy", 1, 0.0, 1.0), std::tuple("error_rate", -1, 1.0, 0.0),
        std::tuple("log_loss", -1, kInfinity, 0.0)}) {
    const cf_metric& metric = *BundledPlugins().Find(Kind::kMetric, id)->metric;
    EXPECT_EQ(metric.direction, direction) << id;
    EXPECT_EQ(metric.worst, worst) << id;
    EXPECT_EQ(metric.best, best) << id;
  }
}

}  // namespace
}  // namespace crossfold
