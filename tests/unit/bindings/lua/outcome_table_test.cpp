#include "bindings/lua/outcome_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace crossfold::lua {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Blocks as the table needs them: how many cells, how many metrics, what they keep.
CellBlock BlockOf(std::int64_t count, std::size_t n_metrics, Keep keep = Keep::kNothing) {
  CellBlock block;
  block.count = count;
  if (n_metrics > 0) block.metrics = std::make_shared<const MetricList>(n_metrics);
  block.keep = keep;
  return block;
}

Score Defined(double value) { return {true, value, ""}; }
Score Undefined(std::string reason) { return {false, 0, std::move(reason)}; }

Outcome Ok(std::vector<Score> scores) {
  Outcome outcome;
  outcome.status = OutcomeStatus::kOk;
  outcome.scores = std::move(scores);
  outcome.n_train = 8;
  outcome.n_test = 2;
  outcome.fit_s = 0.5;
  outcome.predict_s = 0.25;
  outcome.prediction.rows = {3, 4};
  outcome.prediction.labels = {1, 0};
  return outcome;
}

TEST(OutcomeTableTest, CellsThatWereNotTakenAreCancelled) {
  const OutcomeTable table({BlockOf(2, 1), BlockOf(1, 0)});
  ASSERT_EQ(table.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(table.status(i), OutcomeStatus::kCancelled);
    EXPECT_EQ(table.failure(i).message, "");
    EXPECT_EQ(table.prediction(i), nullptr);
    EXPECT_THAT(table.warnings(i), IsEmpty());
  }
}

TEST(OutcomeTableTest, EveryCellHasItsNumbersAndTheScoresOfItsBlock) {
  OutcomeTable table({BlockOf(2, 2), BlockOf(3, 0), BlockOf(2, 1)});
  const std::vector<std::vector<Score>> scores = {
      {Defined(1), Defined(2)}, {Defined(3), Defined(4)}, {}, {}, {}, {Defined(5)}, {Defined(6)}};
  for (std::size_t i = scores.size(); i-- > 0;) table.Take(i, Ok(scores[i]));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    EXPECT_EQ(table.status(i), OutcomeStatus::kOk);
    ASSERT_EQ(table.num_metrics(i), scores[i].size()) << i;
    for (std::size_t m = 0; m < scores[i].size(); ++m) {
      EXPECT_EQ(table.undefined(i, m), nullptr);
      EXPECT_EQ(table.score(i, m), scores[i][m].value) << i;
    }
  }
  EXPECT_EQ(table.n_train(4), 8);
  EXPECT_EQ(table.n_test(4), 2);
  EXPECT_EQ(table.fit_s(4), 0.5);
  EXPECT_EQ(table.predict_s(4), 0.25);
  EXPECT_EQ(&table.block_of(4), &table.blocks()[1]);
  EXPECT_EQ(&table.block_of(5), &table.blocks()[2]);
}

TEST(OutcomeTableTest, AnUndefinedScoreKeepsItsReasonBesideDefinedOnes) {
  OutcomeTable table({BlockOf(2, 2)});
  table.Take(0, Ok({Defined(0.75), Undefined("one class only")}));
  table.Take(1, Ok({Defined(0.5), Defined(1)}));
  EXPECT_EQ(table.score(0, 0), 0.75);
  EXPECT_EQ(table.undefined(0, 0), nullptr);
  ASSERT_NE(table.undefined(0, 1), nullptr);
  EXPECT_EQ(*table.undefined(0, 1), "one class only");
  EXPECT_EQ(table.undefined(1, 1), nullptr);
}

TEST(OutcomeTableTest, FailuresAndWarningsStayWithTheirCell) {
  OutcomeTable table({BlockOf(3, 1)});
  Outcome failed;
  failed.status = OutcomeStatus::kFailed;
  failed.failure = {"fit knn", CF_E_NUMERIC, "no distance"};
  failed.n_train = 5;
  table.Take(1, std::move(failed));
  Outcome warned = Ok({Defined(1)});
  warned.warnings = {"fit knn: changed the rounding mode"};
  table.Take(2, std::move(warned));
  EXPECT_EQ(table.status(1), OutcomeStatus::kFailed);
  EXPECT_EQ(table.failure(1).stage, "fit knn");
  EXPECT_EQ(table.failure(1).code, CF_E_NUMERIC);
  EXPECT_EQ(table.failure(1).message, "no distance");
  EXPECT_EQ(table.n_train(1), 5);
  EXPECT_EQ(table.failure(2).message, "");
  EXPECT_THAT(table.warnings(2), ElementsAre("fit knn: changed the rounding mode"));
  EXPECT_THAT(table.warnings(1), IsEmpty());
  EXPECT_EQ(table.score(2, 0), 1);
}

TEST(OutcomeTableTest, PredictionsStayWhereTheBlockKeepsThem) {
  OutcomeTable table({BlockOf(1, 0), BlockOf(2, 0, Keep::kLabels)});
  Outcome failed;
  failed.status = OutcomeStatus::kFailed;
  table.Take(0, Ok({}));
  table.Take(1, Ok({}));
  table.Take(2, std::move(failed));
  EXPECT_EQ(table.prediction(0), nullptr);
  ASSERT_NE(table.prediction(1), nullptr);
  EXPECT_THAT(table.prediction(1)->rows, ElementsAre(3, 4));
  EXPECT_THAT(table.prediction(1)->labels, ElementsAre(1, 0));
  EXPECT_EQ(table.prediction(2), nullptr);
}

TEST(OutcomeTableTest, ManyThreadsMayTakeAtTheSameTime) {
  constexpr std::size_t kCells = 4000;
  OutcomeTable table({BlockOf(kCells / 2, 1, Keep::kLabels), BlockOf(kCells / 2, 1)});
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&table, t] {
      for (std::size_t i = t; i < kCells; i += 4) {
        const bool defined = i % 3 != 0;
        table.Take(i, Ok({defined ? Defined(static_cast<double>(i)) : Undefined("a third")}));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < kCells; ++i) {
    ASSERT_EQ(table.undefined(i, 0) == nullptr, i % 3 != 0) << i;
    if (i % 3 != 0) {
      ASSERT_EQ(table.score(i, 0), static_cast<double>(i));
    }
    ASSERT_EQ(table.prediction(i) != nullptr, i < kCells / 2) << i;
  }
}

}  // namespace
}  // namespace crossfold::lua
