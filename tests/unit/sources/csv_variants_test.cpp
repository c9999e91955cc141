// CSV files as programs of many countries write them: each reads as its plain form does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "engine/data/column_entries.h"
#include "unit/engine/data/entries.h"
#include "unit/engine/data/refusal.h"
#include "unit/sources/csv_text.h"
#include "unit/sources/readings.h"

namespace crossfold::sources {
namespace {

// The way out that a message about a short record ends with.
const std::string kShortRecord =
    "; if fields are left out at the end of lines, give ragged = \"fill\"";

using testing::ElementsAre;

std::string HashOfText(std::string_view text, const CsvOptions& options = {}) {
  return ParseCsv(text, "a.csv", options)->content_hash();
}

std::vector<std::string> NamesOf(std::string_view text, const CsvOptions& options) {
  std::vector<std::string> names;
  const auto data = ParseCsv(text, "a.csv", options);
  for (const Column& column : data->columns()) names.push_back(column.name);
  return names;
}

constexpr std::string_view kPlain = "name,x,n\nM\xC3\xBCller,1.5,3\n\"We, Co\",-2.25,4\n,1e3,5\n";

TEST(CsvVariantsTest, DecimalCommasReadAsPoints) {
  const CsvOptions german{.separator = ';', .decimal = ','};
  EXPECT_EQ(HashOfText("name;x;n\nM\xC3\xBCller;1,5;3\nWe, Co;-2,25;4\n;1e3;5\n", german),
            HashOfText(kPlain));
  const auto data = ParseCsv("x;y;z\n1,5;1.5;a\n\"2,5\";2.5;1,5\n", "a.csv", german);
  EXPECT_THAT(Entries<double>(data->column("x")), ElementsAre(1.5, 2.5));
  EXPECT_THAT(LevelsOfRows(data->column("y")),
              ElementsAre("1.5", "2.5"));                                 // points are not decimals
  EXPECT_THAT(LevelsOfRows(data->column("z")), ElementsAre("a", "1,5"));  // texts stay
  EXPECT_EQ(FindingOf("x;y\n1,5;2\n1.234,5;3\n",
                      {.types = {{"x", ColumnType::kF64}}, .separator = ';', .decimal = ','}),
            "line 3, column 'x': '1.234,5' is not a number (type f64 was requested)");
}

TEST(CsvVariantsTest, QuotedCellsMayHoldTheSeparatorAsDecimalComma) {
  EXPECT_EQ(HashOfText("x,n\n\"1,5\",3\n\"-0,25\",4\n", {.decimal = ','}),
            HashOfText("x,n\n1.5,3\n-0.25,4\n"));
  EXPECT_EQ(FindingOf("x;n\n1,5;3\n", {.decimal = ','}),
            "line 2 has 2 fields, the header has 1 with ';' in it; give separator = \"auto\"");
}

TEST(CsvVariantsTest, ThousandsSignsReadAsTheNumbersWithout) {
  const std::string plain = HashOfText("x,n\n1234.5,1000000\n-0.25,7\n12,-1000\n");
  EXPECT_EQ(HashOfText("x;n\n1,234.5;1,000,000\n-0.25;7\n12;-1,000\n",
                       {.separator = ';', .thousands = ','}),
            plain);
  EXPECT_EQ(
      HashOfText("x,n\n\"1,234.5\",\"1,000,000\"\n-0.25,7\n12,\"-1,000\"\n", {.thousands = ','}),
      plain);
  EXPECT_EQ(HashOfText("x;n\n1.234,5;1.000.000\n-0,25;7\n12;-1.000\n",
                       {.separator = ';', .decimal = ',', .thousands = '.'}),
            plain);
  EXPECT_EQ(HashOfText("x;n\n1\u202F234,5;1 000 000\n-0,25;7\n12;-1\u00A0000\n",
                       {.separator = ';', .decimal = ',', .thousands = ' '}),
            plain);
  EXPECT_EQ(HashOfText("x\tn\n1'234.5\t1\u2019000\u2019000\n-0.25\t7\n12\t-1'000\n",
                       {.separator = '\t', .thousands = '\''}),
            plain);
}

TEST(CsvVariantsTest, WhatIsNotInGroupsOfThreeIsNoThousand) {
  const CsvOptions english{.separator = ';', .thousands = ','};
  const auto data = ParseCsv("x;y\n1,23;1,234 apples\n1,234;b\n", "a.csv", english);
  EXPECT_THAT(LevelsOfRows(data->column("x")), ElementsAre("1,23", "1,234"));
  EXPECT_THAT(LevelsOfRows(data->column("y")), ElementsAre("1,234 apples", "b"));  // texts stay
  EXPECT_EQ(FindingOf("x;y\n1,234;2\n1,23;3\n",
                      {.types = {{"x", ColumnType::kI64}}, .separator = ';', .thousands = ','}),
            "line 3, column 'x': '1,23' is not a number (type i64 was requested)");
}

// As Excel writes and obeys it.
TEST(CsvVariantsTest, AFirstLineMayNameTheSeparator) {
  const std::string plain = HashOfText("x,y\n1,2\n");
  EXPECT_EQ(HashOfText("sep=;\r\nx;y\r\n1;2\r\n"), plain);
  EXPECT_EQ(HashOfText("\xEF\xBB\xBF\"sep=\t\"\nx\ty\n1\t2\n", {.separator = kSeparatorAuto}),
            plain);
  EXPECT_EQ(HashOfText("sep=;\nx;y\n1;2\n", {.separator = ';'}), plain);
  EXPECT_EQ(HashOfText("sep=;\nx|y\n1|2\n", {.separator = '|', .skip_lines = 1}), plain);
  EXPECT_EQ(FindingOf("sep=,\nx,y\n1\n"), "line 3 has 1 field, the header has 2" + kShortRecord);
  EXPECT_EQ(
      RefusalOfText("sep=;\nx|y\n1|2\n", {.separator = '|'}),
      InvalidArgument("cannot read 'a.csv': line 1 says that the separator is ';', the option says "
                      "'|'; leave the option out, or the line by skip_lines = 1"));
}

TEST(CsvVariantsTest, AFirstLineNamesNoSeparatorThatNoOptionMayBe) {
  for (const char named : {'"', '\0', '\1', '\2', '\xC3'}) {
    EXPECT_EQ(FindingOf(std::string("sep=") + named + "\nx,y\n1,2\n"),
              "line 1 names an invalid separator; leave the line out by skip_lines = 1");
  }
}

TEST(CsvVariantsTest, AColumnMayHaveTheNameThatParquetFilesBeginWith) {
  EXPECT_EQ(ParseCsv("PAR1,PAR2\n1,2\n", "a.csv", {})->num_rows(), 1);
  EXPECT_EQ(FindingOf("PAR1\x15\x04 ... PAR1"),
            "it is a Parquet file; bring it in through Arrow, or save it as CSV");
}

TEST(CsvVariantsTest, AFileOfAnotherSeparatorIsNoFileOfOneColumn) {
  EXPECT_EQ(FindingOf("x;y;z\n1;2;a\n"),
            "lines 1 and 2 have one field with ';' in it; give separator = \";\", or quote the "
            "name if it is one");
  EXPECT_EQ(FindingOf("x\ty\n1\t2\n"),
            "lines 1 and 2 have one field with tabs in it; give separator = \"tab\", or quote the "
            "name if it is one");
  EXPECT_THAT(NamesOf("\"x;y\"\n1;2\n", {}), ElementsAre("x;y"));
  EXPECT_THAT(NamesOf("x;y\n1\n", {}), ElementsAre("x;y"));
}

TEST(CsvVariantsTest, EncodingsReadAsUtf8) {
  const std::string latin1 = "name,x,n\nM\xFCller,1.5,3\n\"We, Co\",-2.25,4\n,1e3,5\n";
  EXPECT_EQ(HashOfText(latin1, {.encoding = TextEncoding::kLatin1}), HashOfText(kPlain));
  EXPECT_EQ(HashOfText(latin1, {.encoding = TextEncoding::kWindows1252}), HashOfText(kPlain));
  EXPECT_EQ(FindingOf(latin1),
            "line 2, byte 2: this is not UTF-8; name the encoding, as in encoding = "
            "\"windows-1252\" or \"latin1\"");
}

TEST(CsvVariantsTest, OtherQuotesAndNone) {
  const CsvOptions single{.quote = '\''};
  EXPECT_EQ(HashOfText("a,b\n'x,''y',\"\n'line\nend',2\n", single),
            HashOfText("a,b\n\"x,'y\",\"\"\"\"\n\"line\nend\",2\n"));
  EXPECT_EQ(HashOfText("a,b\n\"x,y\n", {.quote = kNoQuote}), HashOfText("a,b\n\"\"\"x\",y\n"));
  EXPECT_EQ(FindingOf("a,b\nit's,2\n", single),
            "line 2, column 'a': a quote inside an unquoted field; quote the whole field and "
            "double its quotes, or give quote = false");
}

TEST(CsvVariantsTest, RunsOfBlanksSeparate) {
  const CsvOptions blanks{.separator = kSeparatorBlanks};
  EXPECT_EQ(HashOfText("  x   y\n 1\t \"a  b\"  \r\n2 c\n", blanks),
            HashOfText("x,y\n1,\"a  b\"\n2,c\n"));
}

TEST(CsvVariantsTest, LinesOfCommentsAreLeftOutButCount) {
  const CsvOptions hash{.comment = "#"};
  EXPECT_EQ(HashOfText("# made by \"me\nx,y\n#\n1,\"a\n#b\"\n2,c#d\n#end", hash),
            HashOfText("x,y\n1,\"a\n#b\"\n2,c#d\n"));
  EXPECT_EQ(FindingOf("#\n#\nx,y\n1,2\n#\n3\n", hash),
            "line 6 has 1 field, the header has 2" + kShortRecord);
}

TEST(CsvVariantsTest, FirstLinesAreSkipped) {
  EXPECT_EQ(HashOfText("a \"title\n\nx,y\n1,2\n", {.skip_lines = 2}), HashOfText("x,y\n1,2\n"));
  EXPECT_EQ(HashOfText("\xEF\xBB\xBFtitle\nx,y\n1,2\n", {.skip_lines = 1}),
            HashOfText("x,y\n1,2\n"));
  EXPECT_EQ(FindingOf("title\nx,y\n1\n", {.skip_lines = 1}),
            "line 3 has 1 field, the header has 2" + kShortRecord);
  EXPECT_EQ(FindingOf("x\n1\n", {.skip_lines = 3}), "it has 2 lines, and skip_lines leaves out 3");
}

TEST(CsvVariantsTest, ColumnsWithoutHeaderAreNumberedOrNamed) {
  EXPECT_THAT(NamesOf("1,a\n2,b\n", {.header = false}), ElementsAre("c1", "c2"));
  EXPECT_THAT(NamesOf("1,a\n2,b\n", {.header = false, .names = {"x", "y"}}), ElementsAre("x", "y"));
  EXPECT_EQ(ParseCsv("1,a\n2,b\n", "a", {.header = false})->num_rows(), 2);
  EXPECT_EQ(RefusalOfText("1,a\n", {.header = false, .names = {"x"}}),
            InvalidArgument("cannot read 'a.csv': line 1 has 2 fields, names has 1"));
  EXPECT_EQ(
      RefusalOfText("1,a\n", {.header = false, .names = {"x", "x"}}),
      InvalidArgument("cannot read 'a.csv': option names: columns 1 and 2 are both named 'x'"));
  EXPECT_EQ(RefusalOfText("1,a\n", {.names = {"x", "y"}}),
            InvalidArgument(
                "cannot read 'a.csv': names are given, but the first line names the columns; give "
                "header = false if it does not, with skip_lines = 1 to replace its names"));
}

TEST(CsvVariantsTest, TheSeparatorIsFoundWhereOneFits) {
  const CsvOptions automatic{.separator = kSeparatorAuto};
  EXPECT_EQ(HashOfText("x;y\n1;a, b\n2;c\n", automatic), HashOfText("x,y\n1,\"a, b\"\n2,c\n"));
  EXPECT_EQ(HashOfText("x\ty\n1\t2\n", automatic), HashOfText("x,y\n1,2\n"));
  EXPECT_EQ(HashOfText("x|y\n1|\"a|b\"\n", automatic), HashOfText("x,y\n1,a|b\n"));
  EXPECT_EQ(HashOfText("x\n1\n", automatic), HashOfText("x\n1\n"));
  EXPECT_EQ(RefusalOfText("a,b;c\n1,2;3\n", automatic),
            InvalidArgument("cannot read 'a.csv': the separator may be ',' (2 fields) and ';' (2 "
                            "fields); name it, as in separator = \",\""));
  EXPECT_EQ(
      RefusalOfText("a,b\n1\n2;3\n", automatic),
      InvalidArgument("cannot read 'a.csv': no separator gives the first lines the same number of "
                      "fields: with ';' line 1 has 1, line 3 has 2; name it, as in separator = "
                      "\";\", or leave out lines before the header by skip_lines"));
}

TEST(CsvVariantsTest, SeparatorsHaveNames) {
  EXPECT_EQ(SeparatorFromName(";"), ';');
  EXPECT_EQ(SeparatorFromName("tab"), '\t');
  EXPECT_EQ(SeparatorFromName("space"), kSeparatorBlanks);
  EXPECT_EQ(
      RefusalOf([] { Translated("cannot read 'a.csv'", [] { SeparatorFromName("comma "); }); }),
      InvalidArgument(
          "cannot read 'a.csv': separator 'comma ' must be one character or a word; did you mean "
          "'comma'? known: auto, bar, colon, comma, semicolon, space, tab"));
}

TEST(CsvVariantsTest, OptionsThatContradictEachOtherAreRefused) {
  const auto refusal = [](const std::string& finding) {
    return InvalidArgument("cannot read 'a.csv': " + finding);
  };
  EXPECT_EQ(RefusalOfText("x\n1\n", {.quote = kNoQuote, .decimal = ','}),
            refusal("decimal sign and separator are both ','; name the other separator, as in "
                    "separator = \";\""));
  EXPECT_EQ(RefusalOfText("x\n1\n", {.decimal = 'x'}),
            refusal("the decimal sign must be '.' or ','"));
  EXPECT_EQ(RefusalOfText("x\n1\n", {.thousands = '.'}),
            refusal("decimal sign and thousands sign are both '.'; name the other decimal sign, as "
                    "in decimal = \",\""));
  EXPECT_EQ(RefusalOfText("x\n1\n", {.quote = '\'', .thousands = '\''}),
            refusal("quote and thousands sign are the same"));
  EXPECT_EQ(RefusalOfText("x\n1\n", {.thousands = '0'}),
            refusal("the thousands sign must be ',', '.', ' ', '_' or an apostrophe"));
  EXPECT_EQ(RefusalOfText("x\n1\n", {.separator = ';', .quote = ';'}),
            refusal("quote and separator are the same"));
  EXPECT_EQ(RefusalOfText("x\n1\n", {.quote = ' '}),
            refusal("the quote must be a character of ASCII, and not a blank or line end"));
  EXPECT_EQ(RefusalOfText("x\n1\n", {.separator = '\xE4'}),
            refusal("the separator must be a character of ASCII"));
  EXPECT_EQ(RefusalOfText("x\n1\n", {.comment = "\"#"}),
            refusal("the comment sign must not begin with the quote"));
}

// Chunks of any size, with all options at once.
TEST(CsvVariantsTest, ChunksDoNotMatter) {
  const CsvOptions options{.separator = ';',
                           .quote = '\'',
                           .decimal = ',',
                           .thousands = '.',
                           .skip_lines = 1,
                           .comment = "//",
                           .header = false};
  std::string text = "title's\n";
  for (int i = 0; i < 40; ++i) {
    text += "1.000," + std::to_string(i) + ";'a;\n''" + std::to_string(i % 3) +
            "';x\xC3\xA4\n// it's\n";
  }
  const std::string whole = HashOfText(text, options);
  for (std::size_t size = 1; size < 60; ++size) {
    const auto data = ReadCsvText({text, "cannot read 'a'"}, "a", options,
                                  {.threads = 2, .chunk_bytes = size, .bytes_per_column = 0});
    ASSERT_EQ(data->content_hash(), whole) << size;
  }
}

TEST(CsvVariantsTest, ADatabaseIsNoText) {
  EXPECT_EQ(FindingOf(std::string_view("SQLite format 3\0....", 20)),
            "it is an SQLite database; read a table or a query of it (docs/reading.md)");
}

// Chunks and threads do not matter: whatever their size and number, a text gives the dataset or the
// message that it gives in one piece. The one piece is what the other CSV tests are about.
using plugin::Random;

// The content, or the message.
std::string Outcome(const std::string& text, const CsvOptions& options,
                    const ChunkedReading& reading) {
  std::string hash;
  const auto refusal = RefusalOf([&] {
    const auto data = ReadCsvText({text, "cannot read 'a.csv'"}, "a", options, reading);
    hash = data->content_hash();
    for (const Column& column : data->columns()) hash += column.validity == nullptr ? 'a' : 'v';
  });
  return refusal ? refusal->message : hash;
}

std::string InOnePiece(const std::string& text, const CsvOptions& options = {}) {
  return Outcome(text, options, {.threads = 1, .chunk_bytes = 1 << 30, .bytes_per_column = 0});
}

class RandomCsv {
 public:
  explicit RandomCsv(std::uint64_t seed) : random_(seed) {}

  std::string Text() {
    const std::uint64_t n_columns = 1 + random_.Below(4), n_rows = random_.Below(30);
    const char* const line_end = random_.Below(2) == 0 ? "\n" : "\r\n";
    std::string text = random_.Below(4) == 0 ? "\xEF\xBB\xBF" : "";
    // One or two kinds of cells a column, so that types other than text come out too.
    std::vector<std::uint64_t> kinds;
    for (std::uint64_t c = 0; c < n_columns; ++c) kinds.push_back(random_.Below(6));
    text += Header(n_columns) + line_end;
    for (std::uint64_t row = 0; row < n_rows; ++row) {
      for (std::uint64_t c = 0; c < n_columns; ++c) {
        text += (c > 0 ? "," : "") + Cell(random_.Below(20) == 0 ? random_.Below(6) : kinds[c]);
      }
      text += row + 1 < n_rows || random_.Below(2) == 0 ? line_end : "";
    }
    if (random_.Below(3) == 0) text += line_end;
    return text;
  }

  // A text with a few bytes changed: mostly refused.
  std::string Damaged() {
    std::string text = Text();
    for (std::uint64_t edits = 1 + random_.Below(3); edits > 0; --edits) {
      const std::size_t at = random_.Below(text.size());
      const std::string_view special("\"\n\r,x1 \0\xEF", 9);
      if (random_.Below(2) == 0) {
        text[at] = special[random_.Below(special.size())];
      } else {
        text.insert(at, 1, special[random_.Below(special.size())]);
      }
    }
    return text;
  }

 private:
  std::string Pick(std::vector<std::string> choices) {
    return choices[random_.Below(choices.size())];
  }
  std::string Header(std::uint64_t n_columns) {
    std::string header;
    for (std::uint64_t c = 0; c < n_columns; ++c) {
      header +=
          (c > 0 ? "," : "") + Pick({"c" + std::to_string(c), "\"c\n" + std::to_string(c) + "\"",
                                     "\"c,\"\"" + std::to_string(c) + "\""});
    }
    return header;
  }
  std::string Cell(std::uint64_t kind) {
    if (random_.Below(10) == 0) return Pick({"", "?", "NA", " NA "});
    switch (kind) {
      case 0:
        return Pick({"1", "-20", "+3", "007", "\"4\"", " 5 ", "-0", "9223372036854775807"});
      case 1:
        return Pick({"0.5", "-1.25e3", ".5", "5.", "0.1234567890123456789", "-0.0",
                     "9223372036854775808", "123456789.12345678"});
      case 2:
        return Pick({"true", "FALSE", "True", "\"false\""});
      case 3:
        return Pick({"red", "\"two\nlines\"", "\"a,\"\"b\"\"\"", "\"\"", "\"\r\n\"", "blue"});
      case 4:
        return "";
      default:
        return Pick({"1", "0.25", "12345678901234567890"});
    }
  }

  Random random_;
};

TEST(CsvChunksTest, ChunksOfEverySizeGiveTheSameDataset) {
  const std::string text =
      "a,\"b\n\",c\r\n1,\"x\ny\",\r\n2.5,\"\"\"\n\",true\r\n-0,\"\r\n\",false\r\n?,z,\r\n\r\n";
  const std::string whole = InOnePiece(text);
  ASSERT_EQ(whole.find("cannot"), std::string::npos) << whole;
  for (std::size_t bytes = 1; bytes <= text.size(); ++bytes) {
    EXPECT_EQ(Outcome(text, {}, {.threads = 1, .chunk_bytes = bytes, .bytes_per_column = 0}), whole)
        << bytes;
  }
}

TEST(CsvChunksTest, RandomTextsAreTheSameForAnyChunksAndThreads) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    RandomCsv random(seed);
    const std::string text = random.Text();
    const std::string whole = InOnePiece(text);
    for (const std::size_t bytes : {1U, 2U, 7U, 40U}) {
      EXPECT_EQ(Outcome(text, {}, {.threads = 3, .chunk_bytes = bytes, .bytes_per_column = 0}),
                whole)
          << text;
    }
  }
}

TEST(CsvChunksTest, DamagedTextsGiveTheSameMessageForAnyChunksAndThreads) {
  const CsvOptions options{.types = {{"c0", ColumnType::kI64}}};
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    RandomCsv random(seed);
    const std::string text = random.Damaged();
    for (const CsvOptions& given : {CsvOptions(), options}) {
      const std::string whole = InOnePiece(text, given);
      for (const std::size_t bytes : {1U, 11U}) {
        EXPECT_EQ(Outcome(text, given, {.threads = 2, .chunk_bytes = bytes, .bytes_per_column = 0}),
                  whole)
            << text;
      }
    }
  }
}

TEST(CsvChunksTest, ALateTextRetypesItsColumnOnly) {
  std::string text = "x,y\n";
  for (int i = 0; i < 300; ++i) text += std::to_string(i) + "," + std::to_string(i) + ".5\n";
  text += "late,1\n";
  const auto data =
      ReadCsvText({text, ""}, "a", {}, {.threads = 2, .chunk_bytes = 64, .bytes_per_column = 0});
  EXPECT_EQ(data->column("x").dtype, CF_CAT32);
  EXPECT_EQ(data->column("x").levels.size(), 301U);
  EXPECT_EQ(data->column("y").dtype, CF_F64);
}

TEST(CsvChunksTest, ANegativeZeroKeepsItsSignWhenItsColumnTurnsReal) {
  const auto data = ReadCsvText({"x\n-0\n1.5\n", ""}, "a", {},
                                {.threads = 1, .chunk_bytes = 2, .bytes_per_column = 0});
  EXPECT_TRUE(std::signbit(static_cast<const double*>(data->column("x").data)[0]));
}

TEST(CsvChunksTest, AMissingEntryOfARoleIsFoundBehindDroppedRows) {
  const CsvOptions options{.roles = {.target = "y", .groups = "g"}, .drop_missing = {"target"}};
  const ChunkedReading reading{.threads = 2, .chunk_bytes = 3, .bytes_per_column = 0};
  EXPECT_EQ(Outcome("y,g\na,1\n?,?\nb,2\nb,?\n", options, reading),
            "cannot read 'a.csv': line 5, column 'g': the groups is missing; read the data with "
            "drop_missing = { \"groups\" } to leave such rows out");
  const auto data = ReadCsvText({"y,g\na,1\n?,?\nb,2\n", ""}, "a", options, reading);
  EXPECT_EQ(data->num_dropped_rows(), 1);
  EXPECT_EQ(data->groups().size(), 2U);
}

TEST(CsvChunksTest, TheFirstMissingTargetIsFoundInItsChunk) {
  EXPECT_EQ(Outcome("y,x\na,1\n\"b\n\",2\n?,3\n?,4\n", {.roles = {.target = "y"}},
                    {.threads = 2, .chunk_bytes = 3, .bytes_per_column = 0}),
            "cannot read 'a.csv': line 5, column 'y': the target is missing; read the data with "
            "drop_missing = { \"target\" } to leave such rows out");
}

}  // namespace
}  // namespace crossfold::sources
