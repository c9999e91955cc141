#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "analysis/facts/changed_rows.h"
#include "analysis/facts/number_forms.h"
#include "analysis/facts/split_facts.h"
#include "crossfold/dataset.h"

namespace crossfold {
namespace {

std::shared_ptr<const Dataset> Make(std::vector<Column> columns) {
  return Dataset::Create("data", std::move(columns), {});
}

TEST(FindColumnChangesTest, CountsTheRowsWithAnotherEntry) {
  const auto before =
      Make({Column::Doubles("x", {1, 2, NAN, 4}), Column::Doubles("z", {1, 2, 3, 4})});
  const auto after =
      Make({Column::Doubles("x", {1, 3, 2, NAN}), Column::Doubles("z", {1, 2, 3, 4})});
  const std::vector<std::int64_t> all{0, 1, 2, 3}, some{0, 3};
  auto changes = FindColumnChanges(*before, *after, all);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].column, "x");
  EXPECT_EQ(changes[0].fate, ColumnFate::kChanged);
  EXPECT_EQ(changes[0].count, 3);
  EXPECT_EQ(changes[0].first_row, 1);
  changes = FindColumnChanges(*before, *after, some);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].count, 1);
  EXPECT_EQ(changes[0].first_row, 3);
}

TEST(FindColumnChangesTest, TypesAndOrdersOfLevelsDoNotMatterNorDoesNaN) {
  const auto before =
      Make({Column::Doubles("x", {1, NAN}), Column::Categories("c", {0, 1}, {"a", "b"})});
  const auto after = Make(
      {Column::Categories("c", {1, 0}, {"b", "a"}), Column::Integers("x", {1, 0}, {true, false})});
  const std::vector<std::int64_t> all{0, 1};
  EXPECT_TRUE(FindColumnChanges(*before, *after, all).empty());
}

TEST(FindColumnChangesTest, ColumnsThatAreGoneOrNewAreNamed) {
  const auto before = Make({Column::Doubles("a", {1}), Column::Doubles("b", {1})});
  const auto after = Make({Column::Doubles("b", {1}), Column::Doubles("c", {1})});
  const std::vector<std::int64_t> all{0};
  const auto changes = FindColumnChanges(*before, *after, all);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].column, "a");
  EXPECT_EQ(changes[0].fate, ColumnFate::kGone);
  EXPECT_EQ(changes[1].column, "c");
  EXPECT_EQ(changes[1].fate, ColumnFate::kNew);
}

// Forms of numbers as CLDR lists them (en 1,234.5; de 1.234,5; fr 1 234,5 with U+202F; de-CH
// 1'234.5 with U+2019; hi 12,34,567), and what only looks like them.
TEST(NumberSignsTest, GroupsOfThousandsAreJoined) {
  const NumberSigns english{'.', ','}, german{',', '.'}, french{',', ' '}, swiss{'.', '\''};
  EXPECT_EQ(WithPlainSigns("1,234.5", english), "1234.5");
  EXPECT_EQ(WithPlainSigns("-12,345,678", english), "-12345678");
  EXPECT_EQ(WithPlainSigns("1.234.567,25", german), "1234567.25");
  EXPECT_EQ(WithPlainSigns("1 234,5", french), "1234.5");
  EXPECT_EQ(WithPlainSigns("1\u202F234\u00A0567,5", french), "1234567.5");
  EXPECT_EQ(WithPlainSigns("1'234\u2019567.5", swiss), "1234567.5");
  EXPECT_EQ(WithPlainSigns("1_000_000", {'.', '_'}), "1000000");
  EXPECT_EQ(WithPlainSigns("12,34,567.5", english), "1234567.5");
}

TEST(NumberSignsTest, NumbersWithoutGroupsStayNumbers) {
  EXPECT_EQ(WithPlainSigns("1234.5", {'.', ','}), "1234.5");
  EXPECT_EQ(WithPlainSigns("1234,5", {',', '.'}), "1234.5");
  EXPECT_EQ(WithPlainSigns("0,5", {',', '.'}), "0.5");
  EXPECT_EQ(WithPlainSigns("1,234e3", {'.', ','}), "1234e3");
  EXPECT_EQ(WithPlainSigns("", {'.', ','}), "");
  EXPECT_EQ(WithPlainSigns("-", {'.', ','}), "-");
}

TEST(NumberSignsTest, BlanksAroundANumberDoNotCountWhereTheyAreSigns) {
  EXPECT_EQ(WithPlainSigns("\u00A0 12\u202F\u00A0", {'.', ' '}), "12");
  EXPECT_EQ(WithPlainSigns("\u00A0", {'.', ' '}), "");
  EXPECT_EQ(WithPlainSigns("\u00A012", {'.', ','}), "\u00A012");
}

// 1,23 read as 123 would be wrong by a hundred: whoever wrote it means a decimal comma.
TEST(NumberSignsTest, OtherGroupsAreNoNumbers) {
  for (const char* text : {"1,23", "1,2345", "1234,567", "0,123", "012,345", ",123", "1,,234",
                           "1,234,", "1.5,000", "123,45,678", "1,23,45"}) {
    EXPECT_EQ(WithPlainSigns(text, {'.', ','}), text);
  }
  EXPECT_EQ(WithPlainSigns("1.23", {',', '.'}), "1,23");
  EXPECT_EQ(WithPlainSigns("1.5", {',', '\0'}), "1,5");
}

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
