// The form of a CSV file: RFC 4180, and where we are stricter or milder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "temporary_folder.h"
#include "unit/engine/data/entries.h"
#include "unit/engine/data/refusal.h"
#include "unit/sources/csv_text.h"
#include "unit/sources/readings.h"

namespace crossfold::sources {
namespace {

// The way out that a message about a short record ends with.
const std::string kFill = "; if fields are left out at the end of lines, give ragged = \"fill\"";

using testing::ElementsAre;

TEST(CsvRecordsTest, TheFirstLineNamesTheColumns) {
  const auto data = ParseText("x,colour\n1,red\n2,blue\n");
  EXPECT_EQ(data->name(), "a.csv");
  EXPECT_EQ(data->num_rows(), 2);
  ASSERT_EQ(data->columns().size(), 2U);
  EXPECT_EQ(data->columns()[0].name, "x");
  EXPECT_THAT(LevelsOfRows(data->column("colour")), ElementsAre("red", "blue"));
}

TEST(CsvRecordsTest, QuotedFieldsMayHoldSeparatorsQuotesAndLineEnds) {
  const auto data =
      ParseText("\"a \"\"b\"\"\"\n\"x,y\"\n\"say \"\"no\"\"\"\n\"two\r\nlines\"\n\"\"\"\"\n");
  EXPECT_THAT(LevelsOfRows(data->column("a \"b\"")),
              ElementsAre("x,y", "say \"no\"", "two\r\nlines", "\""));
}

TEST(CsvRecordsTest, QuotedAndPlainTextAreTheSameLevel) {
  const auto data = ParseText("x\na\n\"a\"\n");
  EXPECT_THAT(data->column("x").levels, ElementsAre("a"));
}

TEST(CsvRecordsTest, LinesEndWithLfOrCrlfOrTheFile) {
  const std::string hash = ParseText("x,y\n1,a\n2,b\n")->content_hash();
  EXPECT_EQ(ParseText("x,y\r\n1,a\r\n2,b\r\n")->content_hash(), hash);
  EXPECT_EQ(ParseText("x,y\n1,a\r\n2,b")->content_hash(), hash);
  EXPECT_EQ(ParseText("x,y\n1,a\n2,b\r")->content_hash(), hash);
  EXPECT_EQ(ParseText("x,y\n1,a\n2,\"b\"")->content_hash(), hash);
  EXPECT_EQ(ParseText("x,y\n1,a\n2,\"b\"\r")->content_hash(), hash);
}

TEST(CsvRecordsTest, AByteOrderMarkIsSkipped) {
  EXPECT_EQ(ParseText("\xEF\xBB\xBFx\n1\n")->columns()[0].name, "x");
  EXPECT_EQ(ParseText("\xEF\xBB\xBF\"x\"\n1\n")->columns()[0].name, "x");
}

TEST(CsvRecordsTest, BlanksAroundUnquotedCellsAreTrimmed) {
  const auto data = ParseText(" x ,\ty\n 5\t, red \n\t6,\" red \"\n");
  EXPECT_EQ(data->column("x").dtype, CF_I64);
  EXPECT_THAT(LevelsOfRows(data->column("y")), ElementsAre("red", " red "));
}

TEST(CsvRecordsTest, ASeparatorCanBeChosen) {
  const auto data = ParseText("x;y\n1,5;2\n", {.separator = ';'});
  EXPECT_THAT(LevelsOfRows(data->column("x")), ElementsAre("1,5"));
  EXPECT_EQ(ParseText("x\ty\n1\t\n", {.separator = '\t'})->column("y").CountMissing(), 1);
}

TEST(CsvRecordsTest, ASeparatorThatCannotSeparateIsRefused) {
  for (const char separator : {'"', '\n', '\r', '\0'}) {
    EXPECT_EQ(RefusalOfText("x\n1\n", {.separator = separator}),
              InvalidArgument(
                  "cannot read 'a.csv': the separator must not be a quote, a line end or NUL"));
  }
}

TEST(CsvRecordsTest, ASeparatorAtTheEndOfALineOpensAnotherField) {
  EXPECT_EQ(ParseText("x,y\n1,\n2,")->column("y").CountMissing(), 2);
}

TEST(CsvRecordsTest, ABlankLastLineIsIgnored) {
  EXPECT_EQ(ParseText("x,y\n1,2\n\n")->num_rows(), 1);
  EXPECT_EQ(ParseText("x,y\r\n1,2\r\n\r\n")->num_rows(), 1);
  EXPECT_EQ(ParseText("x\n1\n\n")->num_rows(), 1);
}

// Others skip it, or take it for a missing entry.
TEST(CsvRecordsTest, ABlankLineInAOneColumnFileIsRefused) {
  for (const char* text : {"x\n1\n\n2\n", "x\n1\n \t\n2\n", "x\r\n1\r\n\r\n2"}) {
    EXPECT_EQ(FindingOf(text),
              "line 3 is blank; take it out, or write \"\" if the entry is missing");
  }
  EXPECT_EQ(Entries<std::int64_t>(ParseText("x\n1\n\"\"\n2\n")->column("x")),
            (std::vector<std::optional<std::int64_t>>{1, std::nullopt, 2}));
}

// As pandas and data.table do.
TEST(CsvRecordsTest, BlankLinesAtTheEndAreIgnored) {
  EXPECT_EQ(ParseText("x,y\n1,2\n\n\n\n")->num_rows(), 1);
  EXPECT_EQ(ParseText("x,y\r\n1,2\r\n\r\n\r\n")->num_rows(), 1);
  EXPECT_EQ(ParseText("x\n1\n\n\n")->num_rows(), 1);
}

TEST(CsvRecordsTest, ABlankLineInAWiderFileIsNoRow) {
  const auto plain = ParseText("x,y\n1,2\n3,4\n")->content_hash();
  EXPECT_EQ(ParseText("x,y\n1,2\n\n3,4\n")->content_hash(), plain);
  EXPECT_EQ(ParseText("\n\r\nx,y\n1,2\n \t\n3,4\n")->content_hash(), plain);
  EXPECT_EQ(FindingOf("x,y\n\n1,2\n\n3\n"), "line 5 has 1 field, the header has 2" + kFill);
}

TEST(CsvRecordsTest, RowsMustBeAsLongAsTheHeader) {
  EXPECT_EQ(FindingOf("a,b,c,d,e\n1,2,3,4,5\n1,2,3,4\n"),
            "line 3 has 4 fields, the header has 5" + kFill);
  EXPECT_EQ(FindingOf("a,b\n1,2,3\n"), "line 2 has 3 fields, the header has 2");
  EXPECT_EQ(FindingOf("a,b\n1\n"), "line 2 has 1 field, the header has 2" + kFill);
}

TEST(CsvRecordsTest, AHeaderOfOneNameThatLooksLikeSeveralTellsTheWayOut) {
  EXPECT_EQ(FindingOf("a;b\n1,5;2\n"),
            "line 2 has 2 fields, the header has 1 with ';' in it; give separator = \"auto\"");
  EXPECT_EQ(FindingOf("a\tb\n1,5\t2\n"),
            "line 2 has 2 fields, the header has 1 with tabs in it; give separator = \"auto\"");
}

TEST(CsvRecordsTest, ARecordOfAnotherSizeTellsTheWayOut) {
  EXPECT_EQ(
      FindingOf("Report of 2024\na,b\n1,2\n"),
      "line 2 has 2 fields, the header has 1; if the table begins there, give skip_lines = 1");
  EXPECT_EQ(FindingOf("a,b\n1,2\n# remark\n3,4\n"),
            "line 3 has 1 field, the header has 2; if lines that begin with it are comments, give "
            "comment = \"#\"");
  EXPECT_EQ(FindingOf("# made by x\na,b\n1,2\n"),
            "line 2 has 2 fields, the header has 1; if lines that begin with it are comments, give "
            "comment = \"#\"");
  EXPECT_EQ(ParseText("a,b\n1,2,\n3,4,\n")->content_hash(),
            ParseText("a,b\n1,2\n3,4\n")->content_hash());
  EXPECT_EQ(FindingOf("a,b\n1,2,\n3,4\n"), "line 2 has 3 fields, the header has 2" + kFill);
}

TEST(CsvRecordsTest, LinesAreCountedInsideQuotesToo) {
  EXPECT_EQ(FindingOf("a,b\n\"1\n2\",3\n4\n"), "line 4 has 1 field, the header has 2" + kFill);
}

TEST(CsvRecordsTest, AQuoteInsideAnUnquotedFieldIsRefused) {
  EXPECT_EQ(FindingOf("a,size\n1,2\n1,5\"\n"),
            "line 3, column 'size': a quote inside an unquoted field; quote the whole field and "
            "double its quotes, or give quote = false");
  EXPECT_EQ(FindingOf("a,b\n1, x\"\n"),
            "line 2, column 'b': a quote inside an unquoted field; quote the whole field and "
            "double its quotes, or give quote = false");
}

TEST(CsvRecordsTest, BlanksAroundQuotesDoNotCount) {
  EXPECT_EQ(ParseText("a, \"b\" \n1, \" x, y\"\n2,\t\"z\" \r\n")->content_hash(),
            ParseText("a,b\n1,\" x, y\"\n2,z\n")->content_hash());
  EXPECT_EQ(ParseText("a\tb\n1\t \"x\" \t\n", {.types = {{"c3", ColumnType::kIgnore}},
                                               .separator = '\t',
                                               .skip_lines = 1,
                                               .header = false})
                ->columns()
                .size(),
            2U);
}

TEST(CsvRecordsTest, TextAfterTheClosingQuoteIsRefused) {
  EXPECT_EQ(FindingOf("a,b\n\"x\"y,2\n"),
            "line 2, column 'a': text after the closing quote; double quotes inside a field");
  EXPECT_EQ(FindingOf("a,\"b\" c\n1,2\n"),
            "line 1, column 2: text after the closing quote; double quotes inside a field");
}

TEST(CsvRecordsTest, AQuoteThatIsNeverClosedIsRefusedWhereItOpens) {
  EXPECT_EQ(FindingOf("a,b\n1,2\n3,\"x\n4,5\n"),
            "line 3, column 'b': the quote is never closed; close it, or give quote = false");
  EXPECT_EQ(FindingOf("a\n\""),
            "line 2, column 'a': the quote is never closed; close it, or give quote = false");
  EXPECT_EQ(FindingOf("a\n\"x\"\""),
            "line 2, column 'a': the quote is never closed; close it, or give quote = false");
}

TEST(CsvRecordsTest, AFieldBeyondTheHeaderIsNamedByItsNumber) {
  EXPECT_EQ(FindingOf("a\n1,\"x\n"),
            "line 2, column 2: the quote is never closed; close it, or give quote = false");
}

TEST(CsvRecordsTest, ACarriageReturnAloneIsNoLineEnd) {
  EXPECT_EQ(FindingOf("a,b\r1,2\n"),
            "line 1, column 2: a carriage return without a line feed; end lines with LF or CRLF");
}

// As older programs on a Mac write them.
TEST(CsvRecordsTest, CarriageReturnsEndLinesWhereThereAreNoOthers) {
  EXPECT_EQ(ParseText("a,b\r1,x\r2,\"y\"\r")->content_hash(),
            ParseText("a,b\n1,x\n2,y\n")->content_hash());
  EXPECT_EQ(FindingOf("a,b\r1,2\r3\r"), "line 3 has 1 field, the header has 2" + kFill);
}

TEST(CsvRecordsTest, NulBytesAreRefused) {
  using std::string_literals::operator""s;
  EXPECT_EQ(FindingOf("a\n12\0\n"s), "line 2, byte 3: a NUL; take it out (tr -d '\\000')");
  EXPECT_EQ(FindingOf("a\n\"\0\"\n"s), "line 2, byte 2: a NUL; take it out (tr -d '\\000')");
  EXPECT_EQ(FindingOf("a\0\n\0001\0\n\0"s),
            "line 1, byte 2: a NUL; name the encoding, as in encoding = \"utf-16le\"");
  EXPECT_EQ(FindingOf("\0a\0\n\0001\0\n"s),
            "line 1, byte 1: a NUL; name the encoding, as in encoding = \"utf-16be\"");
}

TEST(CsvRecordsTest, DuplicateNamesAreRefusedWithBothPositions) {
  EXPECT_EQ(FindingOf("a,b,\"a\"\n1,2,3\n"),
            "line 1: columns 1 and 3 are both named 'a'; rename one, or give duplicate_names = "
            "\"number\"");
}

// An index, as pandas and R write it, or the end of lines that end with a separator.
TEST(CsvRecordsTest, ColumnsWithoutNameGetOneOrAreLeftOut) {
  EXPECT_EQ(ParseText("a,,b\n1,2,3\n")->columns()[1].name, "c2");
  EXPECT_EQ(ParseText("\"\",a\n1,2\n")->columns()[0].name, "a");
  EXPECT_EQ(ParseText("a,b,\n1,2,\n", {.types = {{"c3", ColumnType::kIgnore}}})->content_hash(),
            ParseText("a,b\n1,2\n")->content_hash());
  EXPECT_EQ(ParseText(",b\n1,2\n", {.types = {{"c1", ColumnType::kF64}}})->column("c1").dtype,
            CF_F64);
  EXPECT_EQ(ParseText(",b\n1,2\n", {.roles = {.target = "c1"}})->task(), Task::kRegression);
}

TEST(CsvRecordsTest, BlankLinesAloneAreRefused) {
  EXPECT_EQ(FindingOf("\n"), "line 1 is blank; it must name the columns");
  EXPECT_EQ(FindingOf("\n\n"), "it is empty; the first line must name the columns");
}

TEST(CsvRecordsTest, OtherFormatsAreNamed) {
  const auto refusal = [](const std::string& what) {
    return BadData("cannot read 'a.csv': " + what);
  };
  EXPECT_EQ(RefusalOfText("PK\3\4..."), refusal("it is a zip archive, as .xlsx and .ods are; save "
                                                "the sheet as CSV, or unpack it (unzip)"));
  EXPECT_EQ(RefusalOfText("<!DOCTYPE html>\n"),
            refusal("it is HTML or XML, perhaps an error page; save the data as CSV"));
  EXPECT_EQ(RefusalOfText("[{\"a\": 1}]"), refusal("it is JSON; save the data as CSV"));
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

TEST(CsvRecordsTest, ALineOfAbsurdLengthIsRefused) {
  const std::string text = "a,b\n1,2\n3," + std::string(70 << 20, 'x') + "\n";
  EXPECT_EQ(FindingOf(text),
            "line 3 is longer than 67108864 bytes; end it or close its quote, or raise most_bytes "
            "to 64 times its length");
  CsvOptions options;
  options.most_bytes = std::int64_t{64} * 80 << 20;
  EXPECT_EQ(ParseText(text, options)->num_rows(), 2);
}

TEST(CsvRecordsTest, ALineOfAbsurdlyManyFieldsIsRefused) {
  EXPECT_EQ(FindingOf(std::string(5'000'000, ',') + "\n1\n"),
            "line 1 has more than 4194304 fields; check the separator");
}

// Files, roles and the two ways to read.

std::optional<Refusal> RefusalOfRoles(std::string_view text, const Roles& roles) {
  return RefusalOf([&] { ParseCsv(text, "a.csv", {.roles = roles}); });
}

class CsvFileTest : public testing::Test {
 protected:
  const test::TemporaryFolder folder_;
  const std::string path_ = folder_.path() / "file.csv";
};

TEST_F(CsvFileTest, AFileReadsLikeItsText) {
  const std::string text = "x,y\r\n1,\"a\r\nb\"\r\n2,c\r\n";
  std::ofstream(path_, std::ios::binary) << text;
  const auto data = ReadCsv(path_, {});
  EXPECT_EQ(data->content_hash(), ParseCsv(text, "any", {})->content_hash());
  EXPECT_EQ(data->name(), "file");  // without folder and ending
}

TEST_F(CsvFileTest, MessagesNameTheWholePath) {
  std::ofstream(path_) << "x,y\n1\n";
  EXPECT_EQ(RefusalOf([&] { ReadCsv(path_, {}); }),
            BadData("cannot read '" + path_ + "': line 2 has 1 field, the header has 2" + kFill));
}

TEST_F(CsvFileTest, AnEmptyFileIsRefused) {
  std::ofstream(path_).close();
  EXPECT_EQ(
      RefusalOf([&] { ReadCsv(path_, {}); }),
      BadData("cannot read '" + path_ + "': it is empty; the first line must name the columns"));
}

TEST_F(CsvFileTest, AMissingFileIsRefused) {
  EXPECT_EQ(RefusalOf([] { ReadCsv("no/such.csv", {}); }),
            (Refusal{ErrorKind::kIo, "cannot read 'no/such.csv': there is no such file"}));
}

TEST(CsvRolesTest, ColumnsGetTheirRoles) {
  const auto data = ParseCsv(
      "x,y,w,g,t,f\n1,a,2,u,5,0\n2,b,3,v,6,-1\n", "a.csv",
      {.roles = {.target = "y", .weights = "w", .groups = "g", .time = "t", .folds = "f"}});
  EXPECT_EQ(data->num_features(), 1);
  EXPECT_THAT(data->class_names(), ElementsAre("a", "b"));
  EXPECT_THAT(data->weights(), ElementsAre(2.0, 3.0));
  EXPECT_THAT(data->groups(), ElementsAre(0, 1));
  EXPECT_THAT(data->time(), ElementsAre(5.0, 6.0));
  EXPECT_THAT(data->folds(), ElementsAre(0, -1));
}

TEST(CsvRolesTest, IntegerClassesAreClassesOnlyIfAskedFor) {
  CsvOptions options{.roles = {.target = "y"}};
  EXPECT_EQ(ParseCsv("x,y\n1,10\n2,9\n", "a.csv", options)->task(), Task::kRegression);
  options.types["y"] = ColumnType::kCategorical;
  const auto data = ParseCsv("x,y\n1,10\n2,9\n", "a.csv", options);
  EXPECT_EQ(data->task(), Task::kClassification);
  EXPECT_THAT(data->class_names(), ElementsAre("9", "10"));
}

TEST(CsvRolesTest, AMissingTargetIsRefusedWithItsLine) {
  EXPECT_EQ(RefusalOfRoles("x,y\n\"1\n\",a\n2,?\n", {.target = "y"}),
            BadData("cannot read 'a.csv': line 4, column 'y': the target is missing; read the data "
                    "with drop_missing = { \"target\" } to leave such rows out"));
}

}  // namespace
}  // namespace crossfold::sources
