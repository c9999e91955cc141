#include "crossfold/row_scores.h"

#include "unit/engine/run/fixture.h"
#include "unit/engine/score/labels.h"

namespace crossfold {
namespace {

using fixture::Classes;
using fixture::Labels;
using fixture::Metric;

TEST(ScoreEachRowTest, ScoresTheRowsInTheOrderOfThePrediction) {
  const RowScores rows =
      ScoreEachRow(*Metric("hits"), *Classes(6, 2), Labels({5, 0, 5}, {1, 1, 0}));
  EXPECT_TRUE(rows.defined());
  EXPECT_EQ(rows.values, (std::vector<double>{1, 0, 0}));
  EXPECT_TRUE(rows.weights.empty());
}

TEST(ScoreEachRowTest, GivesTheWeightsApart) {
  Roles roles;
  roles.target = "class";
  roles.weights = "w";
  const auto data = Dataset::Create(
      "weighted",
      {Column::Doubles("w", {1, 2, 4, 8}), Column::Categories("class", {0, 1, 0, 1}, {"a", "b"})},
      roles);
  const RowScores rows = ScoreEachRow(*Metric("hits"), *data, Labels({3, 2, 0}, {1, 1, 0}));
  EXPECT_EQ(rows.values, (std::vector<double>{1, 0, 1}));
  EXPECT_EQ(rows.weights, (std::vector<double>{8, 4, 1}));
}

TEST(ScoreEachRowTest, UsesTheProbabilitiesOfEachRow) {
  Prediction p = Labels({1, 2}, {1, 0});
  p.probabilities = {0.25, 0.75, 0.5, 0.5};
  EXPECT_EQ(ScoreEachRow(*Metric("true_probability"), *Classes(6, 2), p).values,
            (std::vector<double>{0.75, 0.5}));
}

TEST(ScoreEachRowTest, ASumIsNotAMeanOverRows) {
  const auto data =
      Dataset::Create("rows",
                      {Column::Doubles("if_a", {1, 2}), Column::Doubles("if_b", {10, 20}),
                       Column::Categories("class", {0, 1}, {"a", "b"})},
                      {.target = "class", .row_costs = {{"a", "if_a"}, {"b", "if_b"}}});
  const RowScores rows = ScoreEachRow(*Metric("costs"), *data, Labels({0, 1}, {1, 0}));
  EXPECT_EQ(rows.undefined, "it is not a mean over rows");
  EXPECT_TRUE(rows.values.empty());
}

TEST(ScoreEachRowTest, WithoutAScoreOfAllRowsThereIsNoneOfARow) {
  const RowScores rows =
      ScoreEachRow(*Metric("true_probability"), *Classes(6, 2), Labels({0, 1}, {1, 0}));
  EXPECT_EQ(rows.undefined, "learner gives no probabilities");
}

}  // namespace
}  // namespace crossfold
