#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "crossfold/arrow.h"
#include "unit/arrow/hand_made_array.h"
#include "unit/engine/data/entries.h"
#include "unit/engine/data/refusal.h"

namespace crossfold {
namespace {

using testing::ElementsAre;

// What a consumer gets, released at the end.
struct Exported {
  explicit Exported(std::shared_ptr<const Dataset> data) {
    ExportArrow(std::move(data), &schema, &array);
  }
  ~Exported() {
    if (schema.release != nullptr) schema.release(&schema);
    if (array.release != nullptr) array.release(&array);
  }
  Exported(const Exported&) = delete;
  Exported& operator=(const Exported&) = delete;

  const ArrowArray& column(int i) const { return *array.children[i]; }
  template <class T>
  std::vector<T> entries(int i) const {
    const auto* begin = static_cast<const T*>(column(i).buffers[1]);
    return {begin, begin + column(i).length};
  }

  ArrowSchema schema{};
  ArrowArray array{};
};

std::shared_ptr<const Dataset> AllTypes() {
  Column grade = Column::Categories("grade", {1, -1, 0}, {"low", "high"});
  grade.ordered = true;
  return Dataset::Create(
      "d",
      {Column::Doubles("a", {1.5, std::nan(""), -2}), Column::Floats("b", {1, 2, 3}),
       Column::Integers("c", {5, 6, 7}, {true, false, true}), Column::Integers32("d", {8, 9, 10}),
       Column::Booleans("e", {true, false, true}, {true, true, false}), grade},
      {});
}

TEST(ArrowExportTest, ColumnsAreFieldsWithTheFormatsOfTheSpecification) {
  const Exported out(AllTypes());
  EXPECT_STREQ(out.schema.format, "+s");
  ASSERT_EQ(out.schema.n_children, 6);
  const char* const formats[] = {"g", "f", "l", "i", "b", "i"};
  const char* const names[] = {"a", "b", "c", "d", "e", "grade"};
  for (int i = 0; i < 6; ++i) {
    EXPECT_STREQ(out.schema.children[i]->format, formats[i]);
    EXPECT_STREQ(out.schema.children[i]->name, names[i]);
    EXPECT_EQ(out.column(i).length, 3);
    EXPECT_EQ(out.column(i).n_buffers, 2);
  }
  EXPECT_STREQ(out.schema.children[5]->dictionary->format, "u");
  EXPECT_EQ(out.schema.children[5]->flags, ARROW_FLAG_NULLABLE | ARROW_FLAG_DICTIONARY_ORDERED);
}

TEST(ArrowExportTest, EntriesStayInTheMemoryOfTheDataset) {
  const auto data = AllTypes();
  const Exported out(data);
  for (const int i : {0, 1, 2, 3, 5}) {
    EXPECT_EQ(out.column(i).buffers[1], data->columns()[static_cast<std::size_t>(i)].data);
  }
  EXPECT_EQ(out.column(2).buffers[0], data->column("c").validity);
}

TEST(ArrowExportTest, MissingEntriesAreNullButNaNIsANumber) {
  const Exported out(AllTypes());
  EXPECT_EQ(out.column(0).null_count, 0);
  EXPECT_TRUE(std::isnan(out.entries<double>(0)[1]));
  EXPECT_EQ(out.column(2).null_count, 1);
  EXPECT_EQ(out.column(5).null_count, 1);
  EXPECT_EQ(static_cast<const std::uint8_t*>(out.column(5).buffers[0])[0], 0b101);
  EXPECT_EQ(static_cast<const std::uint8_t*>(out.column(4).buffers[1])[0] & 3, 0b01);
}

TEST(ArrowExportTest, WhatComesBackIsTheSameData) {
  const auto data = AllTypes();
  Exported out(data);
  const auto again = ImportArrow(&out.schema, &out.array, "again", {});
  EXPECT_EQ(again->content_hash(), data->content_hash());
}

TEST(ArrowExportTest, BitmapsThatBeginInsideAByteComeBackTheSame) {
  for (std::size_t offset : {0, 1, 7, 8, 11}) {
    ArrowNode a{"l", "a", 3, 1, static_cast<std::int64_t>(offset)};
    std::vector<std::int64_t> values(offset + 3, 4);
    a.buffers = {Bits({1, 0, 1}, offset), BytesOf(values)};
    HandMade made(Struct({a}));
    const auto data = ImportArrow(&made.schema, &made.array, "d", {});
    Exported out(data);
    const auto again = ImportArrow(&out.schema, &out.array, "d", {});
    EXPECT_EQ(again->content_hash(), data->content_hash()) << offset;
  }
}

TEST(ArrowExportTest, AChildThatWasMovedOutKeepsTheDatasetAlive) {
  auto data = AllTypes();
  const std::weak_ptr<const Dataset> watched = data;
  ArrowSchema schema;
  ArrowArray array;
  ExportArrow(std::move(data), &schema, &array);
  data = nullptr;
  ArrowArray child = *array.children[0];
  array.children[0]->release = nullptr;  // moved, as the specification says
  schema.release(&schema);
  array.release(&array);
  EXPECT_EQ(schema.release, nullptr);
  EXPECT_EQ(array.release, nullptr);
  EXPECT_FALSE(watched.expired());
  EXPECT_EQ(static_cast<const double*>(child.buffers[1])[0], 1.5);
  child.release(&child);
  EXPECT_TRUE(watched.expired());
}

TEST(ArrowExportTest, AnImportedArrayIsReleasedWhenItsExportIs) {
  HandMade made(Struct({Numbers<double>("g", "a", {1, 2})}));
  auto data = ImportArrow(&made.schema, &made.array, "d", {});
  {
    const Exported out(std::move(data));
    EXPECT_EQ(made.counts->arrays, 0);
  }
  EXPECT_EQ(made.counts->arrays, 1);
}

}  // namespace
}  // namespace crossfold
