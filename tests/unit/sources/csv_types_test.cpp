// The types of CSV columns: inferred, or asked for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "unit/engine/data/entries.h"
#include "unit/engine/data/refusal.h"
#include "unit/engine/text/comma_locale.h"
#include "unit/sources/readings.h"

namespace crossfold::sources {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A file of the one column x, which lives on in the result.
Column ReadCells(const std::vector<std::string>& cells, ColumnType type = ColumnType::kInfer) {
  std::string text = "x\n";
  for (const std::string& cell : cells) text += cell + "\n";
  return ParseCsv(text, "a.csv", {.types = {{"x", type}}})->column("x");
}

std::optional<Refusal> RefusalOfCell(const std::string& cell, ColumnType type) {
  return RefusalOf([&] { ReadCells({"1", cell}, type); });
}

TEST(CsvInferenceTest, WholeNumbersAreI64) {
  const Column column = ReadCells({"1", "-20", "+3", "007"});
  EXPECT_EQ(column.dtype, CF_I64);
  EXPECT_EQ(Entries<std::int64_t>(column), (Optionals<std::int64_t>{1, -20, 3, 7}));
}

TEST(CsvInferenceTest, OneFractionMakesF64) {
  const Column column = ReadCells({"1", "2.5", "-1e-3", ".5"});
  EXPECT_EQ(column.dtype, CF_F64);
  EXPECT_EQ(Entries<double>(column), (Optionals<double>{1, 2.5, -0.001, 0.5}));
}

TEST(CsvInferenceTest, IntegersBeyondI64AreF64) {
  EXPECT_EQ(ReadCells({"9223372036854775807"}).dtype, CF_I64);
  const Column column = ReadCells({"9223372036854775808", "1"});
  EXPECT_EQ(column.dtype, CF_F64);
  EXPECT_EQ(Entries<double>(column), (Optionals<double>{9223372036854775808.0, 1}));
}

TEST(CsvInferenceTest, TrueAndFalseAreBool) {
  const Column column = ReadCells({"true", "FALSE", "?", "True"});
  EXPECT_EQ(column.dtype, CF_BOOL8);
  EXPECT_EQ(Entries<int>(column), (Optionals<int>{1, 0, std::nullopt, 1}));
}

TEST(CsvInferenceTest, AnythingElseIsCategorical) {
  for (const char* cell : {"red", "0x10", "1e400", "1 2", "tRUE", "1_000", "5%"}) {
    const Column column = ReadCells({"1", cell});
    EXPECT_EQ(column.dtype, CF_CAT32) << cell;
    EXPECT_THAT(LevelsOfRows(column), ElementsAre("1", cell));
  }
  EXPECT_EQ(ReadCells({"true", "1"}).dtype, CF_CAT32);
}

TEST(CsvInferenceTest, NanWordsAreMissingAmongNumbersAndBool) {
  for (const char* word :
       {"nan", "NaN", "-nan", "+NAN", "NaN(ind)", "-1.#IND00", "1.#QNAN", "#N/A"}) {
    EXPECT_EQ(Entries<double>(ReadCells({"1.5", word})), (Optionals<double>{1.5, std::nullopt}));
    EXPECT_EQ(ReadCells({word, "1"}).dtype, CF_I64) << word;
    EXPECT_EQ(ReadCells({"true", word}).dtype, CF_BOOL8) << word;
    EXPECT_THAT(LevelsOfRows(ReadCells({"red", word})), ElementsAre("red", word));
    EXPECT_EQ(ReadCells({"1", word}, ColumnType::kI32).CountMissing(), 1) << word;
  }
}

TEST(CsvInferenceTest, InfinitiesAreNumbers) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const char* word : {"inf", "Inf", "+INFINITY", "1.#INF00", "\u221E"}) {
    EXPECT_EQ(Entries<double>(ReadCells({"1", word})), (Optionals<double>{1, kInfinity}));
    EXPECT_THAT(LevelsOfRows(ReadCells({"red", word})), ElementsAre("red", word));
  }
  EXPECT_EQ(Entries<double>(ReadCells({"1", "-inf"})), (Optionals<double>{1, -kInfinity}));
}

TEST(CsvInferenceTest, QuotesDoNotMakeANumberAText) {
  EXPECT_EQ(ReadCells({"\"1\"", "2"}).dtype, CF_I64);
  EXPECT_EQ(ReadCells({"\" 1\"", "2"}).dtype, CF_CAT32);  // blanks in quotes are content
}

TEST(CsvInferenceTest, AColumnWithoutEntriesIsF64) {
  const Column column = ReadCells({"?", "NA", "?"});
  EXPECT_EQ(column.dtype, CF_F64);
  EXPECT_EQ(column.CountMissing(), 3);
}

TEST(CsvMissingTest, EveryTypeKnowsMissingCells) {
  EXPECT_EQ(Entries<std::int64_t>(ReadCells({"1", "NA"})),
            (Optionals<std::int64_t>{1, std::nullopt}));
  EXPECT_EQ(Entries<double>(ReadCells({"?", "1.5"})), (Optionals<double>{std::nullopt, 1.5}));
  EXPECT_THAT(LevelsOfRows(ReadCells({"a", " ? ", "b"})), ElementsAre("a", "(missing)", "b"));
  const auto two = ParseCsv("a,b\n,x\n1,\n", "a.csv", {});
  EXPECT_EQ(two->column("a").CountMissing(), 1);
  EXPECT_EQ(two->column("b").CountMissing(), 1);
}

TEST(CsvMissingTest, AQuotedCellIsNeverMissingAmongTexts) {
  EXPECT_THAT(LevelsOfRows(ReadCells({"\"\"", "\"NA\"", "\"?\"", "NA", "a"})),
              ElementsAre("", "NA", "?", "(missing)", "a"));
}

TEST(CsvMissingTest, MarkersCanBeChosen) {
  const auto data = ParseCsv("x,y\n-999,?\n5,a\n", "a.csv", {.missing = {"-999"}});
  EXPECT_EQ(Entries<std::int64_t>(data->column("x")), (Optionals<std::int64_t>{std::nullopt, 5}));
  EXPECT_THAT(LevelsOfRows(data->column("y")), ElementsAre("?", "a"));
}

TEST(CsvLevelsTest, AreSortedByBytes) {
  EXPECT_THAT(ReadCells({"b", "a", "\xC3\xA4", "B", "10", "b"}).levels,
              ElementsAre("10", "B", "a", "b", "\xC3\xA4"));
}

TEST(CsvLevelsTest, AreSortedByValueIfAllAreNumbers) {
  EXPECT_THAT(ReadCells({"10", "9", "-1", "1e1", "2.5"}, ColumnType::kCategorical).levels,
              ElementsAre("-1", "2.5", "9", "10", "1e1"));
}

TEST(CsvLevelsTest, MissingIsNoLevel) {
  EXPECT_THAT(ReadCells({"?", "?"}, ColumnType::kCategorical).levels, IsEmpty());
}

TEST(CsvTypesTest, EachTypeCanBeAskedFor) {
  EXPECT_EQ(ReadCells({"1", "?"}, ColumnType::kF64).dtype, CF_F64);
  EXPECT_EQ(Entries<double>(ReadCells({"1", "?"}, ColumnType::kF64)),
            (Optionals<double>{1, std::nullopt}));
  EXPECT_EQ(ReadCells({"0.1"}, ColumnType::kF32).dtype, CF_F32);
  EXPECT_EQ(Entries<float>(ReadCells({"0.1", "?"}, ColumnType::kF32)),
            (Optionals<float>{0.1F, std::nullopt}));
  EXPECT_EQ(ReadCells({"1"}, ColumnType::kI32).dtype, CF_I32);
  EXPECT_EQ(Entries<std::int32_t>(ReadCells({"-2147483648", "?"}, ColumnType::kI32)),
            (Optionals<std::int32_t>{-2147483647 - 1, std::nullopt}));
  EXPECT_EQ(ReadCells({"1"}, ColumnType::kI64).dtype, CF_I64);
  EXPECT_EQ(ReadCells({"?"}, ColumnType::kI64).dtype, CF_I64);
  EXPECT_EQ(ReadCells({"true"}, ColumnType::kBool).dtype, CF_BOOL8);
  EXPECT_EQ(ReadCells({"1"}, ColumnType::kCategorical).dtype, CF_CAT32);
}

TEST(CsvTypesTest, AnIgnoredColumnIsLeftOut) {
  const auto data = ParseCsv("a,b\n1,2\n", "a.csv", {.types = {{"a", ColumnType::kIgnore}}});
  ASSERT_EQ(data->columns().size(), 1U);
  EXPECT_EQ(data->columns()[0].name, "b");
}

TEST(CsvTypesTest, ACellOfAnotherTypeIsRefusedWithItsPlace) {
  EXPECT_EQ(RefusalOfCell("x12", ColumnType::kI64),
            BadData("cannot read 'a.csv': line 3, column 'x': 'x12' is not a number (type i64 was "
                    "requested)"));
  EXPECT_EQ(RefusalOfCell("1.5", ColumnType::kI64),
            BadData("cannot read 'a.csv': line 3, column 'x': '1.5' is not an integer (type i64 "
                    "was requested)"));
  EXPECT_EQ(RefusalOfCell("9223372036854775808", ColumnType::kI64),
            BadData("cannot read 'a.csv': line 3, column 'x': '9223372036854775808' is out of "
                    "range (type i64 was requested)"));
  EXPECT_EQ(RefusalOfCell("2147483648", ColumnType::kI32),
            BadData("cannot read 'a.csv': line 3, column 'x': '2147483648' is out of range (type "
                    "i32 was requested)"));
  EXPECT_EQ(RefusalOfCell("nano", ColumnType::kF64),
            BadData("cannot read 'a.csv': line 3, column 'x': 'nano' is not a number (type f64 was "
                    "requested)"));
  EXPECT_EQ(RefusalOfCell("1e400", ColumnType::kF64),
            BadData("cannot read 'a.csv': line 3, column 'x': '1e400' is out of range (type f64 "
                    "was requested)"));
  EXPECT_EQ(RefusalOfCell("1e39", ColumnType::kF32),
            BadData("cannot read 'a.csv': line 3, column 'x': '1e39' is out of range (type f32 was "
                    "requested)"));
  EXPECT_EQ(RefusalOf([] {
              ReadCells({"true", "yes"}, ColumnType::kBool);
            }),
            BadData("cannot read 'a.csv': line 3, column 'x': 'yes' is neither true nor false "
                    "(type bool was requested)"));
}

TEST(CsvTypesTest, ALongCellIsCutInTheMessage) {
  EXPECT_EQ(RefusalOfCell("\"\t" + std::string(100, 'z') + "\"", ColumnType::kF64),
            BadData("cannot read 'a.csv': line 3, column 'x': ' " + std::string(39, 'z') +
                    "...' is not a number (type f64 was requested)"));
}

TEST(CsvLocaleTest, ADecimalCommaChangesNothing) {
  const CommaLocale locale;
  ASSERT_EQ(locale.Problem(), "");
  EXPECT_EQ(Entries<double>(ReadCells({"1234.5", "2"})), (Optionals<double>{1234.5, 2}));
  EXPECT_THAT(LevelsOfRows(ReadCells({"\"1234,5\""})), ElementsAre("1234,5"));
  EXPECT_EQ(RefusalOfCell("1.5", ColumnType::kI32),
            BadData("cannot read 'a.csv': line 3, column 'x': '1.5' is not an integer (type i32 "
                    "was requested)"));
}

ColumnDeclaration Declared(std::int32_t dtype, std::vector<std::string> levels = {}) {
  return {.name = "x", .dtype = dtype, .levels = std::move(levels)};
}

Column ReadLike(const std::string& cells, const ColumnDeclaration& like,
                ColumnType type = ColumnType::kInfer) {
  CsvOptions options{.like = {like, {.name = "not_there"}}};
  if (type != ColumnType::kInfer) options.types = {{"x", type}};
  return ParseCsv("x\n" + cells, "a.csv", options)->column("x");
}

TEST(CsvLikeTest, AColumnHasTheTypeOfItsDeclaration) {
  EXPECT_EQ(ReadLike("1\n2\n", Declared(CF_F64)).dtype, CF_F64);
  EXPECT_EQ(ReadLike("1\n2\n", Declared(CF_F32)).dtype, CF_F32);
  EXPECT_EQ(ReadLike("1\n2\n", Declared(CF_I32)).dtype, CF_I32);
  EXPECT_EQ(ReadLike("1\n2\n", Declared(CF_I64)).dtype, CF_I64);
  EXPECT_EQ(ReadLike("true\nfalse\n", Declared(CF_BOOL8)).dtype, CF_BOOL8);
  EXPECT_EQ(ReadLike("1\n2\n", Declared(CF_CAT32)).dtype, CF_CAT32);
}

TEST(CsvLikeTest, DeclaredLevelsComeFirstAndNewOnesSortedBehindThem) {
  const Column column = ReadLike("d\nb\nc\nb\nNA\n", Declared(CF_CAT32, {"z", "b", "a"}));
  EXPECT_THAT(column.levels, ElementsAre("z", "b", "a", "c", "d"));
  const auto* codes = static_cast<const std::int32_t*>(column.data);
  EXPECT_THAT(std::vector<std::int32_t>(codes, codes + 5), ElementsAre(4, 1, 3, 1, -1));
}

TEST(CsvLikeTest, AnExplicitTypeComesFirst) {
  EXPECT_EQ(ReadLike("1\n2\n", Declared(CF_CAT32, {"2"}), ColumnType::kI64).dtype, CF_I64);
}

TEST(CsvLikeTest, ACellThatDoesNotFitIsRefused) {
  EXPECT_EQ(RefusalOf([] { ReadLike("1\n2.5\n", Declared(CF_I64)); }),
            BadData("cannot read 'a.csv': line 3, column 'x': '2.5' is not an integer (type i64 "
                    "was requested)"));
}

TEST(CsvLikeTest, AColumnThatDoesNotFitAMereWishKeepsItsOwnType) {
  const auto data =
      ParseCsv("x,y\n1,1\n2.5,2\n", "a.csv",
               {.like = {Declared(CF_I64), {.name = "y", .dtype = CF_F64}}, .wishes = true});
  EXPECT_EQ(Entries<double>(data->column("x")), (Optionals<double>{1, 2.5}));
  EXPECT_EQ(data->column("y").dtype, CF_F64);
}

TEST(CsvLikeTest, AWishThatALaterChunkDoesNotFitIsDroppedForAll) {
  const auto data = ReadCsvText({"x\n1\n2\n?\nred\n", "cannot read"}, "a",
                                {.like = {Declared(CF_I32)}, .wishes = true},
                                {.threads = 2, .chunk_bytes = 2, .bytes_per_column = 0});
  EXPECT_THAT(LevelsOfRows(data->column("x")), ElementsAre("1", "2", "(missing)", "red"));
}

TEST(CsvLikeTest, AnOrderStaysUnlessTheFileHasOtherLevels) {
  ColumnDeclaration like = Declared(CF_CAT32, {"s", "m", "l"});
  like.ordered = true;
  EXPECT_TRUE(ReadLike("m\ns\n", like).ordered);
  EXPECT_FALSE(ReadLike("m\nxl\n", like).ordered);
  EXPECT_FALSE(ReadLike("m\ns\n", Declared(CF_CAT32, {"s", "m", "l"})).ordered);
}

const CsvOptions kSizes{.types = {{"x", std::vector<std::string>{"s", "m", "l"}}}};

TEST(CsvLevelsTest, AListOfLevelsMakesAnOrderedColumnOfExactlyThese) {
  const auto data = ParseCsv("x\nm\n\"s\"\nNA\nm\n", "a.csv", kSizes);
  const Column& column = data->column("x");
  EXPECT_TRUE(column.ordered);
  EXPECT_THAT(column.levels, ElementsAre("s", "m", "l"));
  EXPECT_EQ(Entries<int>(column), (Optionals<int>{1, 0, std::nullopt, 1}));
}

TEST(CsvLevelsTest, AnEntryOutsideTheListIsRefusedWithItsLineAndTheNearestLevel) {
  const auto refusal = [](const std::string& text) {
    return RefusalOf([&] { ParseCsv(text, "a.csv", kSizes); });
  };
  const std::string attempt = "cannot read 'a.csv': line 3, column 'x': ";
  EXPECT_EQ(refusal("x\nm\nL\n"),
            BadData(attempt + "'L' is not one of its levels; did you mean 'l'? known: l, m, s"));
  // Quoted, it is not a sign for a missing entry.
  EXPECT_EQ(refusal("x\nm\n\"NA\"\n"),
            BadData(attempt + "'NA' is not one of its levels; known: l, m, s"));
}

TEST(CsvLevelsTest, TheListGoesBeforeTheLevelsOfOtherData) {
  CsvOptions options = kSizes;
  options.like = {Declared(CF_CAT32, {"l", "m", "s", "xs"})};
  EXPECT_THAT(ParseCsv("x\nm\n", "a.csv", options)->column("x").levels, ElementsAre("s", "m", "l"));
}

TEST(CsvLevelsTest, AnotherOrderOfTheLevelsAndNoOrderAreOtherContent) {
  const auto hash = [](WantedType type) {
    return ParseCsv("x\nm\ns\n", "a.csv", {.types = {{"x", std::move(type)}}})->content_hash();
  };
  const std::string up = hash(std::vector<std::string>{"m", "s"});
  EXPECT_EQ(up, hash(std::vector<std::string>{"m", "s"}));
  EXPECT_NE(up, hash(std::vector<std::string>{"s", "m"}));
  EXPECT_NE(up, hash(std::vector<std::string>{"m", "s", "xs"}));
  EXPECT_NE(up, hash(ColumnType::kCategorical));  // the same levels
}

// As programs write that quote every cell.
TEST(CsvTypesTest, AQuotedCellIsMissingAmongNumbersAndAWordAmongTexts) {
  const auto data = ParseCsv(
      "\"i\",\"x\",\"b\",\"t\",\"e\"\n\"1\",\"\",\"NA\",\"a\",\"\"\n\"\",\"2.5\",\"true\",\"\","
      "\"\"\n"
      "\"3\",\"NA\",\"\",\"NA\",\"?\"\n",
      "a", {});
  EXPECT_EQ(Entries<std::int64_t>(data->column("i")),
            (std::vector<std::optional<std::int64_t>>{1, std::nullopt, 3}));
  EXPECT_EQ(Entries<double>(data->column("x")),
            (std::vector<std::optional<double>>{std::nullopt, 2.5, std::nullopt}));
  EXPECT_EQ(data->column("b").dtype, CF_BOOL8);
  EXPECT_EQ(data->column("b").CountMissing(), 2);
  EXPECT_EQ(LevelsOfRows(data->column("t")), (std::vector<std::string>{"a", "", "NA"}));
  EXPECT_EQ(data->column("e").CountMissing(), 3);
}

// A text after the sample of 100 rows makes words of the quoted cells before it.
TEST(CsvTypesTest, QuotedCellsBecomeWordsWithALateText) {
  std::string text = "x\n";
  for (int i = 0; i < 300; ++i) text += i % 2 == 0 ? "\"7\"\n" : "\"NA\"\n";
  EXPECT_EQ(ParseCsv(text, "a", {})->column("x").CountMissing(), 150);
  const auto data = ParseCsv(text + "\"word\"\n", "a", {});
  EXPECT_EQ(data->column("x").CountMissing(), 0);
  EXPECT_EQ(data->column("x").levels, (std::vector<std::string>{"7", "NA", "word"}));
}

}  // namespace
}  // namespace crossfold::sources
