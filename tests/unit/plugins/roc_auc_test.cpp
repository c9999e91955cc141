#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "unit/engine/data/refusal.h"
#include "unit/plugins/ranking_fixture.h"

namespace crossfold {
namespace {

double Auc(const TwoClasses& rows, const ParamValues& values = {}) {
  return ValueOf(ScoreTwo("roc_auc", rows, values));
}

// All pairs, one by one.
double AucByPairs(const TwoClasses& rows) {
  double right = 0, all = 0;
  for (std::size_t i = 0; i < rows.truth.size(); ++i) {
    for (std::size_t j = 0; j < rows.truth.size(); ++j) {
      if (rows.truth[i] != 1 || rows.truth[j] != 0) continue;
      const double weight = rows.weights.empty() ? 1 : rows.weights[i] * rows.weights[j];
      all += weight;
      if (rows.scores[i] > rows.scores[j]) right += weight;
      if (rows.scores[i] == rows.scores[j]) right += weight / 2;
    }
  }
  return right / all;
}

TEST(RocAucTest, OfTheVectors) {
  for (const char* id : {"binary16", "binary9"}) {
    const auto vector = TestVector(id);
    EXPECT_NEAR(Auc(VectorRows(vector)), vector["out"]["auc"], vector["tol"]) << id;
  }
}

TEST(RocAucTest, OfWeightedRows) {
  const auto vector = TestVector("binary9");
  TwoClasses rows = VectorRows(vector);
  rows.weights = Numbers(vector["in"]["w"]);
  EXPECT_NEAR(Auc(rows), vector["out"]["auc_weighted"], vector["tol"]);
}

TEST(RocAucTest, TiesCountOneHalf) {
  EXPECT_EQ(Auc({{1, 1, 0, 0}, {.5, .7, .5, .2}}), 0.875);  // frameworks.md 4.10
  EXPECT_EQ(Auc({{1, 1, 0}, {.5, .5, .5}}), 0.5);
}

TEST(RocAucTest, IsTheShareOfPairsInTheRightOrder) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const TwoClasses plain = RandomRows(seed, 3 + seed, 1 + seed % 17, false);
    EXPECT_EQ(Auc(plain), AucByPairs(plain)) << seed;
    const TwoClasses weighted = RandomRows(seed, 3 + seed, 1 + seed % 17, true);
    EXPECT_NEAR(Auc(weighted), AucByPairs(weighted), 1e-14) << seed;
  }
}

TEST(RocAucTest, AWeightIsARepetition) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const TwoClasses rows = RandomRows(seed, 50, 10, true);
    EXPECT_EQ(Auc(rows), Auc(Repeated(rows))) << seed;
  }
}

TEST(RocAucTest, TheOrderOfTheRowsDoesNotMatter) {
  const TwoClasses rows = RandomRows(1, 1000, 100000, false);
  EXPECT_EQ(Auc(rows), Auc(Reversed(rows)));
}

// Ranks of the sorted scores (Mann and Whitney): another way than the plugin's.
double AucByRanks(const TwoClasses& rows) {
  std::vector<std::pair<double, std::int32_t>> sorted;
  for (std::size_t i = 0; i < rows.truth.size(); ++i) {
    sorted.emplace_back(rows.scores[i], rows.truth[i]);
  }
  std::sort(sorted.begin(), sorted.end());
  double ranks = 0, positives = 0;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i;
    double tied = 0;
    for (; end < sorted.size() && sorted[end].first == sorted[i].first; ++end) {
      tied += sorted[end].second;
    }
    ranks += tied * static_cast<double>(i + end + 1) / 2;
    positives += tied;
    i = end;
  }
  const double negatives = static_cast<double>(sorted.size()) - positives;
  return (ranks - positives * (positives + 1) / 2) / (positives * negatives);
}

// Sorting takes other ways with many rows, with ties and with scores of very different sizes.
TEST(RocAucTest, OfManyRowsIsExact) {
  for (const std::uint64_t steps : {2ULL, 1000ULL, 1ULL << 52}) {
    for (const std::size_t n : {100u, 5000u, 300000u}) {
      TwoClasses rows = RandomRows(steps + n, n, steps, false);
      EXPECT_EQ(Auc(rows), AucByRanks(rows)) << steps << " " << n;
      for (double& s : rows.scores) s = std::pow(s, 40);  // most are close to 0
      EXPECT_EQ(Auc(rows), AucByRanks(rows)) << steps << " " << n;
      for (double& s : rows.scores) s = 1 - s / 4;  // as float32 would be: few bits
      for (double& s : rows.scores) s = static_cast<float>(s);
      EXPECT_EQ(Auc(rows), AucByRanks(rows)) << steps << " " << n;
    }
  }
}

TEST(RocAucTest, ExtremeScoresAreOrdered) {
  const double least = std::numeric_limits<double>::denorm_min();
  const TwoClasses rows{{0, 1, 0, 1, 1}, {0.0, least, 2 * least, 3 * least, 1}};
  EXPECT_EQ(Auc(rows), 5.0 / 6);
}

TEST(RocAucTest, ZeroWithASignIsZero) {
  EXPECT_EQ(Auc({{0, 1}, {0.0, -0.0}}), 0.5);
  EXPECT_EQ(Auc({{0, 1}, {-0.0, 0.0}}), 0.5);
}

TEST(RocAucTest, TheOtherClassCanBePositive) {
  const TwoClasses rows = VectorRows(TestVector("binary9"));
  EXPECT_NEAR(Auc(rows, {{"positive", "A"}}), 0.8, 1e-15);
}

TEST(RocAucTest, OneOfThreeClassesAgainstTheRest) {
  // .7 .5 .4 .2 of A against .3 .4 .1 .2 .3 .3: 6 + 6 + 5.5 + 1.5 of 24 pairs.
  EXPECT_NEAR(ValueOf(ScoreHandTill("roc_auc", {{"positive", "A"}})), 19.0 / 24, 1e-15);
}

TEST(RocAucTest, AveragesOfThreeClasses) {
  // frameworks.md 4.9
  const auto expect = [](const char* average, double value) {
    EXPECT_NEAR(ValueOf(ScoreHandTill("roc_auc", {{"average", average}})), value, 1e-12) << average;
  };
  expect("ovo", 0.893518518519);
  expect("ovo_weighted", 0.889583333333);
  expect("ovr_macro", 0.890873015873);
  expect("ovr_weighted", 0.880952380952);
  EXPECT_NEAR(ValueOf(ScoreHandTill("roc_auc", {{"average", "ovo"}})),
              TestVector("hand_till")["out"]["M"], 1e-9);
}

TEST(RocAucTest, NamesOfClassesDoNotMatterToAverages) {
  const ManyClasses rows = HandTillRows();
  Labels renamed;
  std::vector<double> permuted;
  for (std::size_t i = 0; i < rows.truth.size(); ++i) {
    renamed.push_back((rows.truth[i] + 1) % 3);
    for (std::size_t c = 0; c < 3; ++c) permuted.push_back(rows.probabilities[3 * i + (c + 2) % 3]);
  }
  for (const char* average : {"ovo", "ovo_weighted", "ovr_macro", "ovr_weighted"}) {
    const Score score =
        ScoreProbabilities("roc_auc", *TruthData(renamed, 3), permuted, {{"average", average}});
    EXPECT_NEAR(ValueOf(score), ValueOf(ScoreHandTill("roc_auc", {{"average", average}})), 1e-15);
  }
}

TEST(RocAucTest, OfOneClassIsUndefined) {
  ExpectUndefined(ScoreTwo("roc_auc", {{1, 1}, {.5, .7}}), "every row is of class 'B'");
  ExpectUndefined(ScoreTwo("roc_auc", {{0, 0}, {.5, .7}}), "every row is of class 'A'");
}

TEST(RocAucTest, WithoutWeightOfAClassIsUndefined) {
  ExpectUndefined(ScoreTwo("roc_auc", {{0, 1}, {.5, .7}, {1, 0}}),
                  "the weights of all rows of class 'B' are zero");
  ExpectUndefined(ScoreTwo("roc_auc", {{0, 1}, {.5, .7}, {0, 1}}),
                  "the weights of all rows of class 'A' are zero");
  ExpectUndefined(ScoreTwo("roc_auc", {{0, 1}, {.5, .7}, {0, 0}}),
                  "the weights of all rows are zero");
}

Score ThreeClasses(const Labels& truth, const ParamValues& values,
                   const std::vector<double>& weights = {}) {
  std::vector<double> probabilities;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    probabilities.insert(probabilities.end(), {.25, .25, .5});
  }
  return ScoreProbabilities("roc_auc", *TruthData(truth, 3, weights), probabilities, values);
}

TEST(RocAucTest, AnAverageWithoutOneOfTheClassesIsUndefined) {
  for (const char* average : {"ovo", "ovo_weighted", "ovr_macro", "ovr_weighted"}) {
    const ParamValues values = {{"average", average}};
    ExpectUndefined(ThreeClasses({0, 2, 0}, values), "no row is of class 'B'");
    ExpectUndefined(ThreeClasses({2, 2}, values), "every row is of class 'C'");
    ExpectUndefined(ThreeClasses({0, 1, 2}, values, {1, 1, 0}),
                    "the weights of all rows of class 'C' are zero");
    ExpectUndefined(ThreeClasses({0, 1, 2}, values, {0, 0, 0}), "the weights of all rows are zero");
  }
}

TEST(RocAucTest, AClassAgainstTheRestNeedsBoth) {
  const ParamValues b = {{"positive", "B"}};
  ExpectUndefined(ThreeClasses({0, 2, 0}, b), "no row is of class 'B'");
  ExpectUndefined(ThreeClasses({1, 1}, b), "every row is of class 'B'");
  ExpectUndefined(ThreeClasses({0, 1, 2}, b, {1, 0, 1}),
                  "the weights of all rows of class 'B' are zero");
  ExpectUndefined(ThreeClasses({0, 1, 2}, b, {0, 1, 0}),
                  "the weights of all rows that are not of class 'B' are zero");
}

TEST(RocAucTest, WithoutRowsIsUndefined) {
  const CallResult result = ScoreNoRows("roc_auc");
  EXPECT_EQ(result.status, CF_E_UNDEFINED);
  EXPECT_EQ(result.message, "there are no rows");
}

TEST(RocAucTest, OfThreeClassesNeedsAChoice) {
  EXPECT_EQ(
      MetricRefusal("roc_auc", 3),
      "cannot use metric 'roc_auc' on dataset 'truth': the dataset has 3 classes; name one with "
      "positive = \"...\", or choose average = ovr_macro, ovr_weighted, ovo or ovo_weighted");
  EXPECT_EQ(MetricRefusal("roc_auc", 3, {{"positive", "C"}}), "");
  EXPECT_EQ(MetricRefusal("roc_auc", 3, {{"average", "ovo"}}), "");
  EXPECT_EQ(MetricRefusal("roc_auc", 2), "");
}

TEST(RocAucTest, AnUnknownClassIsNamedWithTheKnownOnes) {
  EXPECT_EQ(MetricRefusal("roc_auc", 3, {{"positive", "yes"}}),
            "cannot use metric 'roc_auc{positive='yes'}' on dataset 'truth': there is no class "
            "'yes' that could be positive; the classes are 'A', 'B', 'C'");
}

TEST(RocAucTest, AProbabilityThatIsNoneFails) {
  EXPECT_EQ(test::MessageOf([&] {
              ScoreProbabilities("roc_auc", *TruthData({0, 1}, 2), {.5, .5, -.5, 1.5});
            }),
            "cannot score 'roc_auc' on dataset 'truth': a predicted probability of class 'B' is "
            "not between 0 and 1");
}

// (A, B) pairs by weight: B .6 above A .4, B .3 below it.
TEST(RocAucTest, WeightsOfAnyUnitInEachClassGiveTheSameArea) {
  for (const double of_a : {1e-280, 1e-160, 1.0, 1e160, 1e280}) {
    for (const double of_b : {1e-280, 1e-160, 1.0, 1e160, 1e280}) {
      const auto data = TruthData({0, 1, 1}, 2, {of_a, 3 * of_b, of_b});
      const std::vector<double> probabilities = {.6, .4, .4, .6, .7, .3};
      EXPECT_DOUBLE_EQ(ScoreProbabilities("roc_auc", *data, probabilities).value, 0.75);
      EXPECT_DOUBLE_EQ(
          ScoreProbabilities("equal_error_rate", *data, probabilities).value,
          ScoreProbabilities("equal_error_rate", *TruthData({0, 1, 1}, 2, {1, 3, 1}), probabilities)
              .value);
    }
  }
}

TEST(RocAucTest, WeightsBeyondTheRangeOfSumsAreAnErrorAndNoValue) {
  for (const char* metric : {"roc_auc", "average_precision", "lift", "equal_error_rate"}) {
    EXPECT_EQ(test::MessageOf([&] {
                ScoreProbabilities(metric, *TruthData({0, 1}, 2, {1e308, 1e308}), {.5, .5, .5, .5});
              }),
              "cannot score '" + std::string(metric) +
                  "' on dataset 'truth': the weights are too large to be summed; divide them all "
                  "by one number");
  }
}

TEST(GiniTest, IsTwiceTheAreaLessOne) {
  EXPECT_NEAR(ValueOf(ScoreTwo("gini", VectorRows(TestVector("binary9")))), 0.6, 1e-15);
  EXPECT_EQ(ValueOf(ScoreTwo("gini", {{0, 1}, {.7, .2}})), -1);
}

TEST(GiniTest, OfOneClassIsUndefined) {
  ExpectUndefined(ScoreTwo("gini", {{1, 1}, {.5, .7}}), "every row is of class 'B'");
}

}  // namespace
}  // namespace crossfold
