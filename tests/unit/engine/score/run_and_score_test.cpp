#include "crossfold/score.h"
#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Classes;
using fixture::Learner;
using fixture::Metric;
using fixture::ModuloSplits;
using ::testing::IsEmpty;
using ::testing::SizeIs;

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
