#include "crossfold/conformal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "crossfold/error.h"

namespace crossfold {
namespace {

using testing::ElementsAre;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// The scores 1, 2, ... n of rows of fold 0.
OutOfFoldScores Ascending(int n) {
  OutOfFoldScores known;
  for (int i = 1; i <= n; ++i) {
    known.scores.push_back(i);
    known.folds.push_back(0);
  }
  known.units = n;
  return known;
}

Prediction Values(std::vector<double> values) {
  Prediction p;
  for (std::size_t i = 0; i < values.size(); ++i) p.rows.push_back(static_cast<std::int64_t>(i));
  p.values = std::move(values);
  return p;
}

Prediction Probabilities(std::vector<double> probabilities, std::int64_t n_classes,
                         std::int64_t first_row = 0) {
  Prediction p;
  p.n_classes = n_classes;
  p.probabilities = std::move(probabilities);
  for (std::size_t i = 0; i * static_cast<std::size_t>(n_classes) < p.probabilities.size(); ++i) {
    p.rows.push_back(first_row + static_cast<std::int64_t>(i));
  }
  p.labels.assign(p.rows.size(), 0);
  return p;
}

std::shared_ptr<const Dataset> Classes(std::vector<std::int32_t> codes) {
  Roles roles;
  roles.target = "class";
  return Dataset::Create("rows", {Column::Categories("class", std::move(codes), {"a", "b", "c"})},
                         roles);
}

double High(const OutOfFoldScores& known, double coverage) {
  const std::vector<Prediction> predictions = {Values({10})};
  return ConformalIntervals(known, predictions, coverage, IntervalMethod::kPlus).high.front();
}

// Barber et al., section 1.1: the bound is the value of rank ceil((1 - a)(n + 1)).
TEST(ConformalTest, TheBoundIsTheScoreOfTheRankThatIsRoundedUp) {
  EXPECT_EQ(High(Ascending(9), 0.9), 10 + 9);
  EXPECT_EQ(High(Ascending(9), 0.5), 10 + 5);
  EXPECT_EQ(High(Ascending(10), 0.5), 10 + 6);
}

// 0.55 * 100 is 55.00000000000001.
TEST(ConformalTest, AWholeRankIsNotRoundedUpByAnErrorOfRounding) {
  EXPECT_EQ(High(Ascending(99), 0.55), 10 + 55);
}

TEST(ConformalTest, IntervalsOfTooFewRowsAreInfinite) {
  const std::vector<Prediction> predictions = {Values({10})};
  for (const auto method : {IntervalMethod::kPlus, IntervalMethod::kMinmax}) {
    const PredictionRegions made = ConformalIntervals(Ascending(8), predictions, 0.9, method);
    EXPECT_THAT(made.low, ElementsAre(-kInfinite));
    EXPECT_THAT(made.high, ElementsAre(kInfinite));
  }
}

// Of 4 rows and 80 % the rank is 4 from above and 1 from below. Sums 10 + 1, 10 + 2, 20 + 3, 20 +
// 4; differences 10 - 1, 10 - 2, 20 - 3, 20 - 4.
TEST(ConformalTest, EveryScoreIsAddedToThePredictionOfTheModelThatDidNotSeeItsRow) {
  OutOfFoldScores known = Ascending(4);
  known.folds = {0, 0, 1, 1};
  const std::vector<Prediction> predictions = {Values({10, 0}), Values({20, 0})};
  const auto plus = ConformalIntervals(known, predictions, 0.8, IntervalMethod::kPlus);
  EXPECT_THAT(plus.low, ElementsAre(8, -4));
  EXPECT_THAT(plus.high, ElementsAre(24, 4));
  EXPECT_EQ(plus.coverage, 0.8);
}

TEST(ConformalTest, MinmaxTakesTheOuterPredictionsAndTheQuantileOfTheScores) {
  OutOfFoldScores known = Ascending(4);
  known.folds = {0, 0, 1, 1};
  const std::vector<Prediction> predictions = {Values({10}), Values({20})};
  const auto minmax = ConformalIntervals(known, predictions, 0.6, IntervalMethod::kMinmax);
  EXPECT_THAT(minmax.low, ElementsAre(10 - 3));
  EXPECT_THAT(minmax.high, ElementsAre(20 + 3));
}

// Groups of 1, 2 and 3 rows: 0.6 (3 + 1) = 2.4, and the weights of the scores 1 ... 6 are 1, 1/2,
// 1/2, 1/3, 1/3, 1/3.
TEST(ConformalTest, EveryGroupHasTheSameWeight) {
  OutOfFoldScores known = Ascending(6);
  known.weights = {1, 0.5, 0.5, 1 / 3.0, 1 / 3.0, 1 / 3.0};
  known.units = 3;
  EXPECT_EQ(High(known, 0.6), 10 + 5);
  EXPECT_EQ(High(known, 0.75), 10 + 6);
  EXPECT_EQ(High(known, 0.76), kInfinite);
}

TEST(ConformalTest, TheScoreOfAClassIsTheProbabilityOfThoseThatAreMoreProbable) {
  const Prediction p = Probabilities({.5, .3, .2, .5, .3, .2, .5, .3, .2}, 3);
  EXPECT_THAT(ClassScores(*Classes({0, 1, 2}), p, std::nullopt), ElementsAre(0, .5, .8));
}

TEST(ConformalTest, OfEqualProbabilitiesTheLowerClassCountsAsMoreProbable) {
  const Prediction p = Probabilities({.25, .5, .25, .25, .5, .25}, 3);
  EXPECT_THAT(ClassScores(*Classes({0, 2}), p, std::nullopt), ElementsAre(.5, .75));
}

TEST(ConformalTest, ASeedAddsADrawnShareOfTheOwnProbabilityThatDependsOnTheRowAlone) {
  const auto data = Classes({0, 1, 2, 1});
  const auto both = ClassScores(*data, Probabilities({.5, .3, .2, .5, .3, .2}, 3, 1), 7);
  EXPECT_GT(both[0], .5);
  EXPECT_LT(both[0], .8);
  EXPECT_EQ(ClassScores(*data, Probabilities({.5, .3, .2}, 3, 2), 7).front(), both[1]);
  EXPECT_NE(ClassScores(*data, Probabilities({.5, .3, .2}, 3, 2), 8).front(), both[1]);
}

// 4 rows and 70 %: a class is in the set if fewer than 3.5 scores are less than its own.
TEST(ConformalTest, ASetHasTheClassesWithoutTooManyLowerScores) {
  OutOfFoldScores known;
  known.scores = {0, 0, .5, .6};
  known.folds = {0, 0, 1, 1};
  known.units = 4;
  // Scores of the classes: row 0 has 0, .5, .8 in both folds; row 1 has 0, .9, .95 and 0, .4, .8.
  const std::vector<Prediction> predictions = {Probabilities({.5, .3, .2, .9, .05, .05}, 3),
                                               Probabilities({.5, .3, .2, .4, .4, .2}, 3)};
  const auto sets = ConformalSets(known, predictions, predictions[0], 0.7, std::nullopt);
  EXPECT_THAT(sets.in_set, ElementsAre(1, 1, 0, 1, 1, 0));
}

TEST(ConformalTest, WithoutDrawsTheSetHasThePredictedClass) {
  OutOfFoldScores known;
  known.scores = {0, 0, 0, 0};
  known.folds = {0, 0, 0, 0};
  known.units = 4;
  Prediction whole = Probabilities({.2, .3, .5}, 3);
  whole.labels = {2};
  const std::vector<Prediction> predictions = {Probabilities({.5, .3, .2}, 3)};
  EXPECT_THAT(ConformalSets(known, predictions, whole, 0.5, std::nullopt).in_set,
              ElementsAre(1, 0, 1));
}

TEST(ConformalTest, SetsOfTooFewRowsHaveAllClasses) {
  OutOfFoldScores known;
  known.scores = {0, 0};
  known.folds = {0, 0};
  known.units = 2;
  const std::vector<Prediction> predictions = {Probabilities({1, 0, 0}, 3)};
  EXPECT_THAT(ConformalSets(known, predictions, predictions[0], 0.9, std::nullopt).in_set,
              ElementsAre(1, 1, 1));
}

TEST(ConformalTest, PredictionsWithoutProbabilitiesAreRefused) {
  Prediction p;
  p.rows = {0};
  p.labels = {0};
  EXPECT_THROW(ClassScores(*Classes({0}), p, std::nullopt), Error);
}

TEST(ConformalTest, ResidualsHaveNoSign) {
  Roles roles;
  roles.target = "y";
  const auto data = Dataset::Create("rows", {Column::Doubles("y", {1, 2, 3})}, roles);
  Prediction p = Values({5, 1});
  p.rows = {2, 1};
  EXPECT_THAT(ResidualScores(*data, p), ElementsAre(2, 1));
}

}  // namespace
}  // namespace crossfold
