#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/plugins/split_fixture.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;

TEST(LeaveOneOutTest, EachRowIsAFoldOfItsOwn) {
  const auto plan = MakePlan("leave_one_out", PlainData(4), {});
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{0, 1, 2, 3}));
}

TEST(LeaveOneOutTest, AllOtherRowsTrain) {
  const auto plan = MakePlan("leave_one_out", PlainData(4), {});
  EXPECT_EQ(plan->Rows(2).train, (Rows{0, 1, 3}));
}

TEST(LeaveOneOutTest, TheSeedDoesNotMatter) {
  EXPECT_EQ(FoldsOf(*MakePlan("leave_one_out", PlainData(30), {}, 1)),
            FoldsOf(*MakePlan("leave_one_out", PlainData(30), {}, 2)));
}

TEST(LeaveOneOutTest, AMillionRowsArePlannedAsOnePartition) {
  const auto plan = MakePlan("leave_one_out", PlainData(1000000), {});
  EXPECT_EQ(plan->size(), 1000000);
  ASSERT_EQ(plan->partitions().size(), 1u);
  EXPECT_EQ(plan->partitions().front().fold_of_row.back(), 999999);
}

TEST(LeaveOneOutTest, OneRowIsRefused) {
  EXPECT_EQ(RefusalOf("leave_one_out", PlainData(1), {}),
            "cannot split dataset 'rows' (1 rows) with 'leave_one_out': leave-one-out needs at "
            "least 2 rows, got 1");
}

TEST(LeaveOneOutTest, GroupsAreRefused) {
  EXPECT_EQ(RefusalOf("leave_one_out", TwelveRowsInFourGroups(), {}),
            "cannot split dataset 'rows' (12 rows) with 'leave_one_out': the dataset has groups, "
            "and the other rows of its group would train for the row left out; use kfold with as "
            "many folds as groups, or read the data without groups");
}

}  // namespace
}  // namespace crossfold
