// What a reader is told about columns must fit the file: names, types, levels, roles.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/csv.h"
#include "data/dataset_name.h"
#include "unit/data/refusal.h"

namespace crossfold {
namespace {

std::optional<Refusal> RefusalOfRoles(std::string_view text, const Roles& roles) {
  return RefusalOf([&] { ParseCsv(text, "a.csv", {.roles = roles}); });
}

TEST(CsvTypesTest, ATypeForAnUnknownColumnIsRefused) {
  EXPECT_EQ(RefusalOf([] {
              ParseCsv("age,sex\n1,f\n", "a.csv", {.types = {{"agee", ColumnType::kF64}}});
            }),
            InvalidArgument("cannot read 'a.csv': a type is given for 'agee', which is no column; "
                            "did you mean 'age'? known: age, sex"));
}

TEST(ColumnTypeFromNameTest, KnowsEveryType) {
  EXPECT_EQ(ColumnTypeFromName("f64"), ColumnType::kF64);
  EXPECT_EQ(ColumnTypeFromName("f32"), ColumnType::kF32);
  EXPECT_EQ(ColumnTypeFromName("i32"), ColumnType::kI32);
  EXPECT_EQ(ColumnTypeFromName("i64"), ColumnType::kI64);
  EXPECT_EQ(ColumnTypeFromName("bool"), ColumnType::kBool);
  EXPECT_EQ(ColumnTypeFromName("categorical"), ColumnType::kCategorical);
  EXPECT_EQ(ColumnTypeFromName("ignore"), ColumnType::kIgnore);
  EXPECT_EQ(ColumnTypeFromName("numeric"), ColumnType::kF64);
}

TEST(ColumnTypeFromNameTest, AnUnknownTypeIsRefusedWithTheNearest) {
  EXPECT_EQ(RefusalOf([] { ColumnTypeFromName("categoric"); }),
            InvalidArgument("cannot use column type 'categoric': there is none; did you mean "
                            "'categorical'? known: bool, categorical, f32, f64, i32, i64, ignore, "
                            "numeric"));
}

TEST(CsvLevelsTest, AListWithoutLevelsOrWithOneTwiceIsRefused) {
  const auto refusal = [](std::vector<std::string> levels) {
    return RefusalOf([&] { ParseCsv("x\nm\n", "a.csv", {.types = {{"x", std::move(levels)}}}); });
  };
  EXPECT_EQ(refusal({}), InvalidArgument("cannot read 'a.csv': the list of levels of 'x' is empty; "
                                         "name all levels in their order"));
  EXPECT_EQ(refusal({"m", "m"}),
            BadData("cannot make dataset 'a.csv': column 'x' has the level 'm' twice"));
}

TEST(CsvTypesTest, NamesOfTypesGoBothWays) {
  for (const std::string_view name : {"f64", "f32", "i32", "i64", "bool", "categorical"}) {
    const auto data = ParseCsv("x\n?\n", "a", {.types = {{"x", ColumnTypeFromName(name)}}});
    EXPECT_EQ(ColumnTypeName(data->column("x").dtype), name);
  }
  EXPECT_EQ(ColumnTypeName(CF_CAT32, true), "ordered categorical");
}

TEST(CsvRolesTest, AnUnknownColumnIsRefusedWithTheNearest) {
  EXPECT_EQ(RefusalOfRoles("x,class\n1,a\n", {.target = "clas"}),
            InvalidArgument("cannot read 'a.csv': target 'clas' is no column; did you mean "
                            "'class'? known: class, x"));
}

TEST(CsvRolesTest, AnIgnoredColumnHasNoRole) {
  EXPECT_EQ(RefusalOf([] {
              ParseCsv("x,y\n1,a\n", "a.csv",
                       {.roles = {.target = "y"}, .types = {{"y", ColumnType::kIgnore}}});
            }),
            InvalidArgument("cannot read 'a.csv': target 'y' is no column; known: x"));
}

TEST(TextEncodingTest, NamesAreFoundWhateverTheirCase) {
  EXPECT_EQ(TextEncodingFromName("UTF-8"), TextEncoding::kUtf8);
  EXPECT_EQ(TextEncodingFromName("Latin1"), TextEncoding::kLatin1);
  EXPECT_EQ(TextEncodingFromName("iso-8859-1"), TextEncoding::kLatin1);
  EXPECT_EQ(RefusalOf([] { TextEncodingFromName("latin2"); }),
            InvalidArgument("cannot use encoding 'latin2': it is not known; did you mean 'latin1'? "
                            "known: cp1252, iso-8859-1, latin1, utf-16, utf-16be, utf-16le, utf-8, "
                            "utf8, windows-1252"));
}

TEST(GzipTest, TheDatasetIsNamedWithoutBothEndings) {
  EXPECT_EQ(DatasetNameOf("folder/a.csv.gz"), "a");
  EXPECT_EQ(DatasetNameOf("a.b.csv"), "a.b");
  EXPECT_EQ(DatasetNameOf("a.GZ"), "a");
}

TEST(CsvTypesTest, AFileOfIgnoredColumnsIsRefused) {
  EXPECT_EQ(RefusalOf([] {
              ParseCsv("x\n1\n", "a.csv", {.types = {{"x", ColumnType::kIgnore}}});
            }),
            InvalidArgument("cannot read 'a.csv': every column is ignored"));
}

TEST(DropMissingTest, AnUnknownNameIsRefused) {
  EXPECT_EQ(RefusalOf([] { ParseCsv("x,y\n1,2\n", "a.csv", {.drop_missing = {"z"}}); }),
            InvalidArgument("cannot read 'a.csv': drop_missing names 'z', which is neither a role "
                            "that was given nor a column; known: x, y"));
}

}  // namespace
}  // namespace crossfold
