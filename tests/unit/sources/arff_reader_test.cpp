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
  const std::string bag =
      "@attribute bag relational\n@attribute f numeric\n@attribute g {p,q}\n@end bag\n"
      "@attribute x numeric\n@data\n'1,p\\n2,q',1\n{0 '3,q', 1 2}\n{1 3}\n";
  EXPECT_EQ(RefusalOf([&] { ParseArff(bag, "a", {}); }),
            BadData("cannot read 'a': attribute 'bag' is of type 'relational', which is not "
                    "supported; leave it out with the type ignore"));
  const auto data = ParseArff(bag, "a", {.types = {{"bag", ColumnType::kIgnore}}});
  EXPECT_EQ(Entries<std::int64_t>(data->column("x")), (Optionals<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(RefusalOf([] { ParseArff("@attribute s string\n@data\n{}\n", "a", {}); }),
            BadData("cannot read 'a': line 3, attribute 's': it is left out of a sparse line, but "
                    "only numbers and lists have a default; write its value"));
}

std::vector<std::string> Strings(const std::string& rows) {
  return LevelsOfRows(ParseArff("@attribute x string\n@data\n" + rows, "a", {})->column("x"));
}

// Every escape of Java and Weka in quotes; none outside of them.
TEST(ArffReaderTest, EscapesInQuotesAreCharacters) {
  EXPECT_THAT(Strings("'a\\tb\\nc\\rd'\n\"\\'\\\"\\\\\\%\"\n'\\u00e4\\u20AC\\ud83d\\ude00'\n"
                      "'\\101\\47\\400'\nx\\ty\n'C:\\data\\9'\n"),
              ElementsAre("a\tb\nc\rd", "'\"\\%", "ä€😀", "A' 0", "x\\ty", "C:\\data\\9"));
  for (const char* wrong : {"\\0", "\\u0000"}) {
    const auto refusal = RefusalOf([&] { Strings("'" + std::string(wrong) + "'\n"); });
    EXPECT_THAT(refusal->message, testing::StartsWith("cannot read 'a': line 3: "));
  }
  EXPECT_EQ(RefusalOf([] { Strings("'\\ud83dx'\n"); }),
            BadData("cannot read 'a': line 3: '\\ud83d' is not a character"));
}

TEST(ArffReaderTest, ValuesThatDifferInEscapesAreDifferent) {
  const auto data =
      ParseArff("@attribute c {'a\\tb', 'a\\nb', atb, 'a\\'b'}\n@data\n'a\\nb'\natb\n", "a", {});
  EXPECT_THAT(data->column("c").levels, ElementsAre("a\tb", "a\nb", "atb", "a'b"));
  EXPECT_THAT(LevelsOfRows(data->column("c")), ElementsAre("a\nb", "atb"));
}

// Whatever a value is, it reads back as it was written.
TEST(ArffReaderTest, EscapedValuesReadBack) {
  Random random(11);
  std::string rows;
  std::vector<std::string> expected;
  for (int i = 0; i < 300; ++i) {
    std::string value, written;
    for (std::uint64_t n = random.Below(9); n > 0; --n) {
      const char c = "a9u \t\n\r'\"\\%,{}?"[random.Below(15)];
      const char* const escapes[] = {"\\t", "\\n", "\\r"};
      const std::size_t control = std::string_view("\t\n\r").find(c);
      value += c;
      if (control != std::string_view::npos)
        written += escapes[control];
      else if (std::string_view("'\"\\%").find(c) != std::string_view::npos)
        written += {'\\', c};
      else
        written += c;
    }
    expected.push_back(value);
    rows += "'" + written + "'\n";
  }
  EXPECT_EQ(Strings(rows), expected);
}

TEST(ArffReaderTest, DatesAreDaysOrSecondsAndTextsWhenAsked) {
  const std::string text =
      "@attribute day date \"dd.MM.yyyy\"\n@attribute 'a time' DATE\n"
      "@attribute ms date 'yyyyMMdd HH:mm:ss.SSS'\n@data\n"
      "01.03.2000,2000-03-01T00:00:01,'20000301 00:00:01.250'\n"
      "31.12.1969,?,'19691231 23:59:59.750'\n";
  const auto data = ParseArff(text, "a", {});
  EXPECT_EQ(Entries<std::int64_t>(data->column("day")), (Optionals<std::int64_t>{11017, -1}));
  EXPECT_EQ(Entries<std::int64_t>(data->column("a time")),
            (Optionals<std::int64_t>{951868801, std::nullopt}));
  EXPECT_EQ(Entries<double>(data->column("ms")), (Optionals<double>{951868801.25, -0.25}));
  const auto texts = ParseArff(text, "a", {.types = {{"day", ColumnType::kCategorical}}});
  EXPECT_THAT(LevelsOfRows(texts->column("day")), ElementsAre("01.03.2000", "31.12.1969"));
}

TEST(ArffReaderTest, WrongDatesAndPatternsAreRefused) {
  const auto refusal = [](const std::string& pattern, const std::string& date) {
    return RefusalOf(
        [&] { ParseArff("@attribute d date " + pattern + "\n@data\n" + date + "\n", "a", {}); });
  };
  for (const char* wrong : {"2021-02-29", "2021-1", "2021-01-01x", "2021-13-01", "'2021-01-01 '"}) {
    EXPECT_THAT(refusal("yyyy-MM-dd", wrong)->message,
                testing::HasSubstr("' is not a date of the declared form"))
        << wrong;
  }
  EXPECT_EQ(refusal("\"dd MMM yyyy\"", "?"),
            BadData("cannot read 'a': attribute 'd' has dates of the form 'dd MMM yyyy', of which "
                    "this cannot be read: 'MMM'; take them as they are written (type categorical), "
                    "or leave them out (ignore)"));
}

TEST(ArffReaderTest, WeightsOfLinesAreAColumnOfThatRole) {
  const auto data = ParseRows("1,red,no,{2.5}\n2,red,no\n{0 3},{0.5} % c\n4,green,yes {3}\n");
  EXPECT_EQ(Entries<double>(data->column("weight")), (Optionals<double>{2.5, 1, 0.5, 3}));
  EXPECT_EQ(data->roles().weights, "weight");
  EXPECT_THAT(LevelsOfRows(data->column("y")), ElementsAre("no", "no", "no", "yes"));
  EXPECT_EQ(RefusalOf([] { ParseArff("@attribute weight real\n@data\n1,{2}\n", "a", {}); }),
            BadData("cannot read 'a': lines have weights in braces, which are the column 'weight', "
                    "and there is an attribute of that name; rename it"));
}

TEST(ArffReaderTest, ReadsWhatWekaForgives) {
  const auto expected = ParseRows("1,red,no\n2,'dark blue',yes\n");
  for (const char* rows :
       {"1 red no\n2\t'dark blue' yes\n", "1, red no\n2 ,'dark blue',yes,\n",
        "1,red,no,\n2,dark blue,yes\n", "\t1 red,no % c\n\n2 \"dark blue\"yes\n"}) {
    EXPECT_EQ(ParseRows(rows)->content_hash(), expected->content_hash()) << rows;
  }
  const std::string header =
      "@ATTRIBUTE'x'integer[0,9] % c\n@attribute \"the colour\" { red ,\t"
      "'dark blue' ,green }\n@attribute y{no,yes,}\n@Data % c\n";
  EXPECT_EQ(ParseArff(header + "1,red,no\n2,'dark blue',yes\n", "a.arff", {})->content_hash(),
            expected->content_hash());
  EXPECT_THAT(ParseArff("@attribute c {a b\t'c d'}\n@data\n?\n", "a", {})->column("c").levels,
              ElementsAre("a", "b", "c d"));
  EXPECT_EQ(ParseArff("@attribute c {}\n@data\n?\n", "a", {})->num_rows(), 1);
}

TEST(ArffReaderTest, NothingIsLostInSilence) {
  EXPECT_EQ(RefusalOfRows("1,,no\n")->message,
            "cannot read 'a.arff': line 7, attribute 'the colour': there is no value; write ? for "
            "a missing one");
  EXPECT_EQ(RefusalOf([] { ParseArff("@attribute x real\n@data 1\n2\n", "a", {}); }),
            BadData("cannot read 'a': line 2: unexpected '1' after @data"));
  EXPECT_EQ(RefusalOf([] { ParseArff("@attribute x {a,,b}\n@data\na\n", "a", {}); }),
            BadData("cannot read 'a': line 1: attribute 'x' has nothing between two commas; write "
                    "'' for an empty value"));
  EXPECT_EQ(RefusalOf([] {
              ParseArff("@attribute b relational\n@attribute x real\n@data\n1\n", "a", {});
            }),
            BadData("cannot read 'a': line 3: '@end b' is missing"));
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
      const char* const rows[] = {
          "1,red,no\n", "2.5,green,?\r\n",     "{0 4}\n",        "% x\n",
          "\n",         "?,'dark blue',yes\n", "1 red no {2}\n", "3\t'dark blue'\tno,\n"};
      text += rows[random.Below(8)];
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
