#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/plugins/split_fixture.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;

TEST(LeaveOneGroupOutTest, EachGroupIsAFoldInTheOrderOfItsFirstRow) {
  const auto plan = MakePlan("leave_one_group_out", GroupData({9, 2, 9, 5, 2}), {});
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{0, 1, 0, 2, 1}));
}

TEST(LeaveOneGroupOutTest, SetsOfGroupsAreTestedInLexicographicOrder) {
  const auto plan =
      MakePlan("leave_one_group_out", GroupData({9, 2, 9, 5, 2}), {{"groups_out", 2}});
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Rows{0, 1, 2, 4}, Rows{0, 2, 3}, Rows{1, 3, 4}));
  EXPECT_THAT(TrainRowsOf(*plan), ElementsAre(Rows{3}, Rows{1, 4}, Rows{0, 2}));
}

TEST(LeaveOneGroupOutTest, DataWithoutGroupsAreRefused) {
  EXPECT_EQ(RefusalOf("leave_one_group_out", PlainData(4), {}),
            "cannot split dataset 'rows' with 'leave_one_group_out': it has no group column; read "
            "it with groups = \"<column>\"");
}

TEST(LeaveOneGroupOutTest, ASingleGroupIsRefused) {
  EXPECT_EQ(RefusalOf("leave_one_group_out", GroupData({3, 3, 3}), {}),
            "cannot split dataset 'rows' (3 rows) with 'leave_one_group_out': all rows are in one "
            "group; leaving it out leaves nothing to train on");
}

TEST(LeaveOneGroupOutTest, AsManyGroupsOutAsThereAreAreRefused) {
  EXPECT_EQ(RefusalOf("leave_one_group_out", TwelveRowsInFourGroups(), {{"groups_out", 4}}),
            "cannot split dataset 'rows' (12 rows) with 'leave_one_group_out{groups_out=4}': "
            "groups_out = 4 leaves no training group of the 4 groups; use at most groups_out = 3");
}

TEST(LeaveOneGroupOutTest, TooManySplitsAreRefusedWithTheirNumber) {
  EXPECT_EQ(RefusalOf("leave_one_group_out", TwelveRowsInFourGroups(),
                      {{"groups_out", 2}, {"max_splits", 5}}),
            "cannot split dataset 'rows' (12 rows) with "
            "'leave_one_group_out{groups_out=2,max_splits=5}': leaving 2 of 4 groups out makes 6 "
            "splits, more than max_splits = 5; raise max_splits, leave out fewer, or use kfold");
}

}  // namespace
}  // namespace crossfold
