#include "crossfold/table.h"

#include <gtest/gtest.h>

#include <limits>

#include "unit/engine/text/comma_locale.h"
#include "unit/sources/readings.h"

namespace crossfold {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Table Scores() {
  return {{"learner", "folds", "mean", "best"},
          {{std::string("knn"), std::int64_t{10}, 0.96, true},
           {std::string("naive_bayes"), std::int64_t{5}, Null(), false}}};
}

TEST(TableToTextTest, NumbersGoRightAndTextGoesLeft) {
  EXPECT_EQ(ToText(Scores()),
            "learner      folds    mean  best\n"
            "-----------  -----  ------  -----\n"
            "knn             10  0.9600  true\n"
            "naive_bayes      5       -  false\n");
}

TEST(TableToTextTest, DecimalsCanBeChosen) {
  EXPECT_EQ(ToText(Table{{"mean"}, {{0.125}, {-0.01}}}, 2),
            " mean\n"
            "-----\n"
            " 0.12\n"
            "-0.01\n");
}

// A reader takes 0.0000 and 1.0000 for exact. Digits by hand: two after the zeros, and as many
// nines as tell the number from 1.
TEST(TableToTextTest, WhatIsNotZeroOrOneDoesNotLookSo) {
  EXPECT_EQ(ToText(Table{{"x"},
                         {{0.0},
                          {-0.000038},
                          {0.00004999},
                          {0.00005001},
                          {9.992007221626415e-11},
                          {1.0},
                          {0.99996},
                          {-0.9999996},
                          {0.99994},
                          {0.9999999999999998},
                          {1.00001},
                          {kInfinity}}}),
            "         x\n"
            "----------\n"
            "    0.0000\n"
            " -0.000038\n"
            "  0.000050\n"
            "    0.0001\n"
            "   1.0e-10\n"
            "    1.0000\n"
            "   0.99996\n"
            "-0.9999996\n"
            "    0.9999\n"
            "    1.0000\n"
            "    1.0000\n"
            "       inf\n");
}

// Rounding leaves some 1e-16 of the numbers that were summed. What is larger, or alone, is a
// number.
TEST(TableToTextTest, RoundingNoiseBesideTheScaleOfItsColumnIsZero) {
  EXPECT_EQ(ToText(Table{{"small", "large", "alone"},
                         {{3.0e-17, -6.4e-8, 5e-324},
                          {0.049, 1.2e8, 0.0},
                          {-6e-16, kInfinity, Null()},
                          {3.0e-12, 0.25, Null()}}}),
            "   small           large     alone\n"
            "--------  --------------  --------\n"
            "  0.0000          0.0000  4.9e-324\n"
            "  0.0490  120000000.0000    0.0000\n"
            "-6.0e-16             inf         -\n"
            " 3.0e-12          0.2500         -\n");
}

TEST(TableToTextTest, WidthIsCountedInCharacters) {
  EXPECT_EQ(ToText(Table{{"Größe", "n"}, {{std::string("größer"), std::int64_t{1}}}}),
            "Größe   n\n"
            "------  -\n"
            "größer  1\n");
}

TEST(TableToTextTest, TheLastColumnGoesOnBelowWhereTheLineEnds) {
  const Table table{{"step", "parameters"},
                    {{std::string("größe"), std::string("alpha = 1, beta = 2, gamma = 3")},
                     {std::string("knn"), std::string("k = 5")}}};
  EXPECT_EQ(ToText(table, 4, 27),
            "step   parameters\n"
            "-----  --------------------\n"
            "größe  alpha = 1, beta = 2,\n"
            "       gamma = 3\n"
            "knn    k = 5\n");
  EXPECT_EQ(ToText(table, 4, 200), ToText(table));
}

TEST(TableToTextTest, NumbersAndLongWordsAreNotBroken) {
  const std::string word(25, 'x');
  EXPECT_EQ(ToText(Table{{"fact", "value"},
                         {{std::string("hash"), "a " + word}, {std::string("n"), 0.5}}},
                   4, 10),
            "fact  value\n"
            "----  --------------------\n"
            "hash  a\n"
            "      " +
                word +
                "\n"
                "n                   0.5000\n");
}

TEST(TableToTextTest, ARowStaysOnItsLine) {
  EXPECT_EQ(ToText(Table{{"failure"}, {{std::string("two\nlines\x1b[31m")}}}),
            "failure\n"
            "--------------\n"
            "two lines [31m\n");
}

TEST(TableToTextTest, InAColumnOfBothKindsOnlyNumbersGoRight) {
  EXPECT_EQ(ToText(Table{{"value"}, {{std::int64_t{7}}, {std::string("gini")}, {Null()}}}),
            "value\n"
            "-----\n"
            "    7\n"
            "gini\n"
            "-\n");
}

TEST(TableToTextTest, ATableWithoutRowsIsItsHeader) {
  EXPECT_EQ(ToText(Table{{"learner", "mean"}, {}}),
            "learner  mean\n"
            "-------  ----\n");
  EXPECT_EQ(ToText(Table{}), "");
}

TEST(TableToCsvTest, WritesShortestNumbersAndEmptyCells) {
  EXPECT_EQ(ToCsv(Scores()),
            "learner,folds,mean,best\n"
            "knn,10,0.96,true\n"
            "naive_bayes,5,,false\n");
  EXPECT_EQ(ToCsv(Table{{"x"}, {{0.1 + 0.2}, {kInfinity}}}), "x\n0.30000000000000004\ninf\n");
}

TEST(TableToCsvTest, QuotesWhatNeedsIt) {
  EXPECT_EQ(ToCsv(Table{{"a,b"}, {{std::string("say \"no\"")}, {std::string("two\nlines")}}}),
            "\"a,b\"\n"
            "\"say \"\"no\"\"\"\n"
            "\"two\nlines\"\n");
}

TEST(TableToCsvTest, OurReaderGetsTextsBack) {
  const std::vector<std::string> texts = {"", " x ", "?", "NA", "a,b", "q\"q", "l\r\nl"};
  Table table{{"id", "text"}, {}};
  for (const std::string& text : texts) table.rows.push_back({std::string("row"), text});

  const auto data = sources::ParseCsv(ToCsv(table), "table", {});
  const Column& column = data->column("text");
  const auto* codes = static_cast<const std::int32_t*>(column.data);
  ASSERT_EQ(column.n_rows, static_cast<std::int64_t>(texts.size()));
  for (std::size_t row = 0; row < texts.size(); ++row) {
    ASSERT_FALSE(column.is_missing(static_cast<std::int64_t>(row)));
    EXPECT_EQ(column.levels[static_cast<std::size_t>(codes[row])], texts[row]);
  }
}

TEST(TableToJsonTest, WritesObjectsWithKeysInColumnOrder) {
  EXPECT_EQ(ToJson(Scores()), R"([
  {
    "learner": "knn",
    "folds": 10,
    "mean": 0.96,
    "best": true
  },
  {
    "learner": "naive_bayes",
    "folds": 5,
    "mean": null,
    "best": false
  }
]
)");
}

TEST(TableToJsonTest, InfinitiesAreStrings) {
  EXPECT_EQ(ToJson(Table{{"x"}, {{kInfinity}, {-kInfinity}}}),
            "[\n  {\n    \"x\": \"inf\"\n  },\n  {\n    \"x\": \"-inf\"\n  }\n]\n");
}

TEST(TableToJsonTest, BytesThatAreNoUtf8AreReplaced) {
  EXPECT_EQ(ToJson(Table{{"x"}, {{std::string("caf\xE9")}}}),
            "[\n  {\n    \"x\": \"caf\xEF\xBF\xBD\"\n  }\n]\n");
}

TEST(TableToJsonTest, NoRowsAreAnEmptyArray) { EXPECT_EQ(ToJson(Table{{"x"}, {}}), "[]\n"); }

TEST(TableLocaleTest, ADecimalCommaChangesNothing) {
  const CommaLocale locale;
  ASSERT_EQ(locale.Problem(), "");
  const Table table{{"n", "mean"}, {{std::int64_t{12345}, 1234.5}}};
  EXPECT_EQ(ToText(table),
            "    n       mean\n"
            "-----  ---------\n"
            "12345  1234.5000\n");
  EXPECT_EQ(ToCsv(table), "n,mean\n12345,1234.5\n");
  EXPECT_EQ(ToJson(table), "[\n  {\n    \"n\": 12345,\n    \"mean\": 1234.5\n  }\n]\n");
}

TEST(ToLatexTest, MakesATabularWithEscapedText) {
  const Table table{{"learner", "p_value", "folds"},
                    {{std::string("a_b & 5% {x} \\ #1"), 0.05, std::int64_t{10}},
                     {std::string("k < 3"), Null(), std::int64_t{9}}}};
  EXPECT_EQ(ToLatex(table, 3),
            "\\begin{tabular}{lrr}\n\\toprule\n"
            "learner & p\\_value & folds \\\\\n\\midrule\n"
            "a\\_b \\& 5\\% \\{x\\} \\textbackslash{} \\#1 & 0.050 & 10 \\\\\n"
            "k \\ensuremath{<} 3 & - & 9 \\\\\n"
            "\\bottomrule\n\\end{tabular}\n");
  EXPECT_EQ(ToLatex(Table()), "");
}

}  // namespace
}  // namespace crossfold
