#include "crossfold/scored_rows.h"

#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::Classes;
using fixture::ExpectError;

// Rows 4 and 1 of six; their classes of three: 1 and 1.
Prediction Probabilities() {
  Prediction p;
  p.rows = {4, 1, 2};
  p.n_classes = 3;
  p.probabilities = {.1, .7, .2, .3, .3, .4, 0, .5, .5};
  return p;
}

TEST(OneAgainstRestTest, TakesTheProbabilitiesAndRowsOfOneClass) {
  const OwnedScoredRows rows = OneAgainstRest(*Classes(6, 3), Probabilities(), 1);
  EXPECT_EQ(rows.scores, (std::vector<double>{.7, .3, .5}));
  EXPECT_EQ(rows.positive, (std::vector<std::uint8_t>{1, 1, 0}));
  EXPECT_TRUE(rows.weights.empty());
}

TEST(OneAgainstRestTest, TakesTheWeightsOfTheDataset) {
  Roles roles;
  roles.target = "class";
  roles.weights = "w";
  const auto data = Dataset::Create(
      "weighted",
      {Column::Doubles("w", {1, 2, 4}), Column::Categories("class", {0, 1, 0}, {"a", "b"})}, roles);
  Prediction p;
  p.rows = {2, 0};
  p.n_classes = 2;
  p.probabilities = {.5, .5, .25, .75};
  EXPECT_EQ(OneAgainstRest(*data, p, 1).weights, (std::vector<double>{4, 1}));
}

TEST(OneAgainstRestTest, RefusesWhatHasNoProbabilitiesOrOtherClasses) {
  const auto expect = [](const std::string& text, Prediction p, std::int64_t positive) {
    ExpectError(ErrorKind::kInvalidArgument, "cannot draw a curve: " + text,
                [&] { OneAgainstRest(*Classes(6, 3), p, positive); });
  };
  expect("there is no class 4", Probabilities(), 3);
  Prediction labels = Probabilities();
  labels.probabilities.clear();
  expect("the learner gives no probabilities, or they were not kept; use one that does", labels, 1);
  Prediction two = Probabilities();
  two.n_classes = 2;
  expect("the prediction has other classes than dataset 'classes'", two, 1);
  Prediction beyond = Probabilities();
  beyond.rows[0] = 6;
  expect("the prediction is for row 7, which is not among the 6 rows of 'classes'", beyond, 1);
  ExpectError(ErrorKind::kInvalidArgument, "cannot draw a curve: the target is not categorical",
              [&] { OneAgainstRest(*fixture::Numbers({1}, {1}), Probabilities(), 1); });
}

// Counts are multiplied: with 1e-200 an area would be 0 / 0 and an interval would have no width.
TEST(CheckScoredRowsTest, RefusesWeightsWhoseProductsAreNoNumbers) {
  const std::vector<double> scores = {.5, .5};
  const std::vector<std::uint8_t> positive = {1, 0};
  for (const double weight : {1e-60, 1e60}) {
    const std::vector<double> weights = {weight, 0};
    CheckScoredRows({scores, positive, weights});
  }
  const std::vector<double> tiny = {1, 1e-200}, huge = {1e300, 1};
  const std::string way_out =
      ", and weights other than 0 must be between 1e-60 and 1e+60; multiply them all by one number";
  ExpectError(ErrorKind::kInvalidArgument, "cannot draw a curve: weight 2 is 1e-200" + way_out,
              [&] {
                CheckScoredRows({scores, positive, tiny});
              });
  ExpectError(ErrorKind::kInvalidArgument, "cannot draw a curve: weight 1 is 1e+300" + way_out,
              [&] {
                CheckScoredRows({scores, positive, huge});
              });
}

}  // namespace
}  // namespace crossfold
