#include <gtest/gtest.h>

#include "unit/plugins/ranking_fixture.h"

namespace crossfold {
namespace {

double Lift(const TwoClasses& rows, double share) {
  return ValueOf(ScoreTwo("lift", rows, {{"share", share}}));
}

TEST(LiftTest, IsTheShareAmongTheHighestByTheShareOfAll) {
  // binary16: the four highest are positive, positive, negative, positive; 6 of 16 are.
  EXPECT_DOUBLE_EQ(Lift(VectorRows(TestVector("binary16")), 0.25), (3.0 / 4) / (6.0 / 16));
}

TEST(LiftTest, OfATenthIsTheDefault) {
  // 1.6 of 16 rows: the highest two are positive.
  EXPECT_DOUBLE_EQ(ValueOf(ScoreTwo("lift", VectorRows(TestVector("binary16")))), 16.0 / 6);
}

TEST(LiftTest, OfAllRowsIsOne) { EXPECT_EQ(Lift(RandomRows(1, 33, 5, true), 1), 1); }

TEST(LiftTest, ATieOnTheBorderCountsInParts) {
  // Half of four rows: .9, and one of three that are tied, two of which are positive.
  EXPECT_DOUBLE_EQ(Lift({{1, 1, 1, 0}, {.9, .5, .5, .5}}, 0.5), ((1 + 2.0 / 3) / 2) / (3.0 / 4));
}

TEST(LiftTest, AWeightIsARepetition) {
  const TwoClasses rows = RandomRows(5, 60, 20, true);
  for (const double share : {0.1, 0.37, 0.8}) {
    EXPECT_DOUBLE_EQ(Lift(rows, share), Lift(Repeated(rows), share));
    EXPECT_DOUBLE_EQ(Lift(rows, share), Lift(Reversed(rows), share));
  }
}

TEST(LiftTest, OfOneClassIsUndefined) {
  ExpectUndefined(ScoreTwo("lift", {{0, 0}, {.5, .7}}), "every row is of class 'A'");
}

TEST(LiftTest, OfThreeClassesNeedsTheName) {
  EXPECT_EQ(Refusal("lift", 3),
            "cannot use metric 'lift' on dataset 'truth': the dataset has 3 classes; name one with "
            "positive = \"...\"");
}

TEST(LiftTest, AShareOfTheWeightsTooSmallForANumberIsAnErrorAndNoValue) {
  try {
    ScoreProbabilities("lift", *TruthData({0, 1}, 2, {1e-10, 1e-10}), {.5, .5, .2, .8},
                       {{"share", 5e-324}});
    FAIL() << "was accepted";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "cannot score 'lift{share=5e-324}' on dataset 'truth': share times the total "
                 "weight of the rows is too small for a number");
  }
}

}  // namespace
}  // namespace crossfold
