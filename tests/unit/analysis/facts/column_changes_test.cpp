#include "analysis/facts/changed_rows.h"

#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace crossfold
