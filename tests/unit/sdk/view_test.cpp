#include "crossfold_plugin/view.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "unit/sdk/small_table.h"

namespace crossfold::plugin {
namespace {

using testing::ElementsAre;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A one-column table over foreign memory.
struct OneColumn {
  explicit OneColumn(const void* data, std::int32_t dtype, std::int64_t n_rows) {
    column.data = data;
    column.name = "x";
    column.dtype = dtype;
    table.struct_size = sizeof(cf_table);
    table.n_rows = n_rows;
    table.n_rows_total = n_rows;
    table.n_features = 1;
    table.features = &column;
  }
  OneColumn(const OneColumn&) = delete;
  FeatureView view() const { return FeatureView(table); }
  cf_column column{};
  cf_table table{};
};

TEST(FeatureViewTest, ReadsDoubles) {
  const std::array<double, 2> data = {1.5, -2.25};
  const OneColumn c(data.data(), CF_F64, 2);
  EXPECT_EQ(c.view().x(0, 0), 1.5);
  EXPECT_EQ(c.view().x(1, 0), -2.25);
}

TEST(FeatureViewTest, ReadsFloatsAsTheDoubleOfTheSameValue) {
  const std::array<float, 1> data = {0.1f};
  const OneColumn c(data.data(), CF_F32, 1);
  EXPECT_EQ(c.view().x(0, 0), 0x1.99999ap-4);  // 0.1 rounded to 24 bits
}

TEST(FeatureViewTest, ReadsBothIntegerWidths) {
  const std::array<std::int32_t, 1> narrow = {-7};
  const std::array<std::int64_t, 1> wide = {std::int64_t{1} << 40};
  EXPECT_EQ(OneColumn(narrow.data(), CF_I32, 1).view().x(0, 0), -7.0);
  EXPECT_EQ(OneColumn(wide.data(), CF_I64, 1).view().x(0, 0), 1099511627776.0);
}

TEST(FeatureViewTest, ReadsAnyNonzeroByteOfABooleanAsOne) {
  const std::array<std::uint8_t, 3> data = {0, 1, 255};
  const OneColumn c(data.data(), CF_BOOL8, 3);
  EXPECT_EQ(c.view().x(0, 0), 0.0);
  EXPECT_EQ(c.view().x(1, 0), 1.0);
  EXPECT_EQ(c.view().x(2, 0), 1.0);
}

TEST(FeatureViewTest, ReadsACategoryAsItsCodeAndMinusOneAsMissing) {
  const std::array<std::int32_t, 2> data = {2, -1};
  const std::array<const char*, 3> levels = {"a", "b", "c"};
  OneColumn c(data.data(), CF_CAT32, 2);
  c.column.levels = levels.data();
  c.column.n_levels = 3;
  EXPECT_TRUE(c.view().is_categorical(0));
  EXPECT_EQ(c.view().num_levels(0), 3);
  EXPECT_EQ(c.view().x(0, 0), 2.0);
  EXPECT_TRUE(c.view().is_missing(1, 0));
}

TEST(FeatureViewTest, AnUnknownTypeReadsAsMissing) {
  const std::array<double, 1> data = {1.0};
  EXPECT_TRUE(OneColumn(data.data(), 99, 1).view().is_missing(0, 0));
}

TEST(FeatureViewTest, NanIsMissingInFloatColumns) {
  const std::array<double, 1> wide = {kNan};
  const std::array<float, 1> narrow = {std::numeric_limits<float>::quiet_NaN()};
  EXPECT_TRUE(OneColumn(wide.data(), CF_F64, 1).view().is_missing(0, 0));
  EXPECT_TRUE(OneColumn(narrow.data(), CF_F32, 1).view().is_missing(0, 0));
}

TEST(FeatureViewTest, AnEntryWithoutItsValidityBitIsMissingWhateverTheBufferHolds) {
  const std::array<std::int64_t, 10> data = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const std::array<std::uint8_t, 2> bitmap = {0b11111011, 0b00000001};  // entries 2 and 9 missing
  OneColumn c(data.data(), CF_I64, 10);
  c.column.validity = bitmap.data();
  std::vector<std::int64_t> missing;
  for (std::int64_t i = 0; i < 10; ++i) {
    if (c.view().is_missing(i, 0)) missing.push_back(i);
  }
  EXPECT_THAT(missing, ElementsAre(2, 9));
}

TEST(FeatureViewTest, TheValidityOffsetIsTheBitOfEntryZero) {
  const std::array<double, 3> data = {10, 11, 12};
  const std::array<std::uint8_t, 2> bitmap = {0b10111111, 0b00000001};  // bits 6..8 = 0, 1, 1
  OneColumn c(data.data(), CF_F64, 3);
  c.column.validity = bitmap.data();
  c.column.validity_offset = 6;
  EXPECT_TRUE(c.view().is_missing(0, 0));
  EXPECT_EQ(c.view().x(1, 0), 11.0);
  EXPECT_EQ(c.view().x(2, 0), 12.0);
}

TEST(FeatureViewTest, RowsOfTheViewAreLookedUpByTheirIds) {
  const SmallTable t({{1, 10}, {2, 20}, {3, 30}}, 2);
  const std::vector<std::int64_t> rows = {2, 0, 2};
  const cf_table table = t.View(rows);
  const FeatureView view(table);
  EXPECT_EQ(view.num_rows(), 3);
  EXPECT_EQ(view.num_features(), 2);
  EXPECT_EQ(view.row_id(1), 0);
  EXPECT_EQ(view.name(1), "x1");
  EXPECT_THAT(view.DenseRows(), ElementsAre(3, 30, 1, 10, 3, 30));
  std::vector<double> column(3);
  view.CopyColumn(1, column);
  EXPECT_THAT(column, ElementsAre(30, 10, 30));
}

TEST(TrainingViewTest, ReadsClassesByRowId) {
  SmallTable t({{1}, {2}, {3}}, 1);
  t.WithLabels({0, 1, 2}, {"setosa", "versicolor", "virginica"});
  const std::vector<std::int64_t> rows = {2, 1};
  const cf_table table = t.View(rows);
  const TrainingView view(table);
  EXPECT_TRUE(view.is_classification());
  EXPECT_EQ(view.num_classes(), 3);
  EXPECT_EQ(view.class_name(2), "virginica");
  EXPECT_EQ(view.label(0), 2);
  EXPECT_EQ(view.label(1), 1);
}

TEST(TrainingViewTest, ReadsValuesByRowIdAndHasNoClasses) {
  SmallTable t({{1}, {2}}, 1);
  t.WithValues({0.5, 1.5});
  const std::vector<std::int64_t> rows = {1};
  const cf_table table = t.View(rows);
  const TrainingView view(table);
  EXPECT_FALSE(view.is_classification());
  EXPECT_EQ(view.num_classes(), 0);
  EXPECT_EQ(view.value(0), 1.5);
}

TEST(TrainingViewTest, WeightsBelongToViewRowsAndAreOneIfAbsent) {
  SmallTable t({{1}, {2}, {3}}, 1);
  t.WithValues({0, 0, 0});
  const std::vector<std::int64_t> rows = {2, 0};
  cf_table table = t.View(rows);
  EXPECT_FALSE(TrainingView(table).has_weights());
  EXPECT_EQ(TrainingView(table).weight(1), 1.0);
  const std::array<double, 2> weights = {0.25, 4};
  table.weights = weights.data();
  EXPECT_TRUE(TrainingView(table).has_weights());
  EXPECT_EQ(TrainingView(table).weight(0), 0.25);
  EXPECT_EQ(TrainingView(table).weight(1), 4.0);
}

}  // namespace
}  // namespace crossfold::plugin
