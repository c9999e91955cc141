// What ReadData makes of sources: those of text files that come with the program, and one that
// lies.
#include "crossfold/read_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "unit/engine/data/entries.h"
#include "unit/engine/data/refusal.h"

namespace crossfold {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ReadDataTest : public testing::Test {
 protected:
  std::shared_ptr<const Dataset> Read(std::string_view name, const ReadRequest& request = {}) {
    return ReadData(host_, folder_.path() / name, request);
  }
  // The message after "cannot read '<path>'"; "" = nothing was refused.
  std::string Finding(std::string_view name, const ReadRequest& request = {}) {
    const auto refusal = RefusalOf([&] { Read(name, request); });
    const std::string start = "cannot read '" + (folder_.path() / name).string() + "'";
    return !refusal                              ? ""
           : refusal->message.starts_with(start) ? refusal->message.substr(start.size())
                                                 : refusal->message;
  }
  ReadRequest Lie(const std::string& lie) const { return {.options = {{"lie", lie}}}; }

  test::TemporaryFolder folder_;
  const PluginHost host_{{.paths = {CROSSFOLD_TEXT_FILES_PLUGIN, CROSSFOLD_LYING_SOURCE},
                          .use_environment = false,
                          .use_user_folder = false,
                          .use_installation = false}};
};

TEST_F(ReadDataTest, TheNameOrTheContentTellsTheFormat) {
  folder_.Write("a.csv", "x,y\n1,u\n2,v\n");
  folder_.Write("b.tsv", "x\ty\n1\tu\n2\tv\n");
  folder_.Write("c", "@relation r\n@attribute x numeric\n@attribute y {u,v}\n@data\n1,u\n2,v\n");
  for (const char* name : {"a.csv", "b.tsv", "c"}) {
    const auto data = Read(name);
    EXPECT_THAT(Entries<std::int64_t>(data->column("x")), ElementsAre(1, 2)) << name;
    EXPECT_THAT(LevelsOfRows(data->column("y")), ElementsAre("u", "v")) << name;
  }
  EXPECT_EQ(Read("a.csv")->name(), "a");
}

TEST_F(ReadDataTest, AFormatIsAnIdAShortIdOrAnEnding) {
  folder_.Write("a.txt", "1 1:2 2:3\n-1 1:4\n");
  for (const char* format : {"crossfold.svmlight", "svmlight", "libsvm"}) {
    const auto data = Read("a.txt", {.format = format});
    EXPECT_EQ(data->roles().target, "target") << "by the metadata of the column";
    EXPECT_EQ(data->num_features(), 2) << format;
  }
  EXPECT_THAT(Finding("a.txt", {.format = "cvs"}),
              HasSubstr(": there is no format 'cvs'; did you mean 'csv'?"));
}

TEST_F(ReadDataTest, OptionsAreThoseThatTheSourceDeclares) {
  folder_.Write("a.csv", "x;y\n1,5;2\n");
  const auto data =
      Read("a.csv", {.options = {{"separator", std::string(";")}, {"decimal", std::string(",")}}});
  EXPECT_THAT(Entries<double>(data->column("x")), ElementsAre(1.5));
  EXPECT_THAT(Finding("a.csv", {.options = {{"seperator", std::string(";")}}}),
              HasSubstr("did you mean 'separator'?"));
}

TEST_F(ReadDataTest, ColumnsThatAreNotThereAreNamedWithTheNearest) {
  folder_.Write("a.csv", "age,y\n1,u\n,v\n");
  EXPECT_THAT(Finding("a.csv", {.types = {{"aeg", ColumnType::kF64}}}),
              HasSubstr("a type is given for 'aeg', which is not a column; did you mean 'age'?"));
  EXPECT_THAT(Finding("a.csv", {.roles = {.target = "z"}}),
              HasSubstr("target 'z' is not a column"));
  EXPECT_THAT(Finding("a.csv", {.drop_missing = {"agee"}}), HasSubstr("drop_missing names 'agee'"));
  EXPECT_EQ(Read("a.csv", {.drop_missing = {"age"}})->num_rows(), 1);
  EXPECT_EQ(Read("a.csv", {.types = {{"age", ColumnType::kIgnore}}})->columns().size(), 1u);
}

TEST_F(ReadDataTest, AColumnGetsTheTypeThatTheSourceDidNotGive) {
  EXPECT_EQ(Read("x.lie")->column("a").dtype, CF_I64);
  const auto typed = [&](WantedType type) { return Read("x.lie", {.types = {{"a", type}}}); };
  EXPECT_THAT(Entries<double>(typed(ColumnType::kF64)->column("a")), ElementsAre(1, 2, 3));
  EXPECT_EQ(typed(ColumnType::kI32)->column("a").dtype, CF_I32);
  const auto ordered = typed(std::vector<std::string>{"3", "2", "1"});
  EXPECT_TRUE(ordered->column("a").ordered);
  EXPECT_THAT(LevelsOfRows(ordered->column("a")), ElementsAre("1", "2", "3"));
  EXPECT_THAT(Finding("x.lie", {.types = {{"a", std::vector<std::string>{"1", "2"}}}}),
              HasSubstr(": column 'a', row 3: '3' is not one of its levels"));
  EXPECT_THAT(Finding("x.lie", {.types = {{"a", ColumnType::kBool}}}),
              HasSubstr("column 'a' is of type i64 (type bool was requested)"));
}

TEST_F(ReadDataTest, ASourceThatFailsSaysWhy) {
  EXPECT_EQ(Finding("x.lie", Lie("fails_in_open")), ": nothing is in it");
  EXPECT_EQ(Finding("x.lie", Lie("fails_in_stream")), ": the line is dead");
  EXPECT_EQ(Finding("x.lie", Lie("throws")),
            ": a C++ exception crossed the plugin boundary: a mistake");
}

TEST_F(ReadDataTest, ASourceThatBreaksTheRulesIsNamedWithTheColumn) {
  EXPECT_EQ(Finding("x.lie", Lie("too_short")),
            " through source 'org.example.liar': column 'a' has 2 entries where 3 are needed");
}

TEST_F(ReadDataTest, WhatMayReadOneFileOnlyUsesSourcesThatPromiseIt) {
  folder_.Write("a.csv", "x\n1\n");
  EXPECT_EQ(Read("a.csv", {.sandboxed = true})->num_rows(), 1);
  EXPECT_THAT(Finding("x.lie", {.format = "org.example.liar", .sandboxed = true}),
              HasSubstr("may read other files than this one"));
  EXPECT_EQ(RefusalOf([&] { ReadData(host_, "s3://x/y.csv", {.sandboxed = true}); })->kind,
            ErrorKind::kInvalidArgument);
}

TEST_F(ReadDataTest, AFileThatIsNotThereIsAnErrorOfInput) {
  const auto refusal = RefusalOf([&] { Read("none.csv"); });
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->kind, ErrorKind::kIo);
  EXPECT_EQ(Finding("none.csv"), ": there is no such file");
}

}  // namespace
}  // namespace crossfold
