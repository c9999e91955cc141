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

TEST(LeaveOneOutTest, RefusesWithTheFindingAndTheWayOut) {
  ExpectRefusals(
      "leave_one_out",
      {
          {"one row", PlainData(1), {}, "leave-one-out needs at least 2 rows, got 1"},
          {"groups",
           TwelveRowsInFourGroups(),
           {},
           "the dataset has groups, and the other rows of its group would train for the row left "
           "out; use kfold with as many folds as groups, or read the data without groups"},
      });
}

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

TEST(LeavePOutTest, RefusesWithTheFindingAndTheWayOut) {
  ExpectRefusals("leave_p_out",
                 {
                     {"too many splits are refused with their number",
                      PlainData(20),
                      {{"max_splits", 189}},
                      "leaving 2 of 20 rows out makes 190 splits, more than max_splits = 189; "
                      "raise max_splits, leave out fewer, or use kfold"},
                     // 1000 choose 10 = 263409560461970212832400 (Python's math.comb).
                     {"a huge number of splits is rounded",
                      PlainData(1000),
                      {{"p", 10}},
                      "leaving 10 of 1000 rows out makes about 2.63e+23 splits, more than "
                      "max_splits = 100000; raise max_splits, leave out fewer, or use kfold"},
                     {"nothing to train on",
                      PlainData(4),
                      {{"p", 4}},
                      "p = 4 leaves no training row of the 4 rows; use at most p = 3"},
                     {"one row", PlainData(1), {}, "leave-p-out needs at least 2 rows, got 1"},
                     {"groups",
                      TwelveRowsInFourGroups(),
                      {},
                      "the dataset has groups, and the other rows of a group would train for the "
                      "rows left out; use leave_one_group_out, or read the data without groups"},
                 });
}

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

TEST(LeaveOneGroupOutTest, RefusesWithTheFindingAndTheWayOut) {
  ExpectRefusals(
      "leave_one_group_out",
      {
          {"a single group",
           GroupData({3, 3, 3}),
           {},
           "all rows are in one group; leaving it out leaves nothing to train on"},
          {"as many groups out as there are",
           TwelveRowsInFourGroups(),
           {{"groups_out", 4}},
           "groups_out = 4 leaves no training group of the 4 groups; use at most groups_out = 3"},
          {"too many splits are refused with their number",
           TwelveRowsInFourGroups(),
           {{"groups_out", 2}, {"max_splits", 5}},
           "leaving 2 of 4 groups out makes 6 splits, more than max_splits = 5; raise max_splits, "
           "leave out fewer, or use kfold"},
      });
}

}  // namespace
}  // namespace crossfold
