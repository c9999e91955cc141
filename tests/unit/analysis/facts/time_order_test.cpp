#include "analysis/facts/split_facts.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "crossfold/dataset.h"

namespace crossfold {
namespace {

DataView At(std::vector<double> times) {
  Roles roles;
  roles.time = "time";
  return {Dataset::Create("rows", {Column::Doubles("time", std::move(times))}, roles), nullptr};
}

DataView Hours(std::size_t n) {
  std::vector<double> times(n);
  std::iota(times.begin(), times.end(), 0.0);
  return At(std::move(times));
}

bool FoldsMix(const DataView& view, std::vector<std::int32_t> folds, std::int32_t n_folds) {
  return MixesPastAndFuture(*SplitPlan::FromPartitions(view, {{std::move(folds), n_folds}}));
}

bool ListsMix(const DataView& view, std::vector<std::int64_t> train,
              std::vector<std::int64_t> test) {
  return MixesPastAndFuture(*SplitPlan::FromLists(view, {{std::move(train), std::move(test)}}));
}

TEST(TimeOrderTest, DealtRowsMixPastAndFuture) {
  EXPECT_TRUE(FoldsMix(Hours(6), {0, 1, 0, 1, 0, 1}, 2));
}

TEST(TimeOrderTest, BlocksOfTimeDoNotWhateverTheOrderOfTheRows) {
  EXPECT_FALSE(FoldsMix(Hours(6), {0, 0, 1, 1, 2, 2}, 3));
  EXPECT_FALSE(FoldsMix(At({5, 0, 3, 1, 4, 2}), {2, 0, 1, 0, 2, 1}, 3));
}

TEST(TimeOrderTest, BlocksOfRowsMixWhereTheRowsAreNotSortedByTime) {
  EXPECT_TRUE(FoldsMix(At({0, 3, 1, 4, 2, 5}), {0, 0, 1, 1, 2, 2}, 3));
}

TEST(TimeOrderTest, LeaveOneOutMixes) { EXPECT_TRUE(FoldsMix(Hours(3), {0, 1, 2}, 3)); }

TEST(TimeOrderTest, RowsThatAlwaysTrainBetweenTestRowsMix) {
  EXPECT_TRUE(FoldsMix(Hours(5), {0, -1, 0, 1, 1}, 2));
  EXPECT_FALSE(FoldsMix(Hours(5), {-1, 0, 0, 1, 1}, 2));
}

TEST(TimeOrderTest, TrainingOnThePastDoesNotMix) {
  EXPECT_FALSE(ListsMix(Hours(6), {0, 1, 2}, {3, 4}));
}

TEST(TimeOrderTest, TrainingOnBothSidesOfABlockDoesNotMix) {
  EXPECT_FALSE(ListsMix(Hours(6), {0, 1, 4, 5}, {2, 3}));
}

TEST(TimeOrderTest, ATrainingRowBetweenTestRowsMixes) {
  EXPECT_TRUE(ListsMix(Hours(6), {0, 3}, {2, 4}));
}

TEST(TimeOrderTest, ASingleTimeMixesUnlessATimeNextToItIsLeftOut) {
  EXPECT_TRUE(ListsMix(Hours(6), {0, 1, 3, 4}, {2}));
  EXPECT_FALSE(ListsMix(Hours(6), {0, 1, 4, 5}, {2}));
}

TEST(TimeOrderTest, RowsOfTheFirstAndLastTestTimeMayTrain) {
  EXPECT_FALSE(FoldsMix(At({0, 0, 0, 1, 1, 1, 2, 2}), {0, 0, 0, 0, 1, 1, 1, 1}, 2));
}

TEST(TimeOrderTest, AnyRepeatCounts) {
  EXPECT_TRUE(MixesPastAndFuture(
      *SplitPlan::FromPartitions(Hours(4), {{{0, 0, 1, 1}, 2}, {{0, 1, 0, 1}, 2}})));
}

TEST(TimeOrderTest, InsideARowSetOnlyItsRowsCount) {
  DataView view = Hours(6);
  view.rows =
      std::make_shared<const std::vector<std::int64_t>>(std::vector<std::int64_t>{5, 3, 1, 0});
  EXPECT_FALSE(FoldsMix(view, {1, 1, 0, 0}, 2));
  EXPECT_TRUE(FoldsMix(view, {1, 0, 1, 0}, 2));
}

TEST(TimeOrderTest, WithoutATimeColumnNothingMixes) {
  const DataView view = {Dataset::Create("rows", {Column::Doubles("x", {0, 1, 2, 3})}, {}),
                         nullptr};
  EXPECT_FALSE(FoldsMix(view, {0, 1, 0, 1}, 2));
}

}  // namespace
}  // namespace crossfold
