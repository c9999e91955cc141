#include "data/taken_entries.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crossfold/dataset.h"
#include "unit/data/entries.h"

namespace crossfold {
namespace {

TEST(TakenEntries, EntriesOfEveryTypeComeFromTheirSources) {
  const std::vector<std::int64_t> sources = {2, 0, 0, -1};
  EXPECT_EQ(Entries<double>(TakeEntries(Column::Doubles("x", {1.5, 2.5, 3.5}), sources)),
            (std::vector<std::optional<double>>{3.5, 1.5, 1.5, 0}));
  EXPECT_EQ(Entries<float>(TakeEntries(Column::Floats("x", {1.5F, 2.5F, 3.5F}), sources)),
            (std::vector<std::optional<float>>{3.5F, 1.5F, 1.5F, 0}));
  EXPECT_EQ(Entries<std::int64_t>(TakeEntries(Column::Integers("x", {7, 8, 9}), sources)),
            (std::vector<std::optional<std::int64_t>>{9, 7, 7, 0}));
  EXPECT_EQ(Entries<std::int32_t>(TakeEntries(Column::Integers32("x", {7, 8, 9}), sources)),
            (std::vector<std::optional<std::int32_t>>{9, 7, 7, 0}));
  EXPECT_EQ(Entries<int>(TakeEntries(Column::Booleans("x", {true, true, false}), sources)),
            (std::vector<std::optional<int>>{0, 1, 1, 0}));
}

TEST(TakenEntries, LevelsStayAndAMissingCodeStaysMissing) {
  Column sizes = Column::Categories("size", {1, -1, 0}, {"s", "m"});
  sizes.ordered = true;
  const Column taken = TakeEntries(sizes, std::vector<std::int64_t>{1, 0, -1});
  EXPECT_EQ(Entries<std::int32_t>(taken),
            (std::vector<std::optional<std::int32_t>>{std::nullopt, 1, 0}));
  EXPECT_EQ(taken.levels, (std::vector<std::string>{"s", "m"}));
  EXPECT_TRUE(taken.ordered);
}

TEST(TakenEntries, ValidityIsReadFromItsOffset) {
  const std::vector<std::int64_t> values = {10, 11, 12};
  const std::uint8_t bitmap[] = {0x80, 0x02};  // from bit 7: 1, 0, 1
  Column column;
  column.name = "x";
  column.dtype = CF_I64;
  column.n_rows = 3;
  column.data = values.data();
  column.validity = bitmap;
  column.validity_offset = 7;
  const Column taken = TakeEntries(column, std::vector<std::int64_t>{2, 1, -1, 0});
  const std::vector<bool> missing = {taken.is_missing(0), taken.is_missing(1), taken.is_missing(2),
                                     taken.is_missing(3)};
  EXPECT_EQ(missing, (std::vector<bool>{false, true, false, false}));
}

}  // namespace
}  // namespace crossfold
