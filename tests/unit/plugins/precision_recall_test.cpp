#include <gtest/gtest.h>

#include <cmath>

#include "unit/plugins/ranking_fixture.h"

namespace crossfold {
namespace {

TEST(AveragePrecisionTest, OfTheVectors) {
  for (const char* id : {"binary16", "binary9"}) {
    const auto vector = TestVector(id);
    EXPECT_NEAR(ValueOf(ScoreTwo("average_precision", VectorRows(vector))), vector["out"]["ap"],
                vector["tol"])
        << id;
  }
}

TEST(AveragePrecisionTest, OfTiesTakesThemTogether) {
  // First .7: recall 1/2, precision 1; then .5: recall 1, precision 2/3.
  EXPECT_DOUBLE_EQ(ValueOf(ScoreTwo("average_precision", {{1, 1, 0, 0}, {.5, .7, .5, .2}})),
                   0.5 + 0.5 * 2 / 3);
}

TEST(AveragePrecisionTest, AWeightIsARepetition) {
  const TwoClasses rows = RandomRows(3, 60, 20, true);
  for (const char* metric : {"average_precision", "pr_auc"}) {
    EXPECT_DOUBLE_EQ(ValueOf(ScoreTwo(metric, rows)), ValueOf(ScoreTwo(metric, Repeated(rows))));
    EXPECT_DOUBLE_EQ(ValueOf(ScoreTwo(metric, rows)), ValueOf(ScoreTwo(metric, Reversed(rows))));
  }
}

TEST(AveragePrecisionTest, AveragesOverThreeClasses) {
  // scikit-learn 1.2.1: average_precision_score(np.eye(3)[y], P, average="macro" / "weighted").
  EXPECT_NEAR(ValueOf(ScoreHandTill("average_precision", {{"average", "ovr_macro"}})),
              0.8495370370370371, 1e-12);
  EXPECT_NEAR(ValueOf(ScoreHandTill("average_precision", {{"average", "ovr_weighted"}})),
              0.8444444444444444, 1e-12);
}

TEST(AveragePrecisionTest, OfOneClassIsUndefined) {
  ExpectUndefined(ScoreTwo("average_precision", {{1, 1}, {.5, .7}}), "every row is of class 'B'");
  ExpectUndefined(ScoreTwo("pr_auc", {{0, 0}, {.5, .7}}), "every row is of class 'A'");
}

TEST(AveragePrecisionTest, OfThreeClassesNeedsAChoice) {
  for (const std::string metric : {"average_precision", "pr_auc"}) {
    EXPECT_EQ(Refusal(metric, 3), "cannot use metric '" + metric +
                                      "' on dataset 'truth': the dataset has 3 classes; name one "
                                      "with positive = \"...\", or choose average = ovr_macro or "
                                      "ovr_weighted");
    EXPECT_EQ(Refusal(metric, 3, {{"average", "ovr_macro"}}), "");
  }
}

// Adds up very many small steps between two thresholds.
double AreaByNumbers(double tp0, double fp0, double tp1, double fp1, double positives) {
  constexpr int kSteps = 200000;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double part = (i + 0.5) / kSteps;
    const double tp = tp0 + part * (tp1 - tp0);
    sum += tp / (tp + fp0 + part * (fp1 - fp0));
  }
  return sum / kSteps * (tp1 - tp0) / positives;
}

TEST(PrAucTest, IsTheAreaUnderTheHyperbolas) {
  // Thresholds by (true, false) positives: (1, 0), (1, 2), (3, 3), (4, 6).
  const TwoClasses rows{{1, 0, 0, 1, 1, 0, 1, 0, 0, 0}, {.9, .8, .8, .6, .6, .6, .1, .1, .1, .1}};
  const double expected = 0.25 + AreaByNumbers(1, 2, 3, 3, 4) + AreaByNumbers(3, 3, 4, 6, 4);
  EXPECT_NEAR(ValueOf(ScoreTwo("pr_auc", rows)), expected, 1e-10);
}

TEST(PrAucTest, ByChanceIsTheShareOfThePositives) {
  // One tie: the precision is 1/4 all along.
  EXPECT_DOUBLE_EQ(ValueOf(ScoreTwo("pr_auc", {{1, 0, 0, 0}, {.5, .5, .5, .5}})), 0.25);
}

TEST(PrAucTest, OfTrapezoidsIsTheExampleOfScikitLearn) {
  // precision_recall_curve's example: y = 0 0 1 1, s = 0.1 0.4 0.35 0.8: (1 + 1) / 2 x 1/2 to
  // recall 1/2, then precision 1/2, then from 1/2 to 2/3 over the last half.
  const TwoClasses rows{{0, 0, 1, 1}, {.1, .4, .35, .8}};
  EXPECT_DOUBLE_EQ(ValueOf(ScoreTwo("pr_auc", rows, {{"interpolation", "trapezoid"}})),
                   0.5 + 0.5 * (1.0 / 2 + 2.0 / 3) / 2);
}

TEST(PrAucTest, APerfectRankingHasAllOfTheArea) {
  const TwoClasses rows{{0, 0, 1, 1}, {.1, .2, .3, .4}};
  for (const char* metric : {"average_precision", "pr_auc"}) {
    EXPECT_EQ(ValueOf(ScoreTwo(metric, rows)), 1);
  }
}

}  // namespace
}  // namespace crossfold
