// What a reader is given about columns must fit the file: names, types, levels, roles.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/column_types.h"
#include "crossfold/read_data.h"
#include "read/source_choice.h"
#include "temporary_folder.h"
#include "unit/engine/data/refusal.h"

namespace crossfold {
namespace {

std::shared_ptr<const Dataset> Read(std::string_view text, const ReadRequest& request) {
  static const PluginHost host({.paths = {CROSSFOLD_TEXT_FILES_PLUGIN},
                                .use_environment = false,
                                .use_user_folder = false,
                                .use_installation = false});
  const test::TemporaryFolder folder;
  return ReadData(host, folder.Write("a.csv", text), request);
}

// Without the folder of the file.
std::optional<Refusal> RefusalOfRead(std::string_view text, const ReadRequest& request) {
  auto refusal = RefusalOf([&] { Read(text, request); });
  if (!refusal) return refusal;
  const std::size_t quote = refusal->message.find('\'') + 1;
  const std::size_t name = refusal->message.find("a.csv");
  if (name != std::string::npos) refusal->message.erase(quote, name - quote);
  return refusal;
}

TEST(CsvTypesTest, ATypeForAnUnknownColumnIsRefused) {
  EXPECT_EQ(
      RefusalOfRead("age,sex\n1,f\n", {.types = {{"agee", ColumnType::kF64}}}),
      InvalidArgument("cannot read 'a.csv': a type is given for 'agee', which is not a column; "
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
  EXPECT_EQ(
      RefusalOf([] { ColumnTypeFromName("categoric"); }),
      InvalidArgument("cannot use column type 'categoric': there is no such type; did you mean "
                      "'categorical'? known: bool, categorical, f32, f64, i32, i64, ignore, "
                      "numeric"));
}

TEST(CsvLevelsTest, AListWithoutLevelsOrWithOneTwiceIsRefused) {
  const auto refusal = [](std::vector<std::string> levels) {
    return RefusalOfRead("x\nm\n", {.types = {{"x", std::move(levels)}}});
  };
  EXPECT_EQ(refusal({}), InvalidArgument("cannot read 'a.csv': the list of levels of 'x' is empty; "
                                         "name all levels in their order"));
  EXPECT_EQ(refusal({"m", "m"}),
            BadData("cannot make dataset 'a': column 'x' has the level 'm' twice"));
}

TEST(CsvTypesTest, NamesOfTypesGoBothWays) {
  for (const std::string_view name : {"f64", "f32", "i32", "i64", "bool", "categorical"}) {
    const auto data = Read("x\n?\n", {.types = {{"x", ColumnTypeFromName(name)}}});
    EXPECT_EQ(ColumnTypeName(data->column("x").dtype), name);
  }
  EXPECT_EQ(ColumnTypeName(CF_CAT32, true), "ordered categorical");
}

TEST(CsvRolesTest, AnUnknownColumnIsRefusedWithTheNearest) {
  EXPECT_EQ(RefusalOfRead("x,class\n1,a\n", {.roles = {.target = "clas"}}),
            InvalidArgument("cannot read 'a.csv': target 'clas' is not a column; did you mean "
                            "'class'? known: class, x"));
}

TEST(CsvRolesTest, AnIgnoredColumnHasNoRole) {
  EXPECT_EQ(RefusalOfRead("x,y\n1,a\n",
                          {.roles = {.target = "y"}, .types = {{"y", ColumnType::kIgnore}}}),
            InvalidArgument("cannot read 'a.csv': target 'y' is not a column; known: x"));
}

TEST(DatasetNameTest, AFileIsNamedWithoutBothEndings) {
  EXPECT_EQ(DatasetNameOf("folder/a.csv.gz"), "a");
  EXPECT_EQ(DatasetNameOf("a.b.csv"), "a.b");
  EXPECT_EQ(DatasetNameOf("a.GZ"), "a");
}

TEST(CsvTypesTest, AFileOfIgnoredColumnsIsRefused) {
  EXPECT_EQ(RefusalOfRead("x\n1\n", {.types = {{"x", ColumnType::kIgnore}}}),
            InvalidArgument("cannot read 'a.csv': every column is ignored"));
}

TEST(DropMissingTest, AnUnknownNameIsRefused) {
  EXPECT_EQ(RefusalOfRead("x,y\n1,2\n", {.drop_missing = {"z"}}),
            InvalidArgument("cannot read 'a.csv': drop_missing names 'z', which is neither a role "
                            "that was given nor a column; known: x, y"));
}

}  // namespace
}  // namespace crossfold
