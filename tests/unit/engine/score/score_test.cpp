#include <limits>

#include "crossfold/row_scores.h"
#include "crossfold/score.h"
#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

using fixture::Classes;
using fixture::ExpectError;
using fixture::Metric;
using fixture::Numbers;

// Predictions of two classes.
Prediction Labels(std::vector<std::int64_t> rows, std::vector<std::int32_t> labels) {
  Prediction p;
  p.rows = std::move(rows);
  p.labels = std::move(labels);
  p.n_classes = 2;
  return p;
}

// Classes(6, 2) are those of the rows 0 1 2 3 4 5: 0 1 0 1 0 1.
TEST(ScorePredictionTest, ComparesWithTheTruthOfTheRows) {
  const Score score =
      ScorePrediction(*Metric("hits"), *Classes(6, 2), Labels({0, 1, 2, 3}, {0, 0, 0, 1}));
  EXPECT_TRUE(score.defined);
  EXPECT_EQ(score.value, 0.75);
  EXPECT_EQ(score.undefined, "");
}

TEST(ScorePredictionTest, TakesRowsInAnyOrderAndAgain) {
  const Score score =
      ScorePrediction(*Metric("hits"), *Classes(6, 2), Labels({5, 0, 5, 4, 0}, {1, 0, 0, 0, 1}));
  EXPECT_EQ(score.value, 0.6);
}

TEST(ScorePredictionTest, WeighsTheRows) {
  Roles roles;
  roles.target = "class";
  roles.weights = "w";
  const auto data = Dataset::Create(
      "weighted",
      {Column::Doubles("w", {1, 2, 4, 8}), Column::Categories("class", {0, 1, 0, 1}, {"a", "b"})},
      roles);
  // Rows 3 and 0 are right: (8 + 1) / (8 + 4 + 1).
  EXPECT_EQ(ScorePrediction(*Metric("hits"), *data, Labels({3, 2, 0}, {1, 1, 0})).value, 9.0 / 13);
}

TEST(ScorePredictionTest, GivesProbabilitiesOfTheTrueClass) {
  Prediction p = Labels({1, 2}, {1, 0});
  p.probabilities = {0.25, 0.75, 0.5, 0.5};
  EXPECT_EQ(ScorePrediction(*Metric("true_probability"), *Classes(6, 2), p).value, 0.625);
}

TEST(ScorePredictionTest, ScoresNumbers) {
  Prediction p;
  p.rows = {2, 0};
  p.values = {31, 13};
  EXPECT_EQ(ScorePrediction(*Metric("mean_difference"), *Numbers({1, 2, 3}, {10, 20, 30}), p).value,
            2);
}

void ExpectUndefined(const Score& score, const std::string& reason) {
  EXPECT_FALSE(score.defined);
  EXPECT_EQ(score.undefined, reason);
}

TEST(ScorePredictionTest, IsUndefinedIfTheMetricSaysSo) {
  ExpectUndefined(
      ScorePrediction(*Metric("hits", {{"mode", "undefined"}}), *Classes(6, 2), Labels({0}, {0})),
      "one class only");
}

TEST(ScorePredictionTest, IsUndefinedWithoutWhatTheMetricNeeds) {
  const auto data = Classes(6, 2);
  const Prediction labels = Labels({0}, {0});
  ExpectUndefined(ScorePrediction(*Metric("true_probability"), *data, labels),
                  "learner gives no probabilities");
  ExpectUndefined(ScorePrediction(*Metric("needs_costs"), *data, labels), "there are no costs");
  ExpectUndefined(ScorePrediction(*Metric("needs_group_ids"), *data, labels),
                  "the dataset has no groups");
  ExpectUndefined(ScorePrediction(*Metric("needs_training_target"), *data, labels),
                  "the training rows are not known");
  ExpectUndefined(ScorePrediction(*Metric("hits"), *data, Labels({0}, {})),
                  "learner gives no labels");
  ExpectUndefined(ScorePrediction(*Metric("hits"), *data, Labels({}, {})),
                  "there are no predictions");
}

TEST(ScorePredictionTest, MayBeAnInfinityThatIsABound) {
  EXPECT_EQ(
      ScorePrediction(*Metric("hits", {{"mode", "bound"}}), *Classes(6, 2), Labels({0}, {0})).value,
      -std::numeric_limits<double>::infinity());
}

void ExpectFailed(const std::string& mode, const std::string& reason) {
  ExpectError(
      ErrorKind::kFailed,
      "cannot score 'fixture.hits{mode=" + mode + "}' on dataset 'classes': " + reason, [&] {
        ScorePrediction(*Metric("hits", {{"mode", mode}}), *Classes(6, 2), Labels({0}, {0}));
      });
}

TEST(ScorePredictionTest, FailsIfTheMetricFails) { ExpectFailed("throw", "the scale broke"); }

TEST(ScorePredictionTest, FailsForNaN) {
  ExpectFailed("not_a_number", "returned NaN without a reason");
}

TEST(ScorePredictionTest, FailsForAnInfinityThatIsNoBound) {
  ExpectFailed("infinite", "returned inf, which is not one of its bounds");
}

TEST(CheckMetricTest, RefusesMetricsOfAnotherTask) {
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot use metric 'fixture.hits' on dataset 'numbers': it is for classification, "
              "the target 'y' is numeric; if its numbers name classes, read it with types = { y = "
              "\"categorical\" }",
              [] {
                CheckMetric(*Metric("hits"), *Numbers({1, 2}, {3, 4}));
              });
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot use metric 'fixture.mean_difference' on dataset 'classes': it is for "
              "regression, the target 'class' is categorical",
              [] { CheckMetric(*Metric("mean_difference"), *Classes(6, 2)); });
  EXPECT_NO_THROW(CheckMetric(*Metric("hits"), *Classes(6, 2)));
}

TEST(ScorePredictionTest, WhatTheMetricLogsAndWarningsAboutItReachTheLog) {
  fixture::LogLines log;
  ScorePrediction(*Metric("hits", {{"mode", "loud"}}), *Classes(6, 2), Labels({0}, {0}),
                  log.sink());
  EXPECT_THAT(log.lines,
              testing::ElementsAre(
                  testing::Pair(CF_LOG_INFO, "here I am"),
                  testing::Pair(CF_LOG_WARN, "score fixture.hits: changed the rounding mode")));
}

void ExpectNoPrediction(const Prediction& p, const std::string& problem) {
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot score 'fixture.hits' on dataset 'classes': the prediction " + problem,
              [&] { ScorePrediction(*Metric("hits"), *Classes(6, 2), p); });
}

TEST(ScorePredictionTest, RowsMustBeThoseOfTheDataset) {
  ExpectNoPrediction(Labels({0, 6}, {0, 0}),
                     "is for row 7, which is not among the 6 rows of the dataset");
  ExpectNoPrediction(Labels({-1}, {0}),
                     "is for row 0, which is not among the 6 rows of the dataset");
}

TEST(ScorePredictionTest, ClassesMustBeThoseOfTheDataset) {
  ExpectNoPrediction(Labels({0, 1}, {0, 2}), "has class index 2; there are 2 classes");
  ExpectNoPrediction(Labels({0, 1}, {-1, 0}), "has class index -1; there are 2 classes");
  Prediction p = Labels({0}, {0});
  p.n_classes = 3;
  ExpectNoPrediction(p, "has 3 classes, the dataset 2");
}

TEST(ScorePredictionTest, ArraysMustHaveAnEntryARow) {
  ExpectNoPrediction(Labels({0, 1}, {0}), "has 1 labels instead of 2");
  Prediction p = Labels({0, 1}, {0, 1});
  p.values = {1};
  ExpectNoPrediction(p, "has 1 values instead of 4");
  p.values = {};
  p.probabilities = {0.5, 0.5};
  ExpectNoPrediction(p, "has 2 probabilities instead of 4");
}

TEST(ScorePredictionsTest, GivesTheScoresInTheOrderOfTheMetrics) {
  Prediction p = Labels({1, 2}, {1, 1});
  p.probabilities = {0.25, 0.75, 0.5, 0.5};
  const std::vector<Score> scores =
      ScorePredictions({Metric("hits"), Metric("true_probability")}, *Classes(6, 2), p);
  ASSERT_EQ(scores.size(), 2u);
  EXPECT_EQ(scores[0].value, 0.5);
  EXPECT_EQ(scores[1].value, 0.625);
}

TEST(ScorePredictionsTest, OneMayBeUndefinedWithoutTheOther) {
  const std::vector<Score> scores = ScorePredictions({Metric("true_probability"), Metric("hits")},
                                                     *Classes(6, 2), Labels({1, 2}, {1, 1}));
  EXPECT_FALSE(scores[0].defined);
  EXPECT_EQ(scores[0].undefined, "learner gives no probabilities");
  EXPECT_TRUE(scores[1].defined);
}

TEST(ScorePredictionsTest, NamesTheOneThatFails) {
  const MetricList metrics = {Metric("hits"), Metric("hits", {{"mode", "throw"}})};
  ExpectError(ErrorKind::kFailed,
              "cannot score 'fixture.hits, fixture.hits{mode=throw}' on dataset 'classes': score "
              "fixture.hits: the scale broke",
              [&] { ScorePredictions(metrics, *Classes(6, 2), Labels({0}, {0})); });
}

TEST(ScorePredictionsTest, OfNoMetricsIsEmpty) {
  EXPECT_TRUE(ScorePredictions({}, *Classes(6, 2), Labels({1}, {1})).empty());
}

TEST(ScorePredictionTest, RowsReachAStreamingMetricInBlocks) {
  // 64 KiB of two doubles a row are 4096 rows.
  const auto blocks = [](std::size_t n) {
    std::vector<std::int64_t> rows(n, 0);
    std::vector<std::int32_t> labels(n, 0);
    return ScorePrediction(*Metric("counted", {{"mode", "blocks"}}), *Classes(6, 2),
                           Labels(rows, labels))
        .value;
  };
  EXPECT_EQ(blocks(4096), 1);
  EXPECT_EQ(blocks(4097), 2);
  EXPECT_EQ(blocks(3 * 4096), 3);
}

TEST(ScorePredictionTest, AStreamingMetricSeesEveryRowOnce) {
  std::vector<std::int64_t> rows;
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < 10000; ++i) {
    rows.push_back(static_cast<std::int64_t>(i % 6));
    labels.push_back(i < 2500 ? static_cast<std::int32_t>(i % 2) : 1);  // truth: row % 2
  }
  const Prediction p = Labels(rows, labels);
  EXPECT_EQ(ScorePrediction(*Metric("counted"), *Classes(6, 2), p).value, (2500 + 3750) / 10000.0);
}

TEST(ScorePredictionTest, AStreamingMetricMayBeUndefinedAtAnyCall) {
  const Prediction p = Labels(std::vector<std::int64_t>(5000, 1), std::vector<std::int32_t>(5000));
  ExpectUndefined(
      ScorePrediction(*Metric("counted", {{"mode", "begin_undefined"}}), *Classes(6, 2), p),
      "nothing to begin with");
  ExpectUndefined(
      ScorePrediction(*Metric("counted", {{"mode", "add_undefined"}}), *Classes(6, 2), p),
      "not in this block");
}

TEST(ScorePredictionTest, AStreamingMetricMayFail) {
  const Prediction p = Labels(std::vector<std::int64_t>(5000, 1), std::vector<std::int32_t>(5000));
  ExpectError(ErrorKind::kFailed,
              "cannot score 'fixture.counted{mode=throw_in_add}' on dataset 'classes': lost count",
              [&] {
                ScorePrediction(*Metric("counted", {{"mode", "throw_in_add"}}), *Classes(6, 2), p);
              });
}

TEST(CheckMetricTest, AsksTheMetricItself) {
  EXPECT_NO_THROW(CheckMetric(*Metric("counted", {{"positive", "b"}}), *Classes(6, 2)));
  ExpectError(
      ErrorKind::kInvalidArgument,
      "cannot use metric 'fixture.counted{positive='c'}' on dataset 'classes': 'c' is not a class",
      [] {
        CheckMetric(*Metric("counted", {{"positive", "c"}}), *Classes(6, 2));
      });
}

TEST(ScorePredictionTest, CostsOfTheDatasetReachTheMetric) {
  const auto data = Dataset::WithCosts(*Classes(6, 2), {2, 2, {0, 1, 5, 0}});
  EXPECT_EQ(ScorePrediction(*Metric("costs"), *data, Labels({0}, {1})).value, 6e6);
  const auto by_row =
      Dataset::Create("rows",
                      {Column::Doubles("if_a", {1, 2}), Column::Doubles("if_b", {10, 20}),
                       Column::Categories("class", {0, 1}, {"a", "b"})},
                      {.target = "class", .row_costs = {{"a", "if_a"}, {"b", "if_b"}}});
  EXPECT_EQ(ScorePrediction(*Metric("costs"), *by_row, Labels({1, 0, 1}, {0, 1, 1})).value,
            2 + 10 + 20);
}

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

using fixture::All;
using fixture::Learner;
using fixture::ModuloSplits;

std::vector<Outcome> RunAll(std::shared_ptr<const Pipeline> learner, MetricList metrics,
                            Keep keep) {
  const auto splits = ModuloSplits(All(Classes(12, 2)), 3);
  const auto shared = std::make_shared<const MetricList>(std::move(metrics));
  std::vector<Cell> cells;
  for (std::int64_t s = 0; s < splits->size(); ++s) {
    cells.push_back({learner, splits, s, 7, shared, keep});
  }
  return RunAndScore(cells, RunOptions());
}

TEST(RunAndScoreTest, ScoresEveryCellByEveryMetric) {
  // fold 0 tests rows 0 3 6 9 of the classes 0 1 0 1; the learner always says 0.
  const auto outcomes =
      RunAll(Learner("first_class"), {Metric("hits"), Metric("true_probability")}, Keep::kNothing);
  ASSERT_THAT(outcomes, SizeIs(3));
  ASSERT_THAT(outcomes[0].scores, SizeIs(2));
  EXPECT_EQ(outcomes[0].scores[0].value, 0.5);
  EXPECT_FALSE(outcomes[0].scores[1].defined);
  EXPECT_EQ(outcomes[0].scores[1].undefined, "learner gives no probabilities");
  EXPECT_THAT(outcomes[0].prediction.labels, IsEmpty());
}

TEST(RunAndScoreTest, ProbabilitiesAreThereForMetricsThatNeedThem) {
  const auto outcomes = RunAll(Learner("coin"), {Metric("true_probability")}, Keep::kLabels);
  EXPECT_TRUE(outcomes[0].scores[0].defined);
  EXPECT_THAT(outcomes[0].prediction.probabilities, IsEmpty());
  EXPECT_THAT(outcomes[0].prediction.labels, SizeIs(4));
}

TEST(RunAndScoreTest, ScoringTheKeptPredictionsAgainGivesTheSame) {
  const auto metric = Metric("true_probability");
  const auto data = Classes(12, 2);
  for (const Outcome& outcome : RunAll(Learner("coin"), {metric}, Keep::kProbabilities)) {
    EXPECT_EQ(ScorePrediction(*metric, *data, outcome.prediction).value, outcome.scores[0].value);
  }
}

TEST(RunAndScoreTest, AMetricThatFailsFailsItsCell) {
  const auto outcomes = RunAll(
      Learner("coin"), {Metric("hits"), Metric("hits", {{"mode", "not_a_number"}})}, Keep::kLabels);
  EXPECT_EQ(outcomes[0].status, OutcomeStatus::kFailed);
  EXPECT_EQ(outcomes[0].failure.stage, "score fixture.hits");
  EXPECT_EQ(outcomes[0].failure.code, CF_E_NUMERIC);
  EXPECT_EQ(outcomes[0].failure.message, "returned NaN without a reason");
  EXPECT_THAT(outcomes[0].scores, IsEmpty());
}

TEST(RunAndScoreTest, AnUndefinedScoreIsNoFailure) {
  const auto outcomes =
      RunAll(Learner("coin"), {Metric("hits", {{"mode", "undefined"}})}, Keep::kNothing);
  EXPECT_EQ(outcomes[0].status, OutcomeStatus::kOk);
  EXPECT_EQ(outcomes[0].scores[0].undefined, "one class only");
}

TEST(RunAndScoreTest, FailedCellsHaveNoScores) {
  const auto outcomes =
      RunAll(Learner("coin", {{"mode", "throw_in_fit"}}), {Metric("hits")}, Keep::kNothing);
  EXPECT_EQ(outcomes[0].status, OutcomeStatus::kFailed);
  EXPECT_THAT(outcomes[0].scores, IsEmpty());
}

TEST(RunAndScoreTest, ScoresAreThereWhenACellIsFinished) {
  const auto splits = ModuloSplits(All(Classes(12, 2)), 3);
  const auto metrics = std::make_shared<const MetricList>(MetricList{Metric("hits")});
  const Cell cell{Learner("first_class"), splits, 0, 7, metrics, Keep::kNothing};
  RunOptions options;
  double seen = 0;
  options.on_finished = [&](std::size_t, Outcome& outcome) { seen = outcome.scores[0].value; };
  RunAndScore({&cell, 1}, options);
  EXPECT_EQ(seen, 0.5);
}

TEST(RunAndScoreTest, AMetricMayCompareWithTheTrainingRows) {
  // Fold 0 of 3 tests the rows 0 3 6 9 of 12, which have the classes 0 1 0 1.
  const auto outcomes =
      RunAll(Learner("first_class"), {Metric("training_target"), Metric("hits")}, Keep::kNothing);
  ASSERT_TRUE(outcomes[0].scores[0].defined);
  EXPECT_EQ(outcomes[0].scores[0].value, 4);
}

}  // namespace
}  // namespace crossfold
