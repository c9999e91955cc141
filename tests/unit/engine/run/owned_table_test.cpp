#include "engine/run/owned_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "crossfold_plugin/view.hpp"

namespace crossfold {
namespace {

using ::testing::ElementsAre;

constexpr std::array<const char*, 2> kLevels = {"low", "high"};

// Columns d (double), b (bool, entry 1 missing, bitmap from bit 3), c (ordered category); rows 2 1.
class OwnedTableTest : public testing::Test {
 protected:
  OwnedTableTest() {
    columns_[0].data = doubles_.data();
    columns_[0].name = "d";
    columns_[0].dtype = CF_F64;
    columns_[1].data = bools_.data();
    columns_[1].name = "b";
    columns_[1].dtype = CF_BOOL8;
    columns_[1].validity = &validity_;
    columns_[1].validity_offset = 3;
    columns_[2].data = codes_.data();
    columns_[2].name = "c";
    columns_[2].dtype = CF_CAT32;
    columns_[2].levels = kLevels.data();
    columns_[2].n_levels = 2;
    columns_[2].flags = CF_COLUMN_ORDERED;
    input_.struct_size = sizeof(cf_table);
    input_.n_rows_total = 3;
    input_.n_rows = 2;
    input_.rows = rows_.data();
    input_.n_features = 3;
    input_.features = columns_.data();
  }

  void* Add(const OwnedTable& table, const char* name, std::int32_t dtype,
            std::uint8_t** validity = nullptr) {
    return table.sink()->add_column(table.sink(), name, dtype, nullptr, 0, 0, validity);
  }

  const std::array<double, 3> doubles_ = {0.5, 1.5, 2.5};
  const std::array<std::uint8_t, 3> bools_ = {1, 1, 1};
  const std::uint8_t validity_ = 0b00101000;
  const std::array<std::int32_t, 3> codes_ = {0, 1, -1};
  const std::array<std::int64_t, 2> rows_ = {2, 1};
  std::array<cf_column, 3> columns_{};
  cf_table input_{};
};

TEST_F(OwnedTableTest, PassedColumnsHoldTheRowsOfTheView) {
  OwnedTable table(input_);
  for (std::int64_t j = 0; j < 3; ++j) ASSERT_EQ(table.sink()->pass_column(table.sink(), j), CF_OK);
  table.Finish();
  ASSERT_EQ(table.problem(), "");
  const auto columns = table.columns();
  EXPECT_EQ(plugin::EntryAsDouble(columns[0], 0), 2.5);
  EXPECT_EQ(plugin::EntryAsDouble(columns[0], 1), 1.5);
  EXPECT_EQ(plugin::EntryAsDouble(columns[1], 0), 1.0);
  EXPECT_TRUE(std::isnan(plugin::EntryAsDouble(columns[1], 1)));
  EXPECT_TRUE(std::isnan(plugin::EntryAsDouble(columns[2], 0)));
  EXPECT_EQ(plugin::EntryAsDouble(columns[2], 1), 1.0);
  EXPECT_EQ(columns[0].null_count, 0);
  EXPECT_EQ(columns[1].null_count, 1);
  EXPECT_EQ(columns[2].null_count, 1);
  EXPECT_EQ(columns[2].flags, CF_COLUMN_ORDERED);
  EXPECT_STREQ(columns[2].levels[1], "high");
  EXPECT_NE(static_cast<const void*>(columns[2].levels), kLevels.data());
}

TEST_F(OwnedTableTest, NewColumnsAreAlignedAndMissingUntilFilled) {
  OwnedTable table(input_);
  std::uint8_t* validity = nullptr;
  void* numbers = Add(table, "n", CF_F64);
  void* integers = Add(table, "i", CF_I64, &validity);
  ASSERT_NE(numbers, nullptr);
  ASSERT_NE(integers, nullptr);
  ASSERT_NE(validity, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(numbers) % 64, 0u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(integers) % 64, 0u);
  static_cast<double*>(numbers)[1] = 4;
  static_cast<std::int64_t*>(integers)[0] = 8;
  validity[0] = 0b01;
  table.Finish();
  EXPECT_EQ(table.columns()[0].null_count, 1);
  EXPECT_EQ(plugin::EntryAsDouble(table.columns()[0], 1), 4);
  EXPECT_EQ(table.columns()[1].null_count, 1);
  EXPECT_EQ(plugin::EntryAsDouble(table.columns()[1], 0), 8);
}

TEST_F(OwnedTableTest, ManyColumnsKeepTheirNames) {
  OwnedTable table(input_);
  for (int j = 0; j < 500; ++j) {
    ASSERT_NE(Add(table, ("column " + std::to_string(j)).c_str(), CF_F32), nullptr);
  }
  table.Finish();
  EXPECT_STREQ(table.columns()[0].name, "column 0");
  EXPECT_STREQ(table.columns()[499].name, "column 499");
}

TEST_F(OwnedTableTest, WrongColumnsAreRefusedAndTheFirstProblemIsKept) {
  OwnedTable table(input_);
  EXPECT_EQ(Add(table, "x", 7), nullptr);
  EXPECT_EQ(Add(table, nullptr, CF_F64), nullptr);
  EXPECT_EQ(table.sink()->pass_column(table.sink(), 3), CF_E_INVALID_ARGUMENT);
  EXPECT_EQ(table.problem(), "it made a column of an unknown type");
}

TEST_F(OwnedTableTest, ColumnsWithoutANameAreRefused) {
  OwnedTable table(input_);
  EXPECT_EQ(Add(table, "", CF_F64), nullptr);
  EXPECT_EQ(table.problem(), "it made a column without a name");
}

TEST_F(OwnedTableTest, PassingWhatDoesNotExistIsRefused) {
  OwnedTable table(input_);
  EXPECT_EQ(table.sink()->pass_column(table.sink(), -1), CF_E_INVALID_ARGUMENT);
  EXPECT_EQ(table.problem(), "it passed a column that does not exist");
}

TEST_F(OwnedTableTest, LevelsMustFit) {
  const auto add = [&](std::int32_t dtype, const char* const* levels, std::int64_t n) {
    OwnedTable table(input_);
    EXPECT_EQ(table.sink()->add_column(table.sink(), "x", dtype, levels, n, 0, nullptr), nullptr);
    return table.problem();
  };
  constexpr std::array<const char*, 2> kHole = {"low", nullptr};
  EXPECT_EQ(add(CF_F64, kLevels.data(), 2), "it made a column of numbers with levels");
  EXPECT_EQ(add(CF_CAT32, nullptr, 2), "it made a column with a wrong number of levels");
  EXPECT_EQ(add(CF_CAT32, kLevels.data(), -1), "it made a column with a wrong number of levels");
  EXPECT_EQ(add(CF_CAT32, kHole.data(), 2), "it made a level without a name");
}

TEST_F(OwnedTableTest, AllRowsMayBePassedWithoutAnIndex) {
  input_.rows = nullptr;
  input_.n_rows = 3;
  OwnedTable table(input_);
  ASSERT_EQ(table.sink()->pass_column(table.sink(), 0), CF_OK);
  table.Finish();
  EXPECT_THAT(std::span(static_cast<const double*>(table.columns()[0].data), 3),
              ElementsAre(0.5, 1.5, 2.5));
}

}  // namespace
}  // namespace crossfold
