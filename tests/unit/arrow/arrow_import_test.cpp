// The layouts are those of the specification of the Arrow columnar format and its C data interface;
// the arrays are written byte by byte.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "crossfold/arrow.h"
#include "unit/arrow/hand_made_array.h"
#include "unit/engine/data/entries.h"
#include "unit/engine/data/refusal.h"
#include "unit/sources/readings.h"

namespace crossfold {
namespace {

using testing::ElementsAre;
using testing::Optional;

constexpr auto kNone = std::nullopt;

std::shared_ptr<const Dataset> Import(const ArrowNode& node, const Roles& roles = {}) {
  HandMade made(node);
  return ImportArrow(&made.schema, &made.array, "sales", roles);
}

// The refusal of a struct array of one column `node`, and what became of the structs.
Refusal RefusalOfColumn(const ArrowNode& node) {
  HandMade made(Struct({node}));
  const auto counts = made.counts;
  const auto refusal = RefusalOf([&] { ImportArrow(&made.schema, &made.array, "sales", {}); });
  EXPECT_EQ(counts->schemas, 1) << "released on error";
  EXPECT_EQ(counts->arrays, 1) << "released on error";
  return refusal.value_or(Refusal{ErrorKind::kInvalidArgument, "nothing was refused"});
}

Refusal Bad(const std::string& finding) { return BadData("cannot import 'sales': " + finding); }

TEST(ArrowImportTest, NumbersStayInTheMemoryOfTheArray) {
  HandMade made(
      Struct({Numbers<double>("g", "a", {1.5, -2}), Numbers<float>("f", "b", {1, 2}),
              Numbers<std::int64_t>("l", "c", {7, 8}), Numbers<std::int32_t>("i", "d", {-7, 8})}));
  std::vector<const void*> buffers;
  for (int i = 0; i < 4; ++i) buffers.push_back(made.array.children[i]->buffers[1]);
  const auto data = ImportArrow(&made.schema, &made.array, "sales", {});
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(data->columns()[i].data, buffers[i]);
  EXPECT_THAT(Entries<double>(data->column("a")), ElementsAre(1.5, -2));
  EXPECT_EQ(data->column("b").dtype, CF_F32);
  EXPECT_THAT(Entries<std::int64_t>(data->column("c")), ElementsAre(7, 8));
  EXPECT_THAT(Entries<std::int32_t>(data->column("d")), ElementsAre(-7, 8));
}

TEST(ArrowImportTest, TheArrayIsReleasedOnceWhenTheLastUserIsGone) {
  HandMade made(Struct({Numbers<double>("g", "a", {1, 2})}));
  auto data = ImportArrow(&made.schema, &made.array, "sales", {});
  EXPECT_EQ(made.schema.release, nullptr) << "moved out";
  EXPECT_EQ(made.array.release, nullptr) << "moved out";
  EXPECT_EQ(made.counts->schemas, 1);
  EXPECT_EQ(made.counts->arrays, 0);
  const Column column = data->column("a");
  data = nullptr;
  EXPECT_EQ(made.counts->arrays, 0) << "a column is left";
  const_cast<Column&>(column).owner = nullptr;
  EXPECT_EQ(made.counts->arrays, 1);
  EXPECT_EQ(made.counts->children, 2) << "the child of the schema and that of the array";
}

TEST(ArrowImportTest, AnArrayOfWhichAllIsCopiedIsReleasedAtOnce) {
  HandMade made(Struct({Texts("a", {"x", "y"}), Numbers<std::int8_t>("c", "b", {1, 2})}));
  const auto data = ImportArrow(&made.schema, &made.array, "sales", {});
  EXPECT_EQ(made.counts->arrays, 1);
  EXPECT_THAT(LevelsOfRows(data->column("a")), ElementsAre("x", "y"));
}

TEST(ArrowImportTest, OffsetsOfTheStructAndOfItsFieldsAddUp) {
  ArrowNode a = Numbers<double>("g", "a", {0, 1, 2, 3, 4, 5, 6});
  a.offset = 2;
  a.length = 5;
  ArrowNode b = Texts("b", {"p", "q", "r", "s"});
  ArrowNode node = Struct({a, b});
  node.offset = 1;
  node.length = 3;
  const auto data = Import(node);
  EXPECT_THAT(Entries<double>(data->column("a")), ElementsAre(3, 4, 5));
  EXPECT_THAT(LevelsOfRows(data->column("b")), ElementsAre("q", "r", "s"));
}

TEST(ArrowImportTest, BitmapsAreReadFromAnyBit) {
  for (std::size_t offset : {0, 1, 3, 7, 8, 13}) {
    ArrowNode a{"l", "a", 4, 2, static_cast<std::int64_t>(offset)};
    std::vector<std::int64_t> values(offset);
    values.insert(values.end(), {10, 11, 12, 13});
    a.buffers = {Bits({1, 0, 0, 1}, offset), BytesOf(values)};
    const auto data = Import(Struct({a}));
    EXPECT_THAT(Entries<std::int64_t>(data->column("a")), ElementsAre(10, kNone, kNone, 13))
        << "offset " << offset;
  }
}

TEST(ArrowImportTest, ANullCountThatIsNotKnownMeansThatTheBitmapIsAsked) {
  ArrowNode a = Numbers<double>("g", "a", {1, 2, 3});
  a.null_count = -1;
  a.buffers[0] = Bits({1, 0, 1});
  ArrowNode b = Numbers<double>("g", "b", {1, 2, 3});
  b.null_count = -1;
  const auto data = Import(Struct({a, b}));
  EXPECT_THAT(Entries<double>(data->column("a")), ElementsAre(1, kNone, 3));
  EXPECT_THAT(Entries<double>(data->column("b")), ElementsAre(1, 2, 3)) << "no bitmap, no nulls";
}

TEST(ArrowImportTest, ANullCountOfZeroMeansThatTheBitmapIsNotAsked) {
  ArrowNode a = Numbers<double>("g", "a", {1, 2});
  a.buffers[0] = Bits({0, 0});
  EXPECT_THAT(Entries<double>(Import(Struct({a}))->column("a")), ElementsAre(1, 2));
}

TEST(ArrowImportTest, NarrowAndUnsignedIntegersAreWidened) {
  const auto data = Import(Struct({
      Numbers<std::int8_t>("c", "a", {-128, 127}),
      Numbers<std::uint8_t>("C", "b", {0, 255}),
      Numbers<std::int16_t>("s", "c", {-32768, 32767}),
      Numbers<std::uint16_t>("S", "d", {0, 65535}),
      Numbers<std::uint32_t>("I", "e", {0, 4294967295U}),
      Numbers<std::uint64_t>("L", "f", {0, 9223372036854775807U}),
  }));
  EXPECT_THAT(Entries<std::int64_t>(data->column("a")), ElementsAre(-128, 127));
  EXPECT_THAT(Entries<std::int64_t>(data->column("b")), ElementsAre(0, 255));
  EXPECT_THAT(Entries<std::int64_t>(data->column("c")), ElementsAre(-32768, 32767));
  EXPECT_THAT(Entries<std::int64_t>(data->column("d")), ElementsAre(0, 65535));
  EXPECT_EQ(data->column("d").dtype, CF_I32);
  EXPECT_THAT(Entries<std::int64_t>(data->column("e")), ElementsAre(0, 4294967295));
  EXPECT_THAT(Entries<std::int64_t>(data->column("f")),
              ElementsAre(0, std::numeric_limits<std::int64_t>::max()));
  EXPECT_EQ(data->column("f").dtype, CF_I64);
}

TEST(ArrowImportTest, BoolsAreUnpackedFromAnyBit) {
  ArrowNode a{"b", "a", 3, 1, 6};
  a.buffers = {Bits({1, 1, 0}, 6), Bits({1, 0, 1}, 6)};
  const auto data = Import(Struct({a}));
  EXPECT_EQ(data->column("a").dtype, CF_BOOL8);
  EXPECT_THAT(Entries<int>(data->column("a")), ElementsAre(1, 0, kNone));
}

TEST(ArrowImportTest, TextsBecomeTheCategoriesThatACsvFileGives) {
  const std::vector<std::vector<std::string>> lists = {{"b", "B", "a", "\xC3\xA4", "b"},
                                                       {"10", "9", "1.0", "1", "9"}};
  for (const auto& texts : lists) {
    sources::CsvOptions options;
    options.types["a"] = sources::ColumnType::kCategorical;
    std::string csv = "a\n";
    for (const std::string& text : texts) csv += text + "\n";
    const auto expected = sources::ParseCsv(csv, "sales", options);
    for (const ArrowNode& node : {Texts("a", texts), Texts<std::int64_t>("a", texts)}) {
      const auto data = Import(Struct({node}));
      EXPECT_EQ(data->column("a").levels, expected->column("a").levels);
      EXPECT_EQ(data->content_hash(), expected->content_hash());
    }
  }
}

TEST(ArrowImportTest, NullAndEmptyTextsAreNotTheSame) {
  ArrowNode a = Texts("a", {"", "x", ""});
  a.null_count = 1;
  a.buffers[0] = Bits({1, 1, 0});
  const auto data = Import(Struct({a}));
  EXPECT_THAT(data->column("a").levels, ElementsAre("", "x"));
  EXPECT_THAT(LevelsOfRows(data->column("a")), ElementsAre("", "x", "(missing)"));
}

template <class Index>
void ExpectCategories(const std::string& format) {
  const auto data =
      Import(Struct({Coded<Index>(format, "a", {2, 0, 1, 0}, {"low", "high", "middle"})}));
  EXPECT_THAT(data->column("a").levels, ElementsAre("low", "high", "middle")) << format;
  EXPECT_THAT(LevelsOfRows(data->column("a")), ElementsAre("middle", "low", "high", "low"))
      << format;
}

TEST(ArrowImportTest, DictionariesAreCategoriesInTheirOwnOrder) {
  ExpectCategories<std::int8_t>("c");
  ExpectCategories<std::uint8_t>("C");
  ExpectCategories<std::int16_t>("s");
  ExpectCategories<std::uint16_t>("S");
  ExpectCategories<std::int32_t>("i");
  ExpectCategories<std::uint32_t>("I");
  ExpectCategories<std::int64_t>("l");
  ExpectCategories<std::uint64_t>("L");
}

TEST(ArrowImportTest, Int32IndicesStayInTheMemoryOfTheArray) {
  ArrowNode a = Coded<std::int32_t>("i", "a", {9, 1, 0, 77}, {"low", "high"});
  a.offset = 1;
  a.length = 3;
  a.null_count = 1;
  a.flags = ARROW_FLAG_DICTIONARY_ORDERED;
  a.buffers[0] = Bits({1, 1, 1, 0});
  HandMade made(Struct({a}));
  const auto* buffer = static_cast<const std::int32_t*>(made.array.children[0]->buffers[1]);
  const auto data = ImportArrow(&made.schema, &made.array, "sales", {});
  EXPECT_EQ(data->column("a").data, buffer + 1);
  EXPECT_TRUE(data->column("a").ordered);
  EXPECT_THAT(LevelsOfRows(data->column("a")), ElementsAre("high", "low", "(missing)"));
}

TEST(ArrowImportTest, ADictionaryMayHaveAnOffsetLargeTextsAndANull) {
  ArrowNode a = Coded<std::int32_t>("i", "a", {0, 1, 2}, {});
  ArrowNode levels = Texts<std::int64_t>("", {"unused", "x", "lost", "y"});
  levels.offset = 1;
  levels.length = 3;
  levels.null_count = 1;
  levels.buffers[0] = Bits({1, 1, 0, 1});
  a.dictionary = {levels};
  const auto data = Import(Struct({a}));
  EXPECT_THAT(data->column("a").levels, ElementsAre("x", "y"));
  EXPECT_THAT(LevelsOfRows(data->column("a")), ElementsAre("x", "(missing)", "y"));
}

TEST(ArrowImportTest, NumbersThatAreNotAlignedAreCopied) {
  ArrowNode a{"g", "a", 2, 1};
  const std::vector<std::uint8_t> entries = BytesOf(std::vector<double>{1.25, 7});
  std::vector<std::uint8_t> shifted(9 + entries.size());
  HandMade made(Struct({[&] {
    a.buffers = {Bits({1, 0}), shifted};
    return a;
  }()}));
  auto** buffers = const_cast<const void**>(made.array.children[0]->buffers);
  auto* odd = static_cast<std::uint8_t*>(const_cast<void*>(buffers[1])) + 1;
  std::memcpy(odd, entries.data(), entries.size());
  buffers[1] = odd;
  const auto data = ImportArrow(&made.schema, &made.array, "sales", {});
  EXPECT_NE(data->column("a").data, odd);
  EXPECT_THAT(Entries<double>(data->column("a")), ElementsAre(1.25, kNone));
}

TEST(ArrowImportTest, NoRowsNeedNoBuffers) {
  ArrowNode a{"g", "a"}, b{"u", "b"}, c{"b", "c"};
  a.buffers = {{}, {}};
  b.buffers = {{}, {}, {}};
  c.buffers = {{}, {}};
  const auto data = Import(Struct({a, b, c}));
  EXPECT_EQ(data->num_rows(), 0);
  EXPECT_EQ(data->column("b").levels.size(), 0u);
}

TEST(ArrowImportTest, RolesMakeATarget) {
  Roles roles;
  roles.target = "y";
  const auto data = Import(
      Struct({Numbers<double>("g", "x", {1, 2}), Coded<std::int8_t>("c", "y", {1, 0}, {"n", "p"})}),
      roles);
  EXPECT_EQ(data->task(), Task::kClassification);
  EXPECT_THAT(data->labels(), ElementsAre(1, 0));
}

TEST(ArrowImportTest, NaNIsMissing) {
  const auto data = Import(Struct({Numbers<double>("g", "a", {std::nan(""), 1})}));
  EXPECT_THAT(Entries<double>(data->column("a")), ElementsAre(kNone, 1));
}

TEST(ArrowImportTest, InfinitiesAreRefusedUnlessTheyAreAskedFor) {
  const auto import = [](InfiniteEntries wanted) {
    HandMade made(Struct({Numbers<double>("g", "a", {1, -HUGE_VAL})}));
    return ImportArrow(&made.schema, &made.array, "d", {}, wanted);
  };
  EXPECT_EQ(RefusalOf([&] { import(InfiniteEntries::kRefuse); }),
            BadData("cannot import 'd': column 'a', row 2: the entry is infinite; give infinite = "
                    "\"missing\" to make such entries missing, \"keep\" to keep them, or leave the "
                    "column out"));
  EXPECT_THAT(Entries<double>(import(InfiniteEntries::kMissing)->column("a")),
              ElementsAre(1, kNone));
  EXPECT_THAT(Entries<double>(import(InfiniteEntries::kKeep)->column("a")),
              ElementsAre(1, -HUGE_VAL));
}

TEST(ArrowImportTest, AnIndexOfMinusOneIsMissing) {
  const auto data = Import(Struct({Coded<std::int32_t>("i", "a", {-1, 0}, {"x"})}));
  EXPECT_THAT(LevelsOfRows(data->column("a")), ElementsAre("(missing)", "x"));
}

TEST(ArrowImportTest, DatesAndTimesAreWholeNumbersOfTheirUnit) {
  HandMade made(Struct({Numbers<std::int32_t>("tdD", "a", {-1, 19723}),
                        Numbers<std::int64_t>("tsu:Europe/Paris", "b", {1, 1704067200000000}),
                        Numbers<std::int32_t>("ttm", "c", {0, 86399999}),
                        Numbers<std::int64_t>("tdm", "d", {0, 86400000}),
                        Numbers<std::int64_t>("ttn", "e", {0, 7})}));
  const void* const stamps = made.array.children[1]->buffers[1];
  const auto data = ImportArrow(&made.schema, &made.array, "sales", {});
  for (const Column& column : data->columns()) EXPECT_EQ(column.dtype, CF_I64) << column.name;
  EXPECT_THAT(Entries<std::int64_t>(data->column("a")), ElementsAre(-1, 19723));
  EXPECT_THAT(Entries<std::int64_t>(data->column("b")), ElementsAre(1, 1704067200000000));
  EXPECT_EQ(data->column("b").data, stamps) << "64 bits stay where they are";
  EXPECT_THAT(Entries<std::int64_t>(data->column("c")), ElementsAre(0, 86399999));
}

TEST(ArrowImportTest, ANullColumnIsAColumnOfNumbersWithoutAnEntry) {
  const auto data = Import(Struct({Numbers<double>("g", "a", {1, 2}), ArrowNode{"n", "b", 2, 2}}));
  EXPECT_EQ(data->column("b").dtype, CF_F64);
  EXPECT_THAT(Entries<double>(data->column("b")), ElementsAre(kNone, kNone));
}

TEST(ArrowImportTest, MetadataGiveAColumnItsRole) {
  ArrowNode y = Numbers<double>("g", "y", {1, 2});
  y.metadata = Metadata({{"other", "target"}, {"crossfold.role", "target"}});
  ArrowNode w = Numbers<double>("g", "w", {1, 2});
  w.metadata = Metadata({{"crossfold.role", "weights"}});
  const ArrowNode x = Numbers<double>("g", "x", {1, 2});
  EXPECT_EQ(Import(Struct({x, y, w}))->roles().target, "y");
  EXPECT_EQ(Import(Struct({x, y, w}))->roles().weights, "w");
  Roles roles;
  roles.target = "x";
  EXPECT_EQ(Import(Struct({x, y, w}), roles)->roles().target, "x") << "the user's word counts";
  roles.target = "w";
  EXPECT_EQ(Import(Struct({x, y, w}), roles)->roles().weights, "") << "one role for a column";
}

TEST(ArrowImportTest, MetadataThatCannotBeReadAreRefused) {
  ArrowNode a = Numbers<double>("g", "a", {1});
  a.metadata = Metadata({{"crossfold.role", "traget"}});
  EXPECT_EQ(RefusalOfColumn(a), Bad("column 'a' has the unknown role 'traget'"));
  a.metadata = std::string("\xFF\xFF\xFF\xFF", 4);
  EXPECT_EQ(RefusalOfColumn(a), Bad("column 'a' has metadata of a negative length"));
  a.metadata = Metadata({{"crossfold.role", "target"}});
  ArrowNode b = a;
  b.name = "b";
  EXPECT_EQ(RefusalOf([&] {
              Import(Struct({a, b}));
            }),
            Bad("columns 'a' and 'b' are both the target"));
}

// Three strings as views: in place, and in each of two buffers.
ArrowNode Views(const std::string& name) {
  struct Entry {
    std::int32_t size;
    char start[4];
    std::int32_t buffer, offset;
  };
  const std::string first = "..thirteen chars", second = "a string of twenty-five ..";
  ArrowNode node{"vu", name, 3};
  const std::vector<Entry> views = {{3, {'x', 'y', 'z', 0}, 0, 0},
                                    {14, {'t', 'h', 'i', 'r'}, 0, 2},
                                    {26, {'a', ' ', 's', 't'}, 1, 0}};
  const auto sizes = std::vector<std::int64_t>{static_cast<std::int64_t>(first.size()),
                                               static_cast<std::int64_t>(second.size())};
  node.buffers = {{},
                  BytesOf(views),
                  {first.begin(), first.end()},
                  {second.begin(), second.end()},
                  BytesOf(sizes)};
  return node;
}

TEST(ArrowImportTest, ViewsAreStrings) {
  EXPECT_THAT(LevelsOfRows(Import(Struct({Views("a")}))->column("a")),
              ElementsAre("xyz", "thirteen chars", "a string of twenty-five .."));
  ArrowNode sliced = Views("a");
  sliced.offset = 1;
  sliced.length = 2;
  EXPECT_THAT(LevelsOfRows(Import(Struct({sliced}))->column("a")),
              ElementsAre("thirteen chars", "a string of twenty-five .."));
  ArrowNode coded = Coded<std::int8_t>("c", "a", {2, 0}, {});
  coded.dictionary = {Views("")};
  EXPECT_THAT(LevelsOfRows(Import(Struct({coded}))->column("a")),
              ElementsAre("a string of twenty-five ..", "xyz"));
  ArrowNode in_place{"vu", "a", 2};  // no buffer of strings
  in_place.buffers = {{}, std::vector<std::uint8_t>(32), {}};
  EXPECT_THAT(LevelsOfRows(Import(Struct({in_place}))->column("a")), ElementsAre("", ""));
}

TEST(ArrowImportTest, ViewsOutsideOfTheirBuffersAreRefused) {
  const auto with = [](std::size_t place, std::int32_t value) {
    ArrowNode a = Views("a");
    std::memcpy(a.buffers[1].data() + place, &value, sizeof value);
    return RefusalOfColumn(a);
  };
  constexpr std::size_t kSecond = 16, kSize = 0, kBuffer = 8, kOffset = 12;
  const auto refused = Bad("column 'a' has a string outside of its buffers, in row 2");
  EXPECT_EQ(with(kSecond + kSize, -1), refused);
  EXPECT_EQ(with(kSecond + kSize, 15), refused);
  EXPECT_EQ(with(kSecond + kBuffer, 2), refused);
  EXPECT_EQ(with(kSecond + kBuffer, -1), refused);
  EXPECT_EQ(with(kSecond + kOffset, 3), refused);
  EXPECT_EQ(with(kSecond + kOffset, -1), refused);
  ArrowNode a = Views("a");
  a.buffers[2].clear();  // a null pointer
  EXPECT_EQ(RefusalOfColumn(a), refused);
  a.null_count = 1;
  a.buffers[0] = Bits({1, 0, 1});  // what is behind a null does not matter
  EXPECT_THAT(LevelsOfRows(Import(Struct({a}))->column("a")),
              ElementsAre("xyz", "(missing)", "a string of twenty-five .."));
}

// Every type of the specification that is not a column type of Crossfold.
TEST(ArrowImportTest, OtherTypesAreNamedWithAWayOut) {
  const std::pair<const char*, const char*> cases[] = {
      {"e", "float16 (e); cast it to float32 or leave it out"},
      {"z", "binary (z); cast it to utf8 or leave it out"},
      {"Z", "large_binary (Z); cast it to utf8 or leave it out"},
      {"vz", "binary_view (vz); cast it to utf8 or leave it out"},
      {"+L", "large_list (+L); make a column of each of its parts or leave it out"},
      {"d:19,2", "decimal (d:19,2); cast it to float64 or leave it out"},
      {"w:42", "fixed_size_binary (w:42); leave it out"},
      {"tDs", "duration (tDs); cast it to int64 or leave it out"},
      {"tiM", "interval (tiM); leave it out"},
      {"+l", "list (+l); make a column of each of its parts or leave it out"},
      {"+w:3", "fixed_size_list (+w:3); make a column of each of its parts or leave it out"},
      {"+s", "struct (+s); make a column of each of its parts or leave it out"},
      {"+m", "map (+m); make a column of each of its parts or leave it out"},
      {"+ud:0,1", "dense_union (+ud:0,1); make a column of each of its parts or leave it out"},
      {"+r", "run_end_encoded (+r); decode it or leave it out"},
      {"q", "an unknown type (q); leave it out"},
      {"", "an unknown type (); leave it out"},
      {"gg", "an unknown type (gg); leave it out"},
  };
  for (const auto& [format, finding] : cases) {
    ArrowNode a = Numbers<double>("g", "day", {1});
    a.format = format;
    EXPECT_EQ(RefusalOfColumn(a), Bad("column 'day' is of type " + std::string(finding)));
  }
}

TEST(ArrowImportTest, MalformedArraysAreRefused) {
  const auto changed = [](auto change) {
    ArrowNode a = Numbers<double>("g", "a", {1, 2});
    change(a);
    return a;
  };
  const auto refusal = [&](auto change) {
    HandMade made(Struct({changed([](ArrowNode&) {})}));
    change(*made.schema.children[0], *made.array.children[0]);
    const auto found = RefusalOf([&] { ImportArrow(&made.schema, &made.array, "sales", {}); });
    EXPECT_EQ(made.counts->arrays, 1);
    return found.value_or(Refusal{ErrorKind::kInvalidArgument, "nothing was refused"});
  };
  using S = ArrowSchema;
  using A = ArrowArray;
  EXPECT_EQ(refusal([](S&, A& a) { a.length = -1; }), Bad("column 'a' has a negative length"));
  EXPECT_EQ(refusal([](S&, A& a) { a.offset = -8; }), Bad("column 'a' has a negative offset"));
  EXPECT_EQ(refusal([](S&, A& a) { a.offset = std::numeric_limits<std::int64_t>::max(); }),
            Bad("column 'a' has an impossible length or offset"));
  EXPECT_EQ(refusal([](S&, A& a) { a.length = 1; }),
            Bad("column 'a' has 1 entries where 2 are needed"));
  EXPECT_EQ(refusal([](S&, A& a) { a.null_count = -2; }),
            Bad("column 'a' has the null count -2 with 2 entries"));
  EXPECT_EQ(refusal([](S&, A& a) { a.null_count = 3; }),
            Bad("column 'a' has the null count 3 with 2 entries"));
  EXPECT_EQ(refusal([](S&, A& a) { a.null_count = 1; }),
            Bad("column 'a' has 1 nulls and no validity bitmap"));
  EXPECT_EQ(refusal([](S&, A& a) { a.n_buffers = 1; }),
            Bad("column 'a' has 1 buffers where 2 are needed"));
  EXPECT_EQ(refusal([](S&, A& a) { a.buffers = nullptr; }),
            Bad("column 'a' has no list of buffers"));
  EXPECT_EQ(refusal([](S&, A& a) { a.buffers[1] = nullptr; }), Bad("column 'a' lacks buffer 2"));
  EXPECT_EQ(refusal([](S&, A& a) { a.n_children = 1; }), Bad("column 'a' has children"));
  EXPECT_EQ(refusal([](S& s, A&) { s.format = nullptr; }), Bad("column 'a' has no format"));
  EXPECT_EQ(refusal([](S&, A& a) { a.release(&a); }), Bad("column 'a' has been released"));
  EXPECT_EQ(refusal([](S& s, A&) { s.name = nullptr; }), Bad("column 1 has no name"));
  EXPECT_EQ(refusal([](S& s, A&) { s.name = "\xFF"; }),
            Bad("column 1 has a name that is not UTF-8"));
}

TEST(ArrowImportTest, AStructThatIsNoneOrDoesNotMatchIsRefused) {
  const auto refusal = [&](auto change) {
    HandMade made(Struct({Numbers<double>("g", "a", {1, 2}), Numbers<double>("g", "b", {1, 2})}));
    change(made.schema, made.array);
    const auto found = RefusalOf([&] { ImportArrow(&made.schema, &made.array, "sales", {}); });
    return found.value_or(Refusal{ErrorKind::kInvalidArgument, "nothing was refused"});
  };
  using S = ArrowSchema;
  using A = ArrowArray;
  EXPECT_EQ(refusal([](S& s, A&) { s.format = "g"; }),
            Bad("it is of type float64 (g); export a struct array, such as a record batch"));
  EXPECT_EQ(refusal([](S& s, A&) { s.format = nullptr; }), Bad("its schema has no format"));
  EXPECT_EQ(refusal([](S& s, A&) { s.n_children = 1; }),
            Bad("its schema has 1 columns, its array 2"));
  EXPECT_EQ(refusal([](S& s, A& a) { s.n_children = a.n_children = -1; }),
            Bad("its schema has -1 columns"));
  EXPECT_EQ(refusal([](S& s, A&) { s.children = nullptr; }),
            Bad("its schema has no list of columns"));
  EXPECT_EQ(refusal([](S&, A& a) { a.children = nullptr; }),
            Bad("its array has no list of columns"));
  EXPECT_EQ(refusal([](S&, A& a) { a.children[1] = nullptr; }), Bad("column 2 is null"));
  EXPECT_EQ(refusal([](S& s, A&) { s.children[1]->name = "a"; }), Bad("two columns are named 'a'"));
  EXPECT_EQ(refusal([](S&, A& a) { a.length = -1; }), Bad("it has a negative length"));
  EXPECT_EQ(refusal([](S& s, A& a) { s.n_children = a.n_children = 0; }),
            BadData("cannot make dataset 'sales': it has no columns"));
  EXPECT_EQ(refusal([](S&, A& a) { a.length = 3; }),
            Bad("column 'a' has 2 entries where 3 are needed"));
}

TEST(ArrowImportTest, ARowThatIsNullAsAWholeIsRefused) {
  ArrowNode node = Struct({Numbers<double>("g", "a", {1, 2, 3})});
  node.null_count = 1;
  node.buffers[0] = Bits({1, 0, 1});
  const auto refusal = RefusalOf([&] { Import(node); });
  EXPECT_EQ(refusal, Bad("row 2 is null as a whole; drop such rows"));
  node.buffers[0] = Bits({1, 1, 1});
  node.null_count = -1;
  EXPECT_EQ(Import(node)->num_rows(), 3);
}

TEST(ArrowImportTest, TextsWithImpossibleOffsetsAreRefused) {
  ArrowNode a = Texts("a", {"x", "yy"});
  a.buffers[1] = BytesOf<std::int32_t>({0, 3, 1});
  EXPECT_EQ(RefusalOfColumn(a),
            Bad("column 'a' has a string that ends before it begins, in row 2"));
  a.buffers[1] = BytesOf<std::int32_t>({-1, 1, 3});
  EXPECT_EQ(RefusalOfColumn(a), Bad("column 'a' has a negative string offset"));
  a.buffers[1] = BytesOf<std::int32_t>({0, 1, 3});
  a.buffers[2] = {};
  EXPECT_EQ(RefusalOfColumn(a), Bad("column 'a' has strings and no bytes for them"));
}

TEST(ArrowImportTest, DictionariesThatCannotBeReadAreRefused) {
  ArrowNode a = Coded<std::int8_t>("c", "a", {0, 2}, {"x", "y"});
  EXPECT_EQ(RefusalOfColumn(a),
            Bad("column 'a' has the index 2 in row 2; its dictionary has 2 entries"));
  a = Coded<std::int32_t>("i", "a", {0, -2}, {"x", "y"});
  EXPECT_EQ(RefusalOfColumn(a),
            Bad("column 'a' has the index -2 in row 2; its dictionary has 2 entries"));
  a = Coded<std::int8_t>("c", "a", {0, -1}, {"x", "y"});
  EXPECT_EQ(RefusalOfColumn(a),
            Bad("column 'a' has the index -1 in row 2; its dictionary has 2 entries"));
  a = Coded<std::int32_t>("i", "a", {0, 1}, {"x", "\xE4"});
  EXPECT_EQ(RefusalOfColumn(a), Bad("column 'a' has the level '\xE4', which is not UTF-8"));
  a = Coded<std::int8_t>("c", "a", {0, 1}, {"x", "x"});
  EXPECT_EQ(RefusalOfColumn(a),
            BadData("cannot make dataset 'sales': column 'a' has the level 'x' twice"));
  a = Coded<double>("g", "a", {0, 1}, {"x", "y"});
  EXPECT_EQ(RefusalOfColumn(a),
            Bad("column 'a' has a dictionary and indices that are not integers"));
  a = Coded<std::int8_t>("c", "a", {0, 1}, {});
  a.dictionary = {Numbers<std::int64_t>("l", "", {5, 6})};
  EXPECT_EQ(RefusalOfColumn(a),
            Bad("column 'a' has a dictionary of type int64 (l); decode it or leave it out"));
  a.dictionary = {Coded<std::int8_t>("c", "", {0, 1}, {"x", "y"})};
  EXPECT_EQ(RefusalOfColumn(a),
            Bad("column 'a' has a dictionary of a dictionary; decode it or leave it out"));
  a = Numbers<std::uint64_t>("L", "a", {1, 9223372036854775808U});
  EXPECT_EQ(RefusalOfColumn(a),
            Bad("column 'a' is 9223372036854775808 in row 2, which does not fit in 64 bits with a "
                "sign; cast it to float64 or leave it out"));
}

TEST(ArrowImportTest, AReleasedArrayIsRefusedAndTheOtherStructIsReleased) {
  HandMade made(Struct({Numbers<double>("g", "a", {1})}));
  made.array.release(&made.array);
  const auto refusal = RefusalOf([&] { ImportArrow(&made.schema, &made.array, "sales", {}); });
  EXPECT_EQ(refusal, InvalidArgument(
                         "cannot import 'sales': its schema or array has been released already"));
  EXPECT_EQ(made.counts->schemas, 1);
  EXPECT_EQ(made.counts->arrays, 1);
}

}  // namespace
}  // namespace crossfold
