#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "crossfold_plugin/random.hpp"
#include "unit/engine/data/entries.h"
#include "unit/engine/data/refusal.h"
#include "unit/sources/readings.h"

namespace crossfold::sources {
namespace {

using plugin::Random;
using testing::ElementsAre;

constexpr std::string_view kHeader =
    "% a comment\n@RELATION 'two words'\n@attribute x numeric\n"
    "@Attribute 'the colour' {red, 'dark blue', green}\n@attribute y {no,yes}\n@DATA\n";

std::shared_ptr<const Dataset> ParseRows(const std::string& rows, const ArffOptions& options = {}) {
  return ParseArff(std::string(kHeader) + rows, "a.arff", options);
}

std::optional<Refusal> RefusalOfRows(const std::string& rows, const ArffOptions& options = {}) {
  return RefusalOf([&] { ParseRows(rows, options); });
}

TEST(ArffReaderTest, ListsKeepTheOrderOfTheirLevels) {
  const auto data =
      ParseRows("1,green,yes\n% between\n\n2,'dark blue',no\n", {.roles = {.target = "y"}});
  EXPECT_EQ(data->name(), "a.arff");
  EXPECT_EQ(data->num_rows(), 2);
  EXPECT_THAT(data->class_names(), ElementsAre("no", "yes"));
  EXPECT_THAT(data->column("the colour").levels, ElementsAre("red", "dark blue", "green"));
  EXPECT_THAT(LevelsOfRows(data->column("the colour")), ElementsAre("green", "dark blue"));
}

TEST(ArffReaderTest, NumericIsI64IfAllValuesAreAndElseF64) {
  EXPECT_EQ(ParseRows("1,red,no\n?,red,no\n")->column("x").dtype, CF_I64);
  EXPECT_EQ(Entries<double>(ParseRows("1,red,no\n2.5,red,no\n")->column("x")),
            (Optionals<double>{1, 2.5}));
  EXPECT_EQ(ParseArff("@attribute x real\n@data\n1\n", "a", {})->column("x").dtype, CF_F64);
}

TEST(ArffReaderTest, AQuestionMarkIsMissingUnlessItIsQuoted) {
  const auto data = ParseArff("@attribute x string\n@data\n?\n'?'\nb\n", "a", {});
  EXPECT_THAT(LevelsOfRows(data->column("x")), ElementsAre("(missing)", "?", "b"));
}

TEST(ArffReaderTest, SparseLinesHoldZeroOrTheFirstLevelWhereTheySayNothing) {
  const auto data = ParseRows("{0 3, 2 yes}\n{}\n{1 'dark blue'} % two left out\n{0 ?}\n");
  EXPECT_EQ(Entries<std::int64_t>(data->column("x")),
            (Optionals<std::int64_t>{3, 0, 0, std::nullopt}));
  EXPECT_THAT(LevelsOfRows(data->column("the colour")),
              ElementsAre("red", "red", "dark blue", "red"));
  EXPECT_THAT(LevelsOfRows(data->column("y")), ElementsAre("yes", "no", "no", "no"));
}

TEST(ArffReaderTest, TypesAndLikeOverrideTheDeclarations) {
  const auto data =
      ParseRows("1,red,no\n",
                {.types = {{"x", ColumnType::kCategorical}, {"the colour", ColumnType::kIgnore}},
                 .like = {{.name = "y", .dtype = CF_CAT32, .levels = {"yes", "no"}}}});
  EXPECT_THAT(data->column("x").levels, ElementsAre("1"));
  EXPECT_THAT(data->column("y").levels, ElementsAre("yes", "no"));
  EXPECT_EQ(data->columns().size(), 2U);
}

TEST(ArffReaderTest, AMereWishForAnotherTypeThanTheDeclaredOneIsDropped) {
  const auto data =
      ParseRows("2.5,red,no\n",
                {.like = {{.name = "x", .dtype = CF_I64}, {.name = "the colour", .dtype = CF_F64}},
                 .wishes = true});
  EXPECT_EQ(data->column("x").dtype, CF_F64);
  EXPECT_EQ(data->column("the colour").dtype, CF_CAT32);
}

TEST(ArffReaderTest, AListOfLevelsGivesThemAnOrder) {
  const ArffOptions options{.types = {{"the colour", std::vector<std::string>{"green", "red"}},
                                      {"x", std::vector<std::string>{"2", "1"}}}};
  const auto data = ParseRows("1,red,no\n2,green,no\n", options);
  EXPECT_TRUE(data->column("the colour").ordered);
  EXPECT_THAT(data->column("the colour").levels, ElementsAre("green", "red"));
  EXPECT_EQ(Entries<int>(data->column("x")), (Optionals<int>{1, 0}));
  EXPECT_EQ(RefusalOfRows("1,red,no\n1,'dark blue',no\n", options),
            BadData("cannot read 'a.arff': line 8, attribute 'the colour': 'dark blue' is not one "
                    "of its levels"));
}

TEST(ArffReaderTest, RowsThatLackAnEntryAreDropped) {
  const auto data = ParseRows("1,red,?\n?,red,no\n3,green,yes\n",
                              {.roles = {.target = "y"}, .drop_missing = {"target", "x"}});
  EXPECT_EQ(Entries<double>(data->column("x")), (Optionals<double>{3}));
  EXPECT_EQ(data->num_dropped_rows(), 2);
}

TEST(ArffReaderTest, WrongValuesAreRefusedWithTheirLine) {
  EXPECT_EQ(RefusalOfRows("1,red,no\nabc,red,no\n"),
            BadData("cannot read 'a.arff': line 8, attribute 'x': 'abc' is not a number"));
  EXPECT_EQ(
      RefusalOfRows("1,pink,no\n"),
      BadData(
          "cannot read 'a.arff': line 7, attribute 'the colour': 'pink' is not one of its values"));
  EXPECT_EQ(RefusalOfRows("1,,no\n"),
            BadData("cannot read 'a.arff': line 7, attribute 'the colour': there is no value; "
                    "write ? for a missing one"));
  EXPECT_EQ(RefusalOfRows("1,red\n"),
            BadData("cannot read 'a.arff': line 7 has 2 values, there are 3 attributes"));
  EXPECT_EQ(RefusalOfRows("2.5,red,no\n", {.types = {{"x", ColumnType::kI64}}}),
            BadData("cannot read 'a.arff': line 7, attribute 'x': '2.5' is not an integer"));
}

TEST(ArffReaderTest, WhatIsNotUtf8IsRefusedExceptInComments) {
  const std::string way_out =
      " is not UTF-8; name the encoding, as in encoding = \"windows-1252\" or \"latin1\"";
  const auto refusal = [](const std::string& text) {
    return RefusalOf([&] { ParseArff(text, "a", {}); });
  };
  EXPECT_EQ(refusal("% J\xFCrgen\n@attribute s string\n@data\nAda\nM\xFCller\n"),
            BadData("cannot read 'a': line 5, attribute 's': 'M?ller'" + way_out));
  EXPECT_EQ(refusal("@attribute c {r\xF6t}\n@data\nr\xF6t\n"),
            BadData("cannot read 'a': attribute 'c': its value 'r?t'" + way_out));
  EXPECT_EQ(refusal("@attribute gr\xF6n numeric\n@data\n1\n"),
            BadData("cannot read 'a': the name of attribute 'gr?n'" + way_out));
  EXPECT_EQ(ParseArff("% J\xFCrgen\n@attribute x numeric\n@data\n1\n", "a", {})->num_rows(), 1);
}

TEST(ArffReaderTest, WrongSparseLinesAreRefused) {
  EXPECT_EQ(RefusalOfRows("{3 1}\n"),
            BadData("cannot read 'a.arff': line 7: '3' is not an attribute index from 0 to 2"));
  EXPECT_EQ(RefusalOfRows("{1 red, 0 1}\n"),
            BadData("cannot read 'a.arff': line 7: attribute 0 does not come after 1; sparse "
                    "values must ascend"));
  EXPECT_EQ(RefusalOfRows("{0 1\n"), BadData("cannot read 'a.arff': line 7: '}' is missing"));
}

TEST(ArffReaderTest, WhatIsNotReadIsRefusedWithAWayOut) {
  EXPECT_EQ(RefusalOf([&] {
              ParseArff("@attribute d date\n@attribute x numeric\n@data\n2020,1\n", "a", {});
            }),
            BadData("cannot read 'a': attribute 'd' is of type 'date', which is not supported; "
                    "leave it out with the type ignore"));
  EXPECT_EQ(RefusalOfRows("1,red,no,{2}\n"),
            BadData("cannot read 'a.arff': line 7 has a weight in braces, which is not supported; "
                    "make it an attribute, and name that as the weights"));
  EXPECT_EQ(RefusalOf([] { ParseArff("@attribute s string\n@data\n{}\n", "a", {}); }),
            BadData("cannot read 'a': line 3, attribute 's': it is left out of a sparse line, but "
                    "strings have no default; write its value"));
}

TEST(ArffReaderTest, AFileWithoutRowsIsRefused) {
  EXPECT_EQ(RefusalOfRows("% nothing\n\n"),
            BadData("cannot read 'a.arff': there are no rows after @data"));
}

// Chunks of a few bytes, three threads, and damaged texts: the same content or message.
TEST(ArffReaderTest, ChunksAndThreadsDoNotMatter) {
  Random random(7);
  const auto outcome = [](const std::string& text, const ChunkedReading& reading) {
    std::string hash;
    const auto refusal = RefusalOf([&] {
      hash = ReadArffText({text, "cannot"}, "a", {}, reading)->content_hash();
    });
    return refusal ? refusal->message : hash;
  };
  for (int i = 0; i < 1000; ++i) {
    std::string text(kHeader);
    for (std::uint64_t row = 1 + random.Below(8); row > 0; --row) {
      const char* const rows[] = {"1,red,no\n", "2.5,green,?\r\n",    "{0 4}\n", "% x\n",
                                  "\n",         "?,'dark blue',yes\n"};
      text += rows[random.Below(6)];
    }
    if (i % 2 == 1) {
      text[random.Below(text.size())] = "{}'\"\\,?%\n@ x1"[random.Below(13)];
    }
    const std::string whole = outcome(text, {.threads = 1});
    for (const std::size_t bytes : {1U, 13U}) {
      ASSERT_EQ(outcome(text, {.threads = 3, .chunk_bytes = bytes, .bytes_per_column = 0}), whole)
          << text;
    }
  }
}

TEST(ArffNamesTest, ANulInANameIsRefusedWithItsLine) {
  using std::string_literals::operator""s;
  const std::string text = "@relation r\n@attribute a\0b numeric\n@data\n1\n"s;
  const auto refusal = RefusalOf([&] { ParseArff(text, "r", {}); });
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->message, "cannot read 'r': line 2: a NUL; the file must be text in UTF-8");
}

// ARFF files and the CSV files that hold the same data: read with the declarations of the ARFF
// file, the CSV file gives the same content.
class ArffTwinsTest : public testing::TestWithParam<const char*> {};

TEST_P(ArffTwinsTest, HoldTheSameData) {
  const std::string stem = std::string(CROSSFOLD_TEST_DATA) + "/" + GetParam();
  const auto arff = ReadArff(stem + ".arff", {});
  CsvOptions options;
  for (const Column& column : arff->columns()) {
    options.like.push_back({.name = column.name, .dtype = column.dtype, .levels = column.levels});
  }
  const auto csv = ReadCsv(stem + ".csv", options);
  EXPECT_EQ(csv->num_rows(), arff->num_rows());
  EXPECT_EQ(csv->content_hash(), arff->content_hash());
}

INSTANTIATE_TEST_SUITE_P(Files, ArffTwinsTest,
                         testing::Values("penguins", "weather_nominal", "weather_numeric"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace crossfold::sources
