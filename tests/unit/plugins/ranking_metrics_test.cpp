#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "unit/engine/data/refusal.h"
#include "unit/plugins/ranking_fixture.h"

namespace crossfold {
namespace {

// ---- precision and recall ----------------------------------------------------------------------

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
    EXPECT_EQ(MetricRefusal(metric, 3),
              "cannot use metric '" + metric +
                  "' on dataset 'truth': the dataset has 3 classes; name one "
                  "with positive = \"...\", or choose average = ovr_macro or "
                  "ovr_weighted");
    EXPECT_EQ(MetricRefusal(metric, 3, {{"average", "ovr_macro"}}), "");
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

// One step from a positive row of weight 1 to all others, whose negatives outweigh everything: the
// curve falls from precision 1 at once.
TEST(PrAucTest, AStepWhoseSlopeIsTooLargeForANumberHasAnArea) {
  const auto data = TruthData({1, 1, 0}, 2, {1e-200, 1e-200, 1e200});
  const Score score = ScoreProbabilities("pr_auc", *data, {.1, .9, .5, .5, .5, .5});
  EXPECT_NEAR(score.value, 0.5, 1e-12);
}

// ---- equal error rate --------------------------------------------------------------------------

double Eer(const TwoClasses& rows, const char* convention) {
  return ValueOf(ScoreTwo("equal_error_rate", rows, {{"convention", convention}}));
}

TEST(EqualErrorRateTest, OfTheVectorsInThreeConventions) {
  for (const char* id : {"binary16", "binary9"}) {
    const auto vector = TestVector(id);
    for (const auto& [convention, name] : {std::pair{"interpolate", "eer_interp"},
                                           {"nearest", "eer_nearest"},
                                           {"hull", "eer_hull"}}) {
      if (!vector["out"].contains(name)) continue;
      EXPECT_NEAR(Eer(VectorRows(vector), convention), vector["out"][name], vector["tol"])
          << id << " " << convention;
    }
  }
}

TEST(EqualErrorRateTest, InterpolatesUnlessAskedOtherwise) {
  EXPECT_EQ(ValueOf(ScoreTwo("equal_error_rate", VectorRows(TestVector("binary9")))), 0.25);
}

TEST(EqualErrorRateTest, OfPerfectAndReversedRankings) {
  for (const char* convention : {"interpolate", "nearest"}) {
    EXPECT_EQ(Eer({{0, 1}, {.2, .7}}, convention), 0) << convention;
    EXPECT_EQ(Eer({{1, 0}, {.2, .7}}, convention), 1) << convention;
  }
  EXPECT_EQ(Eer({{0, 1}, {.2, .7}}, "hull"), 0);
  // Always or never predicting the class is on the hull, and so is every mixture of both.
  EXPECT_EQ(Eer({{1, 0}, {.2, .7}}, "hull"), 0.5);
}

TEST(EqualErrorRateTest, OfOneTieIsOneHalf) {
  for (const char* convention : {"interpolate", "nearest", "hull"}) {
    EXPECT_EQ(Eer({{0, 1, 0}, {.5, .5, .5}}, convention), 0.5) << convention;
  }
}

TEST(EqualErrorRateTest, OfTheMirroredProblemIsTheSame) {
  const TwoClasses rows = RandomRows(7, 50, 16, false);
  for (const char* convention : {"interpolate", "hull"}) {
    EXPECT_NEAR(ValueOf(ScoreTwo("equal_error_rate", rows,
                                 {{"convention", convention}, {"positive", "A"}})),
                Eer(rows, convention), 1e-15);
  }
}

TEST(EqualErrorRateTest, OfOneClassIsUndefined) {
  ExpectUndefined(ScoreTwo("equal_error_rate", {{1, 1}, {.5, .7}}), "every row is of class 'B'");
}

TEST(EqualErrorRateTest, OfThreeClassesNeedsTheName) {
  EXPECT_EQ(MetricRefusal("equal_error_rate", 3),
            "cannot use metric 'equal_error_rate' on dataset 'truth': the dataset has 3 classes; "
            "name one with positive = \"...\"");
  EXPECT_EQ(MetricRefusal("equal_error_rate", 3, {{"positive", "A"}}), "");
}

// ---- lift --------------------------------------------------------------------------------------

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

TEST(LiftTest, OfOneClassIsUndefined) {
  ExpectUndefined(ScoreTwo("lift", {{0, 0}, {.5, .7}}), "every row is of class 'A'");
}

TEST(LiftTest, OfThreeClassesNeedsTheName) {
  EXPECT_EQ(MetricRefusal("lift", 3),
            "cannot use metric 'lift' on dataset 'truth': the dataset has 3 classes; name one with "
            "positive = \"...\"");
}

TEST(LiftTest, AShareOfTheWeightsTooSmallForANumberIsAnErrorAndNoValue) {
  EXPECT_EQ(test::MessageOf([&] {
              ScoreProbabilities("lift", *TruthData({0, 1}, 2, {1e-10, 1e-10}), {.5, .5, .2, .8},
                                 {{"share", 5e-324}});
            }),
            "cannot score 'lift{share=5e-324}' on dataset 'truth': share times the total "
            "weight of the rows is too small for a number");
}

// ---- all of them -------------------------------------------------------------------------------

TEST(RankingMetricsTest, AWeightIsARepetitionAndOrderDoesNotMatter) {
  const std::vector<std::pair<const char*, ParamValues>> metrics = {
      {"average_precision", {}},
      {"pr_auc", {}},
      {"equal_error_rate", {{"convention", "interpolate"}}},
      {"equal_error_rate", {{"convention", "nearest"}}},
      {"equal_error_rate", {{"convention", "hull"}}},
      {"lift", {{"share", 0.1}}},
      {"lift", {{"share", 0.37}}},
      {"lift", {{"share", 0.8}}}};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const TwoClasses rows = RandomRows(seed, 60, 20, true);
    for (const auto& [metric, values] : metrics) {
      const double value = ValueOf(ScoreTwo(metric, rows, values));
      EXPECT_DOUBLE_EQ(value, ValueOf(ScoreTwo(metric, Repeated(rows), values))) << metric << seed;
      EXPECT_DOUBLE_EQ(value, ValueOf(ScoreTwo(metric, Reversed(rows), values))) << metric << seed;
    }
  }
}

}  // namespace
}  // namespace crossfold
