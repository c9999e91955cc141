#include <gtest/gtest.h>

#include "unit/plugins/ranking_fixture.h"

namespace crossfold {
namespace {

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

TEST(BrierTest, AWeightIsARepetition) {
  const TwoClasses rows = RandomRows(2, 60, 20, true);
  for (const char* metric : {"brier", "brier_calibration", "brier_refinement"}) {
    EXPECT_DOUBLE_EQ(ValueOf(ScoreTwo(metric, rows)), ValueOf(ScoreTwo(metric, Repeated(rows))));
    EXPECT_DOUBLE_EQ(ValueOf(ScoreTwo(metric, rows)), ValueOf(ScoreTwo(metric, Reversed(rows))));
  }
}

TEST(BrierTest, WhereNothingCountsIsUndefined) {
  for (const char* metric : {"brier", "brier_calibration", "brier_refinement"}) {
    EXPECT_EQ(ScoreNoRows(metric).message, "there are no rows");
    ExpectUndefined(ScoreTwo(metric, {{0, 1}, {.5, .5}, {0, 0}}),
                    "the weights of all rows are zero");
  }
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

}  // namespace
}  // namespace crossfold
