#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "crossfold/dataset.h"
#include "engine/data/iso_time.h"
#include "unit/engine/data/entries.h"

namespace crossfold {
namespace {

TEST(ColumnTest, NanIsMissing) {
  const Column doubles = Column::Doubles("x", {1.5, std::nan("")});
  EXPECT_EQ(doubles.dtype, CF_F64);
  EXPECT_EQ(Entries<double>(doubles), (std::vector<std::optional<double>>{1.5, std::nullopt}));
  const Column floats = Column::Floats("x", {std::nanf(""), 2.5F});
  EXPECT_EQ(floats.dtype, CF_F32);
  EXPECT_EQ(Entries<float>(floats), (std::vector<std::optional<float>>{std::nullopt, 2.5F}));
}

TEST(ColumnTest, IntegersAreMissingWhereTheyAreNotPresent) {
  const Column wide = Column::Integers("n", {1, 2, 3}, {true, false, true});
  EXPECT_EQ(wide.dtype, CF_I64);
  EXPECT_EQ(Entries<std::int64_t>(wide),
            (std::vector<std::optional<std::int64_t>>{1, std::nullopt, 3}));
  const Column narrow = Column::Integers32("n", {4, 5}, {false, true});
  EXPECT_EQ(narrow.dtype, CF_I32);
  EXPECT_EQ(Entries<std::int32_t>(narrow),
            (std::vector<std::optional<std::int32_t>>{std::nullopt, 5}));
}

TEST(ColumnTest, BooleansAreOneByteEach) {
  const Column flags = Column::Booleans("b", {true, false, true}, {true, true, false});
  EXPECT_EQ(flags.dtype, CF_BOOL8);
  EXPECT_EQ(Entries<int>(flags), (std::vector<std::optional<int>>{1, 0, std::nullopt}));
}

TEST(ColumnTest, SelectedRowsKeepEntriesValidityLevelsAndOrder) {
  const std::vector<std::int64_t> rows = {2, 1, 2};
  const Column numbers = Column::Integers("n", {1, 2, 3}, {true, false, true}).Selected(rows);
  EXPECT_EQ(numbers.name, "n");
  EXPECT_EQ(Entries<int>(numbers), (Optionals<int>{3, std::nullopt, 3}));
  const Column flags = Column::Booleans("b", {true, false, true}).Selected(rows);
  EXPECT_EQ(Entries<int>(flags), (Optionals<int>{1, 0, 1}));
  Column sizes = Column::Categories("c", {0, -1, 1}, {"s", "m", "l"});
  sizes.ordered = true;
  sizes = sizes.Selected(rows);
  EXPECT_EQ(Entries<int>(sizes), (Optionals<int>{1, std::nullopt, 1}));
  EXPECT_EQ(sizes.levels.size(), 3U);
  EXPECT_TRUE(sizes.ordered);
}

TEST(ColumnTest, ASelectedRowOfMinusOneIsNotMissing) {
  const std::vector<std::int64_t> rows = {2, 0, -1};
  EXPECT_EQ(Entries<double>(Column::Doubles("x", {1.5, 2.5, 3.5}).Selected(rows)),
            (Optionals<double>{3.5, 1.5, 0}));
  EXPECT_EQ(Entries<float>(Column::Floats("x", {1.5F, 2.5F, 3.5F}).Selected(rows)),
            (Optionals<float>{3.5F, 1.5F, 0}));
  EXPECT_EQ(Entries<int>(Column::Integers32("n", {7, 8, 9}).Selected(rows)),
            (Optionals<int>{9, 7, 0}));
  const Column sizes = Column::Categories("c", {1, -1, 0}, {"s", "m"});
  EXPECT_EQ(Entries<int>(sizes.Selected(std::vector<std::int64_t>{1, 0, -1})),
            (Optionals<int>{std::nullopt, 1, 0}));
}

TEST(ColumnTest, ValidityOfSelectedRowsIsReadFromItsOffset) {
  const std::vector<std::int64_t> values = {10, 11, 12};
  const std::uint8_t bitmap[] = {0x80, 0x02};  // from bit 7: 1, 0, 1
  Column column;
  column.name = "x";
  column.dtype = CF_I64;
  column.n_rows = 3;
  column.data = values.data();
  column.validity = bitmap;
  column.validity_offset = 7;
  EXPECT_EQ(Entries<int>(column.Selected(std::vector<std::int64_t>{2, 1, -1, 0})),
            (Optionals<int>{12, std::nullopt, 0, 10}));
}

TEST(ColumnTest, CodeMinusOneIsMissing) {
  const Column classes = Column::Categories("c", {1, -1, 0}, {"no", "yes"});
  EXPECT_EQ(classes.dtype, CF_CAT32);
  EXPECT_EQ(LevelsOfRows(classes), (std::vector<std::string>{"yes", "(missing)", "no"}));
  // The same number in an integer column is a number.
  EXPECT_EQ(Column::Integers32("n", {-1}).CountMissing(), 0);
}

TEST(ColumnTest, CountsMissingEntries) {
  EXPECT_EQ(Column::Doubles("x", {std::nan(""), 1, std::nan("")}).CountMissing(), 2);
  EXPECT_EQ(Column::Integers("n", {1, 2}).CountMissing(), 0);
  EXPECT_EQ(Column::Categories("c", {-1, -1}, {}).CountMissing(), 2);
}

TEST(ColumnTest, ABitmapMayBeLongerThanAByte) {
  std::vector<std::int64_t> values(19, 7);
  std::vector<bool> present(19, true);
  present[8] = present[18] = false;
  const Column column = Column::Integers("n", values, present);
  EXPECT_EQ(column.CountMissing(), 2);
  EXPECT_TRUE(column.is_missing(8));
  EXPECT_TRUE(column.is_missing(18));
  EXPECT_FALSE(column.is_missing(0));
}

// Arrow: bit i of byte i / 8, the least significant first, counted from the offset.
TEST(ColumnTest, BorrowsABitmapWithAnOffset) {
  const std::vector<double> values = {1, 2, 3};
  const std::uint8_t bitmap[] = {0b10111111, 0b00000001};  // bits 5 6 7 are 1 0 1, bit 8 is 1
  Column column;
  column.name = "x";
  column.n_rows = 3;
  column.data = values.data();
  column.validity = bitmap;
  column.validity_offset = 6;
  EXPECT_EQ(Entries<double>(column), (std::vector<std::optional<double>>{std::nullopt, 2, 3}));
}

TEST(ColumnTest, ACopySharesItsBuffers) {
  const Column column = Column::Doubles("x", {1, 2});
  const Column copy = column;
  EXPECT_EQ(copy.data, column.data);
  EXPECT_EQ(column.owner.use_count(), 2);
}

// Days as GNU date has them: date -u -d 2024-02-29 +%s, divided by 86400.
TEST(IsoTimeTest, ADateIsTheDaysSince1970) {
  EXPECT_EQ(ParseIsoTime("1970-01-01")->days, 0);
  EXPECT_EQ(ParseIsoTime("2024-02-29")->days, 19782);
  EXPECT_EQ(ParseIsoTime("1969-12-31")->days, -1);
  EXPECT_FALSE(ParseIsoTime("2024-02-29")->has_clock);
}

TEST(IsoTimeTest, AClockIsTheSecondsOfTheDay) {
  for (const char* text : {"2024-01-31T12:30", "2024-01-31 12:30", "2024-01-31 12:30:00Z"}) {
    const auto time = ParseIsoTime(text);
    ASSERT_TRUE(time) << text;
    EXPECT_EQ(time->days, 19753) << text;
    EXPECT_EQ(time->seconds, 45000) << text;
    EXPECT_TRUE(time->has_clock) << text;
  }
  EXPECT_EQ(ParseIsoTime("2024-01-31T00:00:01.25")->seconds, 1.25);
  EXPECT_TRUE(ParseIsoTime("2024-01-31T00:00")->has_clock);
}

TEST(IsoTimeTest, DaysAndTimesThatDoNotExistAreNone) {
  for (const char* text : {"2023-02-29", "2024-13-01", "2024-00-01", "2024-01-32",
                           "2024-01-31T24:00", "2024-01-31T12:60", "2024-01-31T12:30:60"}) {
    EXPECT_FALSE(ParseIsoTime(text)) << text;
  }
}

TEST(IsoTimeTest, OtherFormsAreNone) {
  for (const char* text :
       {"", "2024", "2024-1-31", "31.1.2024", "1/31/2024", "2024-01-31T", "2024-01-31T12",
        "2024-01-31T12:30:5", "2024-01-31T12:30:05.", "2024-01-31T12:30:0.5",
        "2024-01-31T12:30+01:00", "2024-01-31x", "x2024-01-31", "-024-01-31"}) {
    EXPECT_FALSE(ParseIsoTime(text)) << text;
  }
}

}  // namespace
}  // namespace crossfold
