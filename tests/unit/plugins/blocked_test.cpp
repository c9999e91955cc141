#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/plugins/split_fixture.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;

TEST(BlockedTest, BlocksFollowTheTimeAndTheFirstOnesAreLarger) {
  const auto plan = MakePlan("blocked", TimeData({5, 1, 4, 2, 3}), {{"folds", 2}});
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{1, 0, 1, 0, 0}));
}

TEST(BlockedTest, BlocksInTheOrderOfRowsAreThoseOfKFold) {
  EXPECT_EQ(
      FoldsOf(*MakePlan("blocked", PlainData(23), {{"folds", 4}, {"order", std::string("rows")}})),
      FoldsOf(*MakePlan("kfold", PlainData(23),
                        {{"folds", 4}, {"shuffle", false}, {"order", std::string("blocks")}})));
}

TEST(BlockedTest, RowsOfOneTimeStayTogether) {
  const auto plan = MakePlan("blocked", TimeData({1, 1, 1, 1, 2, 3}), {{"folds", 3}});
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{0, 0, 0, 0, 1, 2}));
}

TEST(BlockedTest, AGapIsLeftOutOnBothSides) {
  const auto plan = MakePlan("blocked", ClockData(9), {{"folds", 3}, {"gap", 2}});
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Rows{0, 1, 2}, Rows{3, 4, 5}, Rows{6, 7, 8}));
  EXPECT_THAT(TrainRowsOf(*plan), ElementsAre(Rows{5, 6, 7, 8}, Rows{0, 8}, Rows{0, 1, 2, 3}));
}

TEST(BlockedTest, MoreFoldsThanStepsAreRefused) {
  EXPECT_EQ(RefusalOf("blocked", TimeData({1, 2, 3, 1, 2}), {{"folds", 4}}),
            "cannot split dataset 'rows' (5 rows) with 'blocked{folds=4}': 4 folds exceed the 3 "
            "time steps; use at most 3 folds");
}

TEST(BlockedTest, ASingleTimeIsRefused) {
  EXPECT_EQ(RefusalOf("blocked", TimeData({1, 1}), {{"folds", 2}}),
            "cannot split dataset 'rows' (2 rows) with 'blocked{folds=2}': there is only 1 time "
            "step; blocks need at least 2");
}

TEST(BlockedTest, AGapThatLeavesNothingToTrainOnIsRefused) {
  EXPECT_EQ(RefusalOf("blocked", ClockData(9), {{"folds", 3}, {"gap", 3}}),
            "cannot split dataset 'rows' (9 rows) with 'blocked{folds=3,gap=3}': a gap of 3 time "
            "steps on each side of block 2 of 3 leaves nothing to train on; use a smaller gap");
}

TEST(BlockedTest, NoTimeColumnIsRefused) {
  EXPECT_EQ(
      RefusalOf("blocked", PlainData(9), {{"folds", 3}}),
      "cannot split dataset 'rows' (9 rows) with 'blocked{folds=3}': there is no time column; "
      "read the data with time = \"<column>\", or use order = \"rows\"");
}

TEST(BlockedTest, GroupsThatWouldBeTornApartAreRefused) {
  const auto data = TimeData({1, 2, 3, 4}, {7, 8, 8, 9});
  EXPECT_EQ(RefusalOf("blocked", data, {{"folds", 2}}),
            "cannot split dataset 'rows' (4 rows) with 'blocked{folds=2}': row 2 is tested while "
            "row 3 of the same group trains; use a splitter that keeps groups together, such as "
            "kfold, or ignore_groups = true");
  EXPECT_THAT(FoldsOf(*MakePlan("blocked", data, {{"folds", 2}, {"ignore_groups", true}})),
              ElementsAre(Folds{0, 0, 1, 1}));
}

TEST(BlockedTest, GroupsInsideBlocksArePossible) {
  const auto plan = MakePlan("blocked", TimeData({1, 2, 3, 4}, {7, 7, 8, 8}), {{"folds", 2}});
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{0, 0, 1, 1}));
}

}  // namespace
}  // namespace crossfold
