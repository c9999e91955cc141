#include "experiment/progress_reporter.h"

#include <gtest/gtest.h>

#include <vector>

#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Classes;
using fixture::Learner;
using fixture::ModuloSplits;

// `count` cells of a learner on `rows` rows with two features.
CellBlock Block(std::shared_ptr<const Pipeline> learner, std::int64_t rows, std::int64_t count) {
  return {std::move(learner),
          ModuloSplits(All(Classes(rows, 2)), static_cast<int>(count)),
          0,
          count,
          1,
          nullptr};
}

TEST(TimeLeftTest, NothingIsKnownBeforeACellHasFinished) {
  const std::vector<CellBlock> blocks = {Block(Learner("coin"), 12, 3)};
  EXPECT_FALSE(TimeLeft(blocks).Seconds(5));
}

TEST(TimeLeftTest, EqualCellsTakeEquallyLong) {
  const std::vector<CellBlock> blocks = {Block(Learner("coin"), 12, 4)};
  TimeLeft left(blocks);
  left.Finished(2, 0.5);
  EXPECT_DOUBLE_EQ(*left.Seconds(1), 3);
  for (std::size_t i : {0, 1, 3}) left.Finished(i, 0.5);
  EXPECT_DOUBLE_EQ(*left.Seconds(4), 0);
}

TEST(TimeLeftTest, WorkersThatWorkAtTheSameTimeCountOnce) {
  const std::vector<CellBlock> blocks = {Block(Learner("coin"), 12, 4)};
  TimeLeft left(blocks);
  left.Finished(0, 1);
  left.Finished(1, 1);
  EXPECT_DOUBLE_EQ(*left.Seconds(1), 1);  // two seconds of work in one
}

TEST(TimeLeftTest, ASlowLearnerIsSlowForTheCellsThatItHasLeft) {
  const std::vector<CellBlock> blocks = {Block(Learner("coin"), 12, 4),
                                         Block(Learner("first_class"), 12, 4)};
  TimeLeft left(blocks);
  left.Finished(0, 0.1);
  left.Finished(4, 2);
  EXPECT_DOUBLE_EQ(*left.Seconds(2.1), 3 * 0.1 + 3 * 2);
}

TEST(TimeLeftTest, AnotherSettingOfALearnerTellsMoreThanAnotherLearner) {
  const auto data = All(Classes(12, 2));
  const auto splits = ModuloSplits(data, 4);
  std::vector<CellBlock> blocks = {Block(Learner("first_class"), 12, 4)};
  for (int setting = 0; setting < 2; ++setting) {
    blocks.push_back({Learner("coin"), splits, 0, 4, 1, nullptr});
  }
  TimeLeft left(blocks);
  left.Finished(0, 5);
  left.Finished(4, 1);
  EXPECT_DOUBLE_EQ(*left.Seconds(6), 3 * 5 + 3 * 1 + 4 * 1);
}

TEST(TimeLeftTest, MoreRowsCostMoreWhereNothingElseIsKnown) {
  const std::vector<CellBlock> blocks = {Block(Learner("coin"), 12, 3),
                                         Block(Learner("first_class"), 24, 3)};
  TimeLeft left(blocks);
  left.Finished(0, 1);
  EXPECT_DOUBLE_EQ(*left.Seconds(1), 2 + 3 * 2);
}

TEST(TimeLeftTest, CellsTooShortForTheClockAreToldByTheirCosts) {
  const std::vector<CellBlock> blocks = {Block(Learner("coin"), 12, 4)};
  TimeLeft left(blocks);
  left.Finished(0, 0);
  EXPECT_DOUBLE_EQ(*left.Seconds(3), 9);
}

}  // namespace
}  // namespace crossfold
