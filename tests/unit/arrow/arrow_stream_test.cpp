// Streams of arrays that are written byte by byte (arrow_import_test.cpp has single arrays).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <limits>

#include "arrow/arrow_stream.h"
#include "crossfold/arrow.h"
#include "unit/arrow/hand_made_array.h"
#include "unit/engine/data/entries.h"
#include "unit/engine/data/refusal.h"

namespace crossfold {
namespace {

using testing::ElementsAre;

constexpr auto kGap = std::nullopt;

std::shared_ptr<const Dataset> ImportStream(std::vector<ArrowNode> arrays) {
  HandMadeStream made(std::move(arrays));
  return ImportArrowStream(&made.stream, "sales", {});
}

Refusal BadStream(const std::string& finding) {
  return BadData("cannot import 'sales': " + finding);
}

// The refusal of a stream, of which everything has been released once.
Refusal RefusalOfStream(HandMadeStream& made, const ArrowReading& reading) {
  const auto refusal = RefusalOf([&] { ReadArrowStream(&made.stream, reading); });
  EXPECT_EQ(made.n_released, 1);
  EXPECT_EQ(made.stream.release, nullptr);
  EXPECT_EQ(made.counts->arrays, static_cast<int>(made.n_given));
  return refusal.value_or(Refusal{ErrorKind::kInvalidArgument, "nothing was refused"});
}

Refusal RefusalOfStream(HandMadeStream& made) {
  return RefusalOfStream(made, {.attempt = "cannot import 'sales': "});
}

ArrowNode WithNulls(ArrowNode node, const std::vector<int>& bits) {
  node.buffers[0] = Bits(bits);
  node.null_count = -1;
  return node;
}

TEST(ArrowStreamTest, ASingleArrayStaysWhereItIs) {
  HandMadeStream made({Struct({Numbers<double>("g", "a", {1.5, 2})})});
  auto data = ImportArrowStream(&made.stream, "sales", {});
  EXPECT_EQ(made.n_released, 1) << "the array outlives the stream";
  EXPECT_EQ(made.counts->schemas, 1);
  EXPECT_EQ(made.counts->arrays, 0) << "in use";
  EXPECT_THAT(Entries<double>(data->column("a")), ElementsAre(1.5, 2));
  data = nullptr;
  EXPECT_EQ(made.counts->arrays, 1);
}

TEST(ArrowStreamTest, SeveralArraysAreJoinedAndReleasedAtOnce) {
  HandMadeStream made({
      Struct({Numbers<double>("g", "a", {1, 2}), Numbers<float>("f", "b", {1, 2}),
              Numbers<std::int64_t>("l", "c", {1, 2}), Numbers<std::int32_t>("i", "d", {1, 2})}),
      Struct({Numbers<double>("g", "a", {3}), Numbers<float>("f", "b", {3}),
              Numbers<std::int64_t>("l", "c", {3}), Numbers<std::int32_t>("i", "d", {3})}),
  });
  const auto data = ImportArrowStream(&made.stream, "sales", {});
  EXPECT_EQ(made.counts->arrays, 2);
  for (const Column& column : data->columns()) {
    EXPECT_THAT(Entries<double>(column), ElementsAre(1, 2, 3)) << column.name;
  }
  EXPECT_EQ(data->column("b").dtype, CF_F32);
  EXPECT_EQ(data->column("c").dtype, CF_I64);
  EXPECT_EQ(data->column("d").dtype, CF_I32);
}

std::shared_ptr<const Dataset> Read(std::vector<ArrowNode> arrays, const ReadingLimits& limits) {
  HandMadeStream made(std::move(arrays));
  ArrowReading reading{.attempt = "cannot import 'sales': ", .limits = limits};
  return Dataset::Create("sales", ReadArrowStream(&made.stream, reading).columns, {});
}

TEST(ArrowStreamTest, ArraysBeyondTheLimitAreJoinedInAScratchFile) {
  const auto read = [](std::int64_t in_memory) {
    std::vector<ArrowNode> arrays;
    for (int i = 0; i < 5; ++i) {
      arrays.push_back(Struct({WithNulls(Numbers<double>("g", "a", {i + 0.5, 2, 3}), {1, 0, 1}),
                               Numbers<std::int32_t>("i", "d", {i, 7, 8})}));
    }
    return Read(std::move(arrays), {.in_memory = in_memory});
  };
  const auto in_memory = read(1 << 20);
  for (const std::int64_t limit : {0, 80, 150}) {  // from the first, the third, the last array on
    const auto in_file = read(limit);
    EXPECT_EQ(in_file->content_hash(), in_memory->content_hash()) << limit;
    EXPECT_EQ(in_file->num_rows(), 15);
  }
}

// Two columns of 80000 bytes each, in parts.
std::vector<ArrowNode> TwoColumns(std::size_t n_arrays) {
  std::vector<ArrowNode> arrays;
  for (std::size_t i = 0; i < n_arrays; ++i) {
    std::vector<double> numbers(10000 / n_arrays, 0.5 + static_cast<double>(i));
    arrays.push_back(Struct({Numbers<double>("g", "a", numbers), Numbers("g", "b", numbers)}));
  }
  return arrays;
}

TEST(ArrowStreamTest, ScratchFilesAreNotMemory) {
  for (const std::size_t n_arrays : {2u, 20u}) {
    const auto in_file = Read(TwoColumns(n_arrays), {.memory = 100000, .in_memory = 25000});
    const auto in_memory = Read(TwoColumns(n_arrays), {});
    EXPECT_EQ(in_file->content_hash(), in_memory->content_hash());
    const auto refusal = RefusalOf([&] { Read(TwoColumns(n_arrays), {.memory = 100000}); });
    EXPECT_EQ(refusal.value().kind, ErrorKind::kBadData) << "without scratch files";
  }
}

TEST(ArrowStreamTest, ScratchFilesAreClosedWhenTheColumnsAreComplete) {
  const auto count = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  };
  const auto before = count();
  const auto data = Read(TwoColumns(20), {.in_memory = 0});
  EXPECT_EQ(count(), before);
  EXPECT_EQ(Entries<double>(data->column("b")).back(), 19.5);
}

// As long as it lives, TMPDIR is a folder that does not exist.
class NoTemporaryFolder {
 public:
  NoTemporaryFolder() {
    if (const char* before = std::getenv("TMPDIR")) before_ = before;
    ::setenv("TMPDIR", "/nowhere", 1);
  }
  ~NoTemporaryFolder() {
    if (before_) ::setenv("TMPDIR", before_->c_str(), 1);
    if (!before_) ::unsetenv("TMPDIR");
  }

 private:
  std::optional<std::string> before_;
};

TEST(ArrowStreamTest, AScratchFileNeedsAFolder) {
  const NoTemporaryFolder none;
  const auto refusal = RefusalOf([] { Read(TwoColumns(2), {.in_memory = 0}); });
  EXPECT_EQ(refusal, (Refusal{ErrorKind::kIo,
                              "cannot import 'sales': cannot make a scratch file in "
                              "'/nowhere': No such file or directory; set TMPDIR "
                              "to a folder with enough room"}));
}

TEST(ArrowStreamTest, ManyColumnsStayInMemoryBecauseFilesAreFew) {
  const NoTemporaryFolder none;
  std::vector<ArrowNode> columns;
  for (int i = 0; i < 257; ++i) columns.push_back(Numbers<double>("g", std::to_string(i), {1}));
  const auto data = Read({Struct(columns), Struct(columns)}, {.in_memory = 0});
  EXPECT_EQ(data->num_rows(), 2);
}

TEST(ArrowStreamTest, OneArrayAtATimeIsHeldBesideTheResult) {
  HandMadeStream made({Struct({Numbers<double>("g", "a", {1})})});
  made.is_endless = true;
  made.before_next = [&](std::size_t n) {
    if (n > 2) {
      EXPECT_EQ(made.counts->arrays, static_cast<int>(n));
    }
    if (n == 20) made.fails_at = n;
  };
  RefusalOfStream(made);
  EXPECT_EQ(made.n_given, 20u);
}

TEST(ArrowStreamTest, ValidityIsJoinedBitByBit) {
  for (const std::size_t first : {1u, 7u, 8u, 9u}) {
    std::vector<std::int64_t> values(first, 4);
    const auto data =
        ImportStream({Struct({Numbers("l", "a", values)}),
                      Struct({WithNulls(Numbers<std::int64_t>("l", "a", {5, 6, 7}), {0, 1, 0})}),
                      Struct({Numbers<std::int64_t>("l", "a", {8, 9})})});
    Optionals<std::int64_t> expected(first, 4);
    expected.insert(expected.end(), {kGap, 6, kGap, 8, 9});
    EXPECT_EQ(Entries<std::int64_t>(data->column("a")), expected);
  }
}

TEST(ArrowStreamTest, BooleansNullColumnsAndDatesAreJoined) {
  const auto array = [](int bit, std::int32_t day) {
    ArrowNode flag{"b", "flag", 1};
    flag.buffers = {{}, Bits({bit})};
    return Struct({flag, ArrowNode{"n", "none", 1, 1}, Numbers<std::int32_t>("tdD", "day", {day})});
  };
  const auto data = ImportStream({array(1, 10), array(0, 11)});
  EXPECT_THAT(Entries<int>(data->column("flag")), ElementsAre(1, 0));
  EXPECT_EQ(data->column("flag").dtype, CF_BOOL8);
  EXPECT_THAT(Entries<double>(data->column("none")), ElementsAre(kGap, kGap));
  EXPECT_THAT(Entries<std::int64_t>(data->column("day")), ElementsAre(10, 11));
}

TEST(ArrowStreamTest, LevelsAreMatchedByNameAndNewOnesComeLast) {
  const auto data =
      ImportStream({Struct({Coded<std::int32_t>("i", "a", {1, 0}, {"low", "high"})}),
                    Struct({Coded<std::int32_t>("i", "a", {0, 1, 2, -1}, {"mid", "high", "low"})}),
                    Struct({WithNulls(Coded<std::int32_t>("i", "a", {0, 9}, {"top"}), {1, 0})})});
  const Column& a = data->column("a");
  EXPECT_THAT(a.levels, ElementsAre("low", "high", "mid", "top"));
  EXPECT_THAT(LevelsOfRows(a),
              ElementsAre("high", "low", "mid", "high", "low", "(missing)", "top", "(missing)"));
  EXPECT_FALSE(a.ordered);
}

TEST(ArrowStreamTest, OrderedLevelsKeepTheirOrderOrAreRefused) {
  const auto ordered = [](std::vector<std::string> levels) {
    ArrowNode node = Coded<std::int32_t>("i", "a", {0}, levels);
    node.flags = ARROW_FLAG_DICTIONARY_ORDERED;
    return Struct({node});
  };
  const auto data = ImportStream({ordered({"s", "m"}), ordered({"s", "m", "l"})});
  EXPECT_TRUE(data->column("a").ordered);
  EXPECT_THAT(data->column("a").levels, ElementsAre("s", "m", "l"));
  HandMadeStream made({ordered({"s", "m"}), ordered({"m", "s"})});
  EXPECT_EQ(RefusalOfStream(made),
            BadStream("column 'a' has the level 's' in another order than in an earlier array"));
}

TEST(ArrowStreamTest, TextsOfAllArraysAreSortedTogether) {
  const auto joined =
      ImportStream({Struct({Texts("a", {"10", "9"})}), Struct({Texts("a", {"", "9.5"})}),
                    Struct({WithNulls(Texts("a", {"2", "2"}), {1, 0})})});
  const auto whole = ImportStream(
      {Struct({WithNulls(Texts("a", {"10", "9", "", "9.5", "2", "2"}), {1, 1, 1, 1, 1, 0})})});
  EXPECT_EQ(joined->content_hash(), whole->content_hash());
  EXPECT_THAT(LevelsOfRows(joined->column("a")),
              ElementsAre("10", "9", "", "9.5", "2", "(missing)"));
}

TEST(ArrowStreamTest, AStreamWithoutArraysHasColumnsWithoutRows) {
  const std::vector<ArrowNode> fields = {Numbers<double>("g", "a", {1}), Texts("b", {"x"}),
                                         Coded<std::int32_t>("i", "c", {0}, {"x"}),
                                         Numbers<std::int32_t>("tdD", "d", {1})};
  HandMadeStream made({Struct(fields)});
  made.n_given = 1;
  const auto data = ImportArrowStream(&made.stream, "sales", {});
  EXPECT_EQ(data->num_rows(), 0);
  EXPECT_EQ(data->column("b").dtype, CF_CAT32);
  EXPECT_EQ(data->column("c").dtype, CF_CAT32);
  EXPECT_EQ(data->column("d").dtype, CF_I64);
}

TEST(ArrowStreamTest, ColumnsThatAreNotUsedAreLeftOutWhateverTheyAre) {
  const auto array = [] {
    return Struct({Numbers<double>("g", "a", {1}), Numbers<double>("+l", "tags", {1})});
  };
  for (const std::size_t n_arrays : {1u, 2u}) {
    HandMadeStream made(std::vector<ArrowNode>(n_arrays, array()));
    const ArrowColumns read =
        ReadArrowStream(&made.stream, {.attempt = "cannot read", .unused = {"tags", "none"}});
    ASSERT_EQ(read.columns.size(), 1u);
    EXPECT_EQ(read.columns[0].name, "a");
  }
}

TEST(ArrowStreamTest, AFunctionThatFailsIsToldWithItsReason) {
  const std::vector<ArrowNode> arrays(3, Struct({Numbers<double>("g", "a", {1})}));
  for (const std::size_t place : {0u, 1u, 2u, 3u}) {
    HandMadeStream made(arrays);
    made.fails_at = place;
    made.last_error = "the disk is gone";
    EXPECT_EQ(RefusalOfStream(made), BadStream("the disk is gone")) << "instead of array " << place;
    EXPECT_EQ(made.counts->schemas, 1);
  }
  HandMadeStream silent(arrays);
  silent.fails_at = 1;
  EXPECT_EQ(RefusalOfStream(silent), BadStream("its stream failed: Input/output error (code 5)"));
  HandMadeStream no_schema(arrays);
  no_schema.schema_code = 22;
  no_schema.stream.get_last_error = nullptr;
  EXPECT_EQ(RefusalOfStream(no_schema), BadStream("its stream failed: Invalid argument (code 22)"));
}

TEST(ArrowStreamTest, StreamsThatBreakTheRulesAreRefused) {
  const std::vector<ArrowNode> arrays(2, Struct({Numbers<double>("g", "a", {1, 2})}));
  HandMadeStream released(arrays);
  released.gives_released_schema = true;
  EXPECT_EQ(RefusalOfStream(released),
            BadStream("its stream gave a schema that has been released"));
  HandMadeStream incomplete(arrays);
  incomplete.stream.get_next = nullptr;
  EXPECT_EQ(RefusalOfStream(incomplete), BadStream("its stream lacks get_schema() or get_next()"));
  HandMadeStream gone(arrays);
  gone.stream.release(&gone.stream);
  EXPECT_EQ(RefusalOfStream(gone), BadStream("its stream has been released already"));
}

TEST(ArrowStreamTest, ALaterArrayIsCheckedLikeTheFirst) {
  const ArrowNode good = Struct(
      {Numbers<double>("g", "a", {1, 2}), Coded<std::int32_t>("i", "b", {0, 1}, {"x", "y"})});
  const auto refusal = [&](auto change) {
    ArrowNode bad = good;
    change(bad);
    HandMadeStream made({good, bad});
    return RefusalOfStream(made);
  };
  using N = ArrowNode;
  EXPECT_EQ(refusal([](N& n) { n.children.pop_back(); }),
            BadStream("its schema has 2 columns, its array 1"));
  EXPECT_EQ(refusal([](N& n) { n.length = 3; }),
            BadStream("column 'a' has 2 entries where 3 are needed"));
  EXPECT_EQ(refusal([](N& n) {
              n.children[0] = Texts("a", {"x", "y"});
            }),
            BadStream("column 'a' has 3 buffers where 2 are needed"));
  EXPECT_EQ(refusal([](N& n) { n.children[1].dictionary.clear(); }),
            BadStream("column 'b' has no dictionary in its array"));
  EXPECT_EQ(refusal([](N& n) {
              n.children[1] = Coded<std::int32_t>("i", "b", {0, 2}, {"x", "y"});
            }),
            BadStream("column 'b' has the index 2 in row 4; its dictionary has 2 entries"));
  EXPECT_EQ(refusal([](N& n) {
              n.children[1] = Coded<std::int32_t>("i", "b", {0, 1}, {"z", "z"});
            }),
            BadStream("column 'b' has the level 'z' twice"));
}

TEST(ArrowStreamTest, AnEndlessStreamStopsAtTheLimitOfMemory) {
  HandMadeStream made({Struct({Numbers("g", "a", std::vector<double>(1000))})});
  made.is_endless = true;
  EXPECT_EQ(RefusalOfStream(made, {.attempt = "cannot read 'x': ", .limits = {.memory = 100000}}),
            BadData("cannot read 'x': its columns take more than the 100000 bytes of memory that "
                    "are left for them; read fewer columns or rows, or give it more memory"));
  EXPECT_LT(made.n_given, 20u);
  HandMadeStream one({Struct({Numbers("g", "a", std::vector<double>(100000))})});
  EXPECT_EQ(
      RefusalOfStream(one, {.attempt = "cannot read 'x': ", .limits = {.memory = 100000}}).kind,
      ErrorKind::kBadData);
  HandMadeStream empty({Struct({Numbers<double>("g", "a", {})})});
  empty.is_endless = true;
  EXPECT_EQ(RefusalOfStream(empty),
            BadStream("its stream gives arrays without rows and does not end"));
}

TEST(ArrowStreamTest, ACancelledReadingStopsBeforeTheNextArray) {
  HandMadeStream made({Struct({Numbers<double>("g", "a", {1})})});
  made.is_endless = true;
  CancelToken token;
  made.before_next = [&](std::size_t n) {
    if (n == 7) token.Cancel();
  };
  EXPECT_EQ(
      RefusalOfStream(made, {.attempt = "cannot read 'x': ", .limits = {.cancel = &token}}).kind,
      ErrorKind::kCancelled);
  EXPECT_EQ(made.n_given, 8u);
}

}  // namespace
}  // namespace crossfold
