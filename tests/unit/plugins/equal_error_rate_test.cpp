#include <gtest/gtest.h>

#include "unit/plugins/ranking_fixture.h"

namespace crossfold {
namespace {

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

TEST(EqualErrorRateTest, AWeightIsARepetitionAndOrderDoesNotMatter) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const TwoClasses rows = RandomRows(seed, 40, 12, true);
    for (const char* convention : {"interpolate", "nearest", "hull"}) {
      EXPECT_DOUBLE_EQ(Eer(rows, convention), Eer(Repeated(rows), convention)) << seed;
      EXPECT_DOUBLE_EQ(Eer(rows, convention), Eer(Reversed(rows), convention)) << seed;
    }
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
  EXPECT_EQ(Refusal("equal_error_rate", 3),
            "cannot use metric 'equal_error_rate' on dataset 'truth': the dataset has 3 classes; "
            "name one with positive = \"...\"");
  EXPECT_EQ(Refusal("equal_error_rate", 3, {{"positive", "A"}}), "");
}

}  // namespace
}  // namespace crossfold
