#include <algorithm>
#include <numeric>

#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Classes;
using fixture::ExpectError;
using fixture::Some;
using ::testing::ElementsAre;

std::shared_ptr<const SplitPlan> Parts(const DataView& view, std::vector<Partition> repeats) {
  return SplitPlan::FromPartitions(view, std::move(repeats));
}

TEST(SplitPlanTest, PartitionTestsEachFoldAndTrainsOnTheRest) {
  const auto plan = Parts(All(Classes(5, 2)), {{{1, 0, 1, 0, 2}, 3}});
  ASSERT_EQ(plan->size(), 3);
  EXPECT_THAT(plan->Rows(0).test, ElementsAre(1, 3));
  EXPECT_THAT(plan->Rows(0).train, ElementsAre(0, 2, 4));
  EXPECT_THAT(plan->Rows(2).test, ElementsAre(4));
  EXPECT_THAT(plan->Rows(2).train, ElementsAre(0, 1, 2, 3));
}

TEST(SplitPlanTest, RowsOfFoldMinusOneAlwaysTrain) {
  const auto plan = Parts(All(Classes(4, 2)), {{{-1, 0, -1, 1}, 2}});
  EXPECT_THAT(plan->Rows(0).train, ElementsAre(0, 2, 3));
  EXPECT_THAT(plan->Rows(1).train, ElementsAre(0, 1, 2));
}

TEST(SplitPlanTest, OneFoldIsEnoughIfSomeRowsAlwaysTrain) {
  const auto plan = Parts(All(Classes(3, 2)), {{{-1, 0, 0}, 1}});
  ASSERT_EQ(plan->size(), 1);
  EXPECT_THAT(plan->Rows(0).train, ElementsAre(0));
  EXPECT_EQ(plan->min_train_rows(), 1);
}

TEST(SplitPlanTest, PredictionsMadeElsewhereHaveOneSplitWithoutTrainingRows) {
  const auto plan = SplitPlan::TestOnly(Some(Classes(5, 2), {3, 1}));
  ASSERT_EQ(plan->size(), 1);
  EXPECT_THAT(plan->Rows(0).test, ElementsAre(3, 1));
  EXPECT_THAT(plan->Rows(0).train, ElementsAre());
  EXPECT_EQ(plan->min_train_rows(), 0);
  const auto again = SplitPlan::FromRows(plan->view().data, {plan->Rows(0)});
  EXPECT_THAT(again->Rows(0).test, ElementsAre(3, 1));
}

TEST(SplitPlanTest, PlansAreTheSameIfTheyDivideTheSameRowsInTheSameWay) {
  const std::vector<Partition> two = {{{0, 1, 0, 1}, 2}}, other = {{{0, 1, 1, 0}, 2}};
  const std::vector<Partition> three = {{{0, 1, 2, 1}, 3}};
  const auto plan = Parts(All(Classes(4, 2)), two);
  EXPECT_TRUE(HaveSameSplits(*plan, *Parts(All(Classes(4, 2)), two)));
  EXPECT_FALSE(HaveSameSplits(*plan, *Parts(All(Classes(4, 2)), other)));
  EXPECT_FALSE(HaveSameSplits(*plan, *Parts(All(Classes(4, 2)), three)));
  EXPECT_TRUE(HaveSameSplits(*plan, *Parts(Some(Classes(4, 2), {0, 1, 2, 3}), two)));
  EXPECT_FALSE(HaveSameSplits(*plan, *Parts(Some(Classes(4, 2), {1, 0, 2, 3}), two)));
  EXPECT_TRUE(HaveSameSplits(
      *plan, *SplitPlan::FromRows(plan->view().data, {plan->Rows(0), plan->Rows(1)})));
}

TEST(SplitPlanTest, PartitionsAreComparedWithoutALookAtEachSplit) {
  const std::vector<Partition> folds = {{{0, 1, 2, 3}, 4}};
  CancelToken cancelled;  // a loop over splits would throw
  cancelled.Cancel();
  EXPECT_TRUE(HaveSameSplits(*Parts(All(Classes(4, 2)), folds), *Parts(All(Classes(4, 2)), folds),
                             &cancelled));
}

TEST(SplitPlanTest, NothingIsFittedOnASplitWithoutTrainingRows) {
  RequireTrainingRows(*Parts(All(Classes(4, 2)), {{{0, 1, 0, 1}, 2}}));
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot fit on a split of 'classes': it has no training rows, as of predictions that "
              "were imported without folds; name their column of folds, or use another splitter",
              [] { RequireTrainingRows(*SplitPlan::TestOnly(All(Classes(4, 2)))); });
}

TEST(SplitPlanTest, RowsOfSeveralSplitsNeedTrainingRows) {
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot split dataset 'classes' (4 rows): split 2 has no training rows", [] {
                SplitPlan::FromRows(Classes(4, 2), {{{0}, {1}}, {{}, {1}}});
              });
}

TEST(SplitPlanTest, RepeatsMayHaveDifferentNumbersOfFolds) {
  const auto plan =
      Parts(All(Classes(4, 2)), {{{0, 1, 0, 1}, 2}, {{0, 1, 2, 3}, 4}, {{1, 1, 0, 0}, 2}});
  ASSERT_EQ(plan->size(), 8);
  std::vector<std::pair<std::int64_t, std::int64_t>> places;
  for (std::int64_t s = 0; s < plan->size(); ++s) {
    places.emplace_back(plan->repeat_of(s), plan->fold_of(s));
  }
  using Place = std::pair<std::int64_t, std::int64_t>;
  EXPECT_THAT(places, ElementsAre(Place{0, 0}, Place{0, 1}, Place{1, 0}, Place{1, 1}, Place{1, 2},
                                  Place{1, 3}, Place{2, 0}, Place{2, 1}));
  EXPECT_THAT(plan->Rows(4).test, ElementsAre(2));
  EXPECT_THAT(plan->Rows(6).test, ElementsAre(2, 3));
}

TEST(SplitPlanTest, FewestTrainingRowsAreThoseOfTheLargestFold) {
  const auto plan = Parts(All(Classes(6, 2)), {{{0, 1, 2, 0, 1, 2}, 3}, {{0, 0, 0, 0, 1, 1}, 2}});
  EXPECT_EQ(plan->min_train_rows(), 2);
}

TEST(SplitPlanTest, EveryRowIsTestedOnceARepeatAndNeverTrainedOnThen) {
  constexpr std::size_t kRows = 101;
  std::vector<std::int32_t> folds(kRows);
  for (std::size_t i = 0; i < kRows; ++i) folds[i] = static_cast<std::int32_t>((i * i) % 7 % 3);
  const auto plan = Parts(All(Classes(kRows, 2)), {{folds, 3}});
  std::vector<std::int64_t> tested;
  for (std::int64_t s = 0; s < plan->size(); ++s) {
    const SplitRows rows = plan->Rows(s);
    tested.insert(tested.end(), rows.test.begin(), rows.test.end());
    std::vector<std::int64_t> both = rows.train;
    both.insert(both.end(), rows.test.begin(), rows.test.end());
    std::sort(both.begin(), both.end());
    std::vector<std::int64_t> all(kRows);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(both, all);
  }
  EXPECT_EQ(tested.size(), kRows);
}

TEST(SplitPlanTest, RowsAreIdsOfTheDatasetNotPositionsInTheView) {
  const auto plan = Parts(Some(Classes(20, 2), {3, 7, 11, 19}), {{{0, 1, 0, 1}, 2}});
  EXPECT_THAT(plan->Rows(0).test, ElementsAre(3, 11));
  EXPECT_THAT(plan->Rows(0).train, ElementsAre(7, 19));
}

TEST(SplitPlanTest, TrainingRowsAscendAlsoInAShuffledView) {
  const auto plan = Parts(Some(Classes(20, 2), {19, 3, 11, 7}), {{{0, 1, 0, 1}, 2}});
  EXPECT_THAT(plan->Rows(0).train, ElementsAre(3, 7));
  EXPECT_THAT(plan->Rows(1).train, ElementsAre(11, 19));
  EXPECT_THAT(plan->Rows(0).test, ElementsAre(19, 11));
}

TEST(SplitPlanTest, AViewMayRepeatRowsThatStayTogether) {
  const auto plan = Parts(Some(Classes(5, 2), {4, 1, 4}), {{{0, 1, 0}, 2}});
  EXPECT_THAT(plan->Rows(0).test, ElementsAre(4, 4));
  EXPECT_THAT(plan->Rows(1).train, ElementsAre(4, 4));
}

TEST(SplitPlanTest, ListsKeepTheirOrderAndRepeats) {
  const auto plan =
      SplitPlan::FromLists(Some(Classes(9, 2), {8, 6, 4, 2}), {{{3, 1, 1}, {2, 0}}, {{2}, {3}}});
  ASSERT_EQ(plan->size(), 2);
  EXPECT_THAT(plan->Rows(0).train, ElementsAre(2, 6, 6));
  EXPECT_THAT(plan->Rows(0).test, ElementsAre(4, 8));
  EXPECT_THAT(plan->Rows(1).train, ElementsAre(4));
  EXPECT_EQ(plan->repeat_of(1), 0);
  EXPECT_EQ(plan->fold_of(1), 1);
  EXPECT_EQ(plan->min_train_rows(), 1);
  EXPECT_TRUE(plan->partitions().empty());
}

TEST(SplitPlanTest, LeaveOneOutOverAMillionRowsKeepsFourBytesARow) {
  constexpr std::int32_t kRows = 1000000;
  std::vector<std::int32_t> folds(kRows);
  std::iota(folds.begin(), folds.end(), 0);
  const auto plan = Parts(All(Classes(kRows, 2)), {{std::move(folds), kRows}});
  EXPECT_EQ(plan->size(), kRows);
  EXPECT_EQ(plan->min_train_rows(), kRows - 1);
  EXPECT_EQ(plan->partitions()[0].fold_of_row.capacity(), std::size_t{kRows});
  const SplitRows rows = plan->Rows(123456);
  EXPECT_THAT(rows.test, ElementsAre(123456));
  EXPECT_EQ(rows.train.size(), std::size_t{kRows - 1});
}

struct BadPartition {
  const char* name;
  std::vector<Partition> repeats;
  const char* problem;
};
class BadPartitionTest : public testing::TestWithParam<BadPartition> {};

TEST_P(BadPartitionTest, IsRefused) {
  ExpectError(ErrorKind::kInvalidArgument,
              std::string("cannot split dataset 'classes' (4 rows): ") + GetParam().problem,
              [&] { Parts(All(Classes(4, 2)), GetParam().repeats); });
}

INSTANTIATE_TEST_SUITE_P(
    SplitPlanTest, BadPartitionTest,
    testing::Values(
        BadPartition{"NoRepeats", {}, "there are no splits"},
        BadPartition{
            "WrongLength", {{{0, 1, 0}, 2}}, "repeat 1 has fold numbers for 3 rows instead of 4"},
        BadPartition{"NoFolds", {{{-1, -1, -1, -1}, 0}}, "repeat 1 has no folds"},
        BadPartition{"MoreFoldsThanRows", {{{0, 1, 2, 3}, 5}}, "repeat 1 has 5 folds for 4 rows"},
        BadPartition{"FoldOutOfRange",
                     {{{0, 1, 2, 0}, 2}},
                     "position 3 is in fold number 2 (counted from 0) of 2 folds in repeat 1"},
        BadPartition{"FoldBelowMinusOne",
                     {{{0, 1, -2, 0}, 2}},
                     "position 3 is in fold number -2 (counted from 0) of 2 folds in repeat 1"},
        BadPartition{
            "EmptyFold", {{{0, 1, 0, 1}, 2}, {{0, 2, 0, 2}, 3}}, "fold 2 of repeat 2 has no rows"},
        BadPartition{
            "EmptyTraining", {{{0, 0, 0, 0}, 1}}, "fold 1 of repeat 1 has no training rows"}),
    [](const auto& info) { return info.param.name; });

TEST(SplitPlanTest, ARowThatAViewHoldsTwiceMustNotTrainAndTest) {
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot split dataset 'classes' (3 rows): row 5 is both trained on and tested in "
              "fold 2 of repeat 1, because these rows hold it more than once; draw rows without "
              "replacement, or give the data groups, which keep the copies of a row together",
              [] {
                Parts(Some(Classes(5, 2), {4, 1, 4}), {{{0, 1, 1}, 2}});
              });
}

TEST(SplitPlanTest, RowsOutsideTheDatasetAreRefused) {
  ExpectError(
      ErrorKind::kInvalidArgument,
      "cannot split dataset 'classes' (2 rows): row 6 is not among the 5 rows of the dataset", [] {
        Parts(Some(Classes(5, 2), {4, 5}), {{{0, 1}, 2}});
      });
}

struct BadList {
  const char* name;
  std::vector<SplitRows> positions;
  const char* problem;
};
class BadListTest : public testing::TestWithParam<BadList> {};

TEST_P(BadListTest, IsRefused) {
  ExpectError(ErrorKind::kInvalidArgument,
              std::string("cannot split dataset 'classes' (3 rows): ") + GetParam().problem, [&] {
                SplitPlan::FromLists(Some(Classes(9, 2), {8, 6, 4}), GetParam().positions);
              });
}

INSTANTIATE_TEST_SUITE_P(
    SplitPlanTest, BadListTest,
    testing::Values(
        BadList{"NoSplits", {}, "there are no splits"},
        BadList{"NoTraining", {{{0}, {1}}, {{}, {1}}}, "split 2 has no training rows"},
        BadList{"NoTest", {{{0}, {}}}, "split 1 has no test rows"},
        BadList{"OutOfRange", {{{0, 3}, {1}}}, "position 4 in split 1 is not among the 3 rows"},
        BadList{"Negative", {{{0}, {-1}}}, "position 0 in split 1 is not among the 3 rows"},
        BadList{"TestedTwice",
                {{{0}, {1, 2}}, {{2}, {1, 0, 1}}},
                "position 2 is tested twice in split 2"},
        BadList{"BothParts",
                {{{0}, {1}}, {{1, 2}, {0, 1}}},
                "row 7 is both trained on and tested in split 2"}),
    [](const auto& info) { return info.param.name; });

TEST(ListedRowsTest, ListsThatAscendComeBackFromOneBytePerRow) {
  const std::vector<std::int64_t> train = {0, 1, 5, 7}, test = {2, 6};
  const ListedRows rows(9, train, test);
  EXPECT_TRUE(rows.is_dense());
  EXPECT_EQ(rows.num_train(), 4U);
  EXPECT_EQ(rows.num_test(), 2U);
  EXPECT_EQ(rows.Rows().train, train);
  EXPECT_EQ(rows.Rows().test, test);
  EXPECT_EQ(rows.TestRows(), test);
}

TEST(ListedRowsTest, OtherListsComeBackAsTheyWere) {
  const std::vector<std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>> cases = {
      {{3, 1}, {2}},        // not ascending
      {{1, 1, 2}, {3}},     // repeated
      {{1, 2}, {3, 2}},     // the test is not ascending
      {{1, 2, 3}, {2, 4}},  // not disjoint
      {{1, 9}, {2}},        // beyond the rows
      {{-1, 3}, {2}}};
  for (const auto& [train, test] : cases) {
    const ListedRows rows(9, train, test);
    EXPECT_FALSE(rows.is_dense());
    EXPECT_EQ(rows.Rows().train, train);
    EXPECT_EQ(rows.Rows().test, test);
    EXPECT_EQ(rows.TestRows(), test);
  }
}

TEST(ListedRowsTest, FewRowsOfManyAreKeptAsLists) {
  EXPECT_FALSE(
      ListedRows(1000, std::vector<std::int64_t>{1, 2}, std::vector<std::int64_t>{3}).is_dense());
}

TEST(SplitPlanTest, TestRowsAreThoseOfRows) {
  const auto partitions =
      SplitPlan::FromPartitions(Some(Classes(20, 3), {19, 3, 0, 7}), {{{0, 1, -1, 0}, 2}});
  const auto lists = SplitPlan::FromLists(All(Classes(9, 2)), {{{0, 1, 2}, {3, 4}}, {{3, 3}, {1}}});
  for (const auto& plan : {partitions, lists}) {
    for (std::int64_t s = 0; s < plan->size(); ++s) {
      EXPECT_EQ(plan->TestRows(s), plan->Rows(s).test);
    }
  }
}

}  // namespace
}  // namespace crossfold
