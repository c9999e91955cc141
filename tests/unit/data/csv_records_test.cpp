// The form of a CSV file: RFC 4180, and where we are stricter or milder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crossfold/csv.h"
#include "unit/data/entries.h"
#include "unit/data/refusal.h"

namespace crossfold {
namespace {

using testing::ElementsAre;

std::shared_ptr<const Dataset> Parse(std::string_view text, const CsvOptions& options = {}) {
  return ParseCsv(text, "a.csv", options);
}

std::optional<Refusal> RefusalOfText(std::string_view text, const CsvOptions& options = {}) {
  return RefusalOf([&] { Parse(text, options); });
}

TEST(CsvRecordsTest, TheFirstLineNamesTheColumns) {
  const auto data = Parse("x,colour\n1,red\n2,blue\n");
  EXPECT_EQ(data->name(), "a.csv");
  EXPECT_EQ(data->num_rows(), 2);
  ASSERT_EQ(data->columns().size(), 2U);
  EXPECT_EQ(data->columns()[0].name, "x");
  EXPECT_THAT(LevelsOfRows(data->column("colour")), ElementsAre("red", "blue"));
}

TEST(CsvRecordsTest, QuotedFieldsMayHoldSeparatorsQuotesAndLineEnds) {
  const auto data =
      Parse("\"a \"\"b\"\"\"\n\"x,y\"\n\"say \"\"no\"\"\"\n\"two\r\nlines\"\n\"\"\"\"\n");
  EXPECT_THAT(LevelsOfRows(data->column("a \"b\"")),
              ElementsAre("x,y", "say \"no\"", "two\r\nlines", "\""));
}

TEST(CsvRecordsTest, QuotedAndPlainTextAreTheSameLevel) {
  const auto data = Parse("x\na\n\"a\"\n");
  EXPECT_THAT(data->column("x").levels, ElementsAre("a"));
}

TEST(CsvRecordsTest, LinesEndWithLfOrCrlfOrTheFile) {
  const std::string hash = Parse("x,y\n1,a\n2,b\n")->content_hash();
  EXPECT_EQ(Parse("x,y\r\n1,a\r\n2,b\r\n")->content_hash(), hash);
  EXPECT_EQ(Parse("x,y\n1,a\r\n2,b")->content_hash(), hash);
  EXPECT_EQ(Parse("x,y\n1,a\n2,b\r")->content_hash(), hash);
  EXPECT_EQ(Parse("x,y\n1,a\n2,\"b\"")->content_hash(), hash);
  EXPECT_EQ(Parse("x,y\n1,a\n2,\"b\"\r")->content_hash(), hash);
}

TEST(CsvRecordsTest, AByteOrderMarkIsSkipped) {
  EXPECT_EQ(Parse("\xEF\xBB\xBFx\n1\n")->columns()[0].name, "x");
  EXPECT_EQ(Parse("\xEF\xBB\xBF\"x\"\n1\n")->columns()[0].name, "x");
}

TEST(CsvRecordsTest, BlanksAroundUnquotedCellsAreTrimmed) {
  const auto data = Parse(" x ,\ty\n 5\t, red \n\t6,\" red \"\n");
  EXPECT_EQ(data->column("x").dtype, CF_I64);
  EXPECT_THAT(LevelsOfRows(data->column("y")), ElementsAre("red", " red "));
}

TEST(CsvRecordsTest, ASeparatorCanBeChosen) {
  const auto data = Parse("x;y\n1,5;2\n", {.separator = ';'});
  EXPECT_THAT(LevelsOfRows(data->column("x")), ElementsAre("1,5"));
  EXPECT_EQ(Parse("x\ty\n1\t\n", {.separator = '\t'})->column("y").CountMissing(), 1);
}

TEST(CsvRecordsTest, ASeparatorThatCannotSeparateIsRefused) {
  for (const char separator : {'"', '\n', '\r', '\0'}) {
    EXPECT_EQ(RefusalOfText("x\n1\n", {.separator = separator}),
              InvalidArgument("cannot read 'a.csv': the separator must not be a quote, a line end "
                              "or NUL"));
  }
}

TEST(CsvRecordsTest, ASeparatorAtTheEndOfALineOpensAnotherField) {
  EXPECT_EQ(Parse("x,y\n1,\n2,")->column("y").CountMissing(), 2);
}

TEST(CsvRecordsTest, ABlankLastLineIsIgnored) {
  EXPECT_EQ(Parse("x,y\n1,2\n\n")->num_rows(), 1);
  EXPECT_EQ(Parse("x,y\r\n1,2\r\n\r\n")->num_rows(), 1);
  EXPECT_EQ(Parse("x\n1\n\n")->num_rows(), 1);
}

TEST(CsvRecordsTest, ABlankLineInAOneColumnFileIsAMissingCell) {
  EXPECT_EQ(Entries<std::int64_t>(Parse("x\n1\n\n2\n")->column("x")),
            (std::vector<std::optional<std::int64_t>>{1, std::nullopt, 2}));
}

TEST(CsvRecordsTest, ABlankLineInAWiderFileIsRefused) {
  EXPECT_EQ(RefusalOfText("x,y\n1,2\n\n3,4\n"),
            BadData("cannot read 'a.csv': line 3 is blank, the header has 2 fields"));
}

TEST(CsvRecordsTest, RowsMustBeAsLongAsTheHeader) {
  EXPECT_EQ(RefusalOfText("a,b,c,d,e\n1,2,3,4,5\n1,2,3,4\n"),
            BadData("cannot read 'a.csv': line 3 has 4 fields, the header has 5"));
  EXPECT_EQ(RefusalOfText("a,b\n1,2,3\n"),
            BadData("cannot read 'a.csv': line 2 has 3 fields, the header has 2"));
  EXPECT_EQ(RefusalOfText("a,b\n1\n"),
            BadData("cannot read 'a.csv': line 2 has 1 field, the header has 2"));
}

TEST(CsvRecordsTest, AHeaderOfOneNameThatLooksLikeSeveralTellsTheWayOut) {
  EXPECT_EQ(
      RefusalOfText("a;b\n1,5;2\n"),
      BadData("cannot read 'a.csv': line 2 has 2 fields, the header has 1 with ';' in it; give "
              "separator = \"auto\""));
  EXPECT_EQ(RefusalOfText("a\tb\n1,5\t2\n"),
            BadData("cannot read 'a.csv': line 2 has 2 fields, the header has 1 with tabs in it; "
                    "give separator = \"auto\""));
}

TEST(CsvRecordsTest, LinesAreCountedInsideQuotesToo) {
  EXPECT_EQ(RefusalOfText("a,b\n\"1\n2\",3\n4\n"),
            BadData("cannot read 'a.csv': line 4 has 1 field, the header has 2"));
}

TEST(CsvRecordsTest, AQuoteInsideAnUnquotedFieldIsRefused) {
  EXPECT_EQ(RefusalOfText("a,size\n1,2\n1,5\"\n"),
            BadData("cannot read 'a.csv': line 3, column 'size': a quote inside an unquoted field; "
                    "quote the whole field and double its quotes"));
  EXPECT_EQ(RefusalOfText("a,b\n1, \"x\"\n"),
            BadData("cannot read 'a.csv': line 2, column 'b': a quote inside an unquoted field; "
                    "quote the whole field and double its quotes"));
}

TEST(CsvRecordsTest, TextAfterTheClosingQuoteIsRefused) {
  EXPECT_EQ(RefusalOfText("a,b\n\"x\"y,2\n"),
            BadData("cannot read 'a.csv': line 2, column 'a': text after the closing quote; double "
                    "quotes inside a field"));
  EXPECT_EQ(RefusalOfText("a,\"b\" \n1,2\n"),
            BadData("cannot read 'a.csv': line 1, column 2: text after the closing quote; double "
                    "quotes inside a field"));
}

TEST(CsvRecordsTest, AQuoteThatIsNeverClosedIsRefusedWhereItOpens) {
  EXPECT_EQ(RefusalOfText("a,b\n1,2\n3,\"x\n4,5\n"),
            BadData("cannot read 'a.csv': line 3, column 'b': the quote is never closed"));
  EXPECT_EQ(RefusalOfText("a\n\""),
            BadData("cannot read 'a.csv': line 2, column 'a': the quote is never closed"));
  EXPECT_EQ(RefusalOfText("a\n\"x\"\""),
            BadData("cannot read 'a.csv': line 2, column 'a': the quote is never closed"));
}

TEST(CsvRecordsTest, AFieldBeyondTheHeaderIsNamedByItsNumber) {
  EXPECT_EQ(RefusalOfText("a\n1,\"x\n"),
            BadData("cannot read 'a.csv': line 2, column 2: the quote is never closed"));
}

TEST(CsvRecordsTest, ACarriageReturnAloneIsNoLineEnd) {
  EXPECT_EQ(RefusalOfText("a,b\r1,2\r"),
            BadData("cannot read 'a.csv': line 1, column 2: a carriage return without a line feed; "
                    "end lines with LF or CRLF"));
}

TEST(CsvRecordsTest, NulBytesAreRefused) {
  using std::string_literals::operator""s;
  EXPECT_EQ(RefusalOfText("a\n12\0\n"s),
            BadData("cannot read 'a.csv': line 2, byte 3: a NUL; the file must be text in UTF-8"));
  EXPECT_EQ(RefusalOfText("a\n\"\0\"\n"s),
            BadData("cannot read 'a.csv': line 2, byte 2: a NUL; the file must be text in UTF-8"));
}

TEST(CsvRecordsTest, DuplicateNamesAreRefusedWithBothPositions) {
  EXPECT_EQ(RefusalOfText("a,b,\"a\"\n1,2,3\n"),
            BadData("cannot read 'a.csv': line 1: columns 1 and 3 are both named 'a'"));
}

TEST(CsvRecordsTest, EmptyNamesAreRefusedWithTheirPosition) {
  EXPECT_EQ(RefusalOfText("a,,b\n1,2,3\n"),
            BadData("cannot read 'a.csv': line 1, column 2 has no name"));
  EXPECT_EQ(RefusalOfText("a,b,\n1,2,3\n"),
            BadData("cannot read 'a.csv': line 1, column 3 has no name"));
  EXPECT_EQ(RefusalOfText("\na\n1\n"),
            BadData("cannot read 'a.csv': line 1, column 1 has no name"));
}

TEST(CsvRecordsTest, AHeaderAloneHasNoRows) {
  const Refusal refusal = BadData("cannot read 'a.csv': it has no rows, only a header");
  EXPECT_EQ(RefusalOfText("a,b\n"), refusal);
  EXPECT_EQ(RefusalOfText("a,b"), refusal);
  EXPECT_EQ(RefusalOfText("a\n\n"), refusal);
}

TEST(CsvRecordsTest, AnEmptyFileIsRefused) {
  const Refusal refusal =
      BadData("cannot read 'a.csv': it is empty; the first line must name the columns");
  EXPECT_EQ(RefusalOfText(""), refusal);
  EXPECT_EQ(RefusalOfText(std::string_view()), refusal);
  EXPECT_EQ(RefusalOfText("\xEF\xBB\xBF"), refusal);
}

}  // namespace
}  // namespace crossfold
