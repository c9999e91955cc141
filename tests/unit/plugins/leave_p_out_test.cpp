#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/plugins/split_fixture.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;

TEST(LeavePOutTest, EveryPairIsTestedOnceInLexicographicOrder) {
  const auto plan = MakePlan("leave_p_out", PlainData(4), {});
  EXPECT_THAT(TestRowsOf(*plan),
              ElementsAre(Rows{0, 1}, Rows{0, 2}, Rows{0, 3}, Rows{1, 2}, Rows{1, 3}, Rows{2, 3}));
}

TEST(LeavePOutTest, AllOtherRowsTrain) {
  const auto plan = MakePlan("leave_p_out", PlainData(5), {{"p", 3}});
  ASSERT_EQ(plan->size(), 10);
  for (std::int64_t split = 0; split < 10; ++split) ExpectComplementary(plan->Rows(split), 5);
}

TEST(LeavePOutTest, OneRowAtATimeIsLeaveOneOut) {
  EXPECT_EQ(FoldsOf(*MakePlan("leave_p_out", PlainData(6), {{"p", 1}})),
            FoldsOf(*MakePlan("leave_one_out", PlainData(6), {})));
}

TEST(LeavePOutTest, AsManySplitsAsAllowedAreMade) {
  EXPECT_EQ(MakePlan("leave_p_out", PlainData(20), {{"p", 2}, {"max_splits", 190}})->size(), 190);
}

TEST(LeavePOutTest, TooManySplitsAreRefusedWithTheirNumber) {
  EXPECT_EQ(
      RefusalOf("leave_p_out", PlainData(20), {{"max_splits", 189}}),
      "cannot split dataset 'rows' (20 rows) with 'leave_p_out{max_splits=189}': leaving 2 of "
      "20 rows out makes 190 splits, more than max_splits = 189; raise max_splits, leave out "
      "fewer, or use kfold");
}

TEST(LeavePOutTest, AHugeNumberOfSplitsIsRounded) {
  // 1000 choose 10 = 263409560461970212832400 (Python's math.comb).
  EXPECT_EQ(
      RefusalOf("leave_p_out", PlainData(1000), {{"p", 10}}),
      "cannot split dataset 'rows' (1000 rows) with 'leave_p_out{p=10}': leaving 10 of 1000 "
      "rows out makes about 2.63e+23 splits, more than max_splits = 100000; raise max_splits, "
      "leave out fewer, or use kfold");
}

TEST(LeavePOutTest, NothingToTrainOnIsRefused) {
  EXPECT_EQ(
      RefusalOf("leave_p_out", PlainData(4), {{"p", 4}}),
      "cannot split dataset 'rows' (4 rows) with 'leave_p_out{p=4}': p = 4 leaves no training "
      "row of the 4 rows; use at most p = 3");
}

TEST(LeavePOutTest, OneRowIsRefused) {
  EXPECT_EQ(RefusalOf("leave_p_out", PlainData(1), {}),
            "cannot split dataset 'rows' (1 rows) with 'leave_p_out': leave-p-out needs at least 2 "
            "rows, got 1");
}

TEST(LeavePOutTest, GroupsAreRefused) {
  EXPECT_EQ(RefusalOf("leave_p_out", TwelveRowsInFourGroups(), {}),
            "cannot split dataset 'rows' (12 rows) with 'leave_p_out': the dataset has groups, and "
            "the other rows of a group would train for the rows left out; use leave_one_group_out, "
            "or read the data without groups");
}

}  // namespace
}  // namespace crossfold
