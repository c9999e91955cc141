// Parquet, JSON and databases through DuckDB. duckdb_test.sh runs this where the library can be
// had, with files that DuckDB wrote (write_files.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <thread>

#include "crossfold/cancel_token.h"
#include "crossfold/read_data.h"
#include "unit/engine/data/entries.h"
#include "unit/engine/data/refusal.h"

namespace crossfold::sources {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const auto kNone = std::nullopt;

class DuckDbSourceTest : public testing::Test {
 protected:
  std::string Path(const std::string& name) const {
    return std::string(std::getenv("CROSSFOLD_DUCKDB_FILES")) + "/" + name;
  }
  std::shared_ptr<const Dataset> Read(const std::string& name, const ReadRequest& request = {}) {
    return ReadData(host_, Path(name), request);
  }
  // The message after "cannot read '<path>': "; "" = nothing was refused.
  std::string Finding(const std::string& name, const ReadRequest& request = {}) {
    const auto refusal = RefusalOf([&] { Read(name, request); });
    const std::string start = "cannot read '" + Path(name) + "': ";
    return !refusal                              ? ""
           : refusal->message.starts_with(start) ? refusal->message.substr(start.size())
                                                 : refusal->message;
  }
  static ReadRequest Query(const std::string& sql) { return {.options = {{"query", sql}}}; }

  const PluginHost host_{{.paths = {CROSSFOLD_DUCKDB_PLUGIN, CROSSFOLD_TEXT_FILES_PLUGIN},
                          .use_environment = false,
                          .use_user_folder = false,
                          .use_installation = false}};
};

TEST_F(DuckDbSourceTest, EveryTypeOfAParquetFileIsRead) {
  const auto data = Read("types.parquet");
  const auto integers = [&](const char* column) {
    return Entries<std::int64_t>(data->column(column));
  };
  EXPECT_THAT(Entries<bool>(data->column("bool")), ElementsAre(true, kNone, false));
  EXPECT_THAT(integers("i8"), ElementsAre(-128, kNone, 127));
  EXPECT_THAT(integers("i16"), ElementsAre(-32768, kNone, 32767));
  EXPECT_THAT(integers("i32"), ElementsAre(1, kNone, -3));
  EXPECT_THAT(integers("i64"), ElementsAre(2, kNone, -4));
  EXPECT_THAT(integers("u8"), ElementsAre(255, kNone, 0));
  EXPECT_THAT(integers("u16"), ElementsAre(65535, kNone, 0));
  EXPECT_THAT(integers("u32"), ElementsAre(4294967295, kNone, 0));
  EXPECT_THAT(integers("u64"), ElementsAre(std::numeric_limits<std::int64_t>::max(), kNone, 0));
  EXPECT_THAT(Entries<float>(data->column("f32")), ElementsAre(0.5F, kNone, -2.0F));
  EXPECT_THAT(Entries<double>(data->column("f64")), ElementsAre(0.1, kNone, -1.5e300));
  EXPECT_THAT(Entries<double>(data->column("dec")), ElementsAre(12.25, kNone, -0.01));
  EXPECT_THAT(LevelsOfRows(data->column("text")),
              ElementsAre("b", "(missing)", "a longer text than twelve bytes"));
  EXPECT_THAT(data->column("text").levels, ElementsAre("a longer text than twelve bytes", "b"));
  EXPECT_THAT(integers("day"), ElementsAre(2, kNone, -1));
  EXPECT_THAT(integers("stamp"), ElementsAre(1'000'000, kNone, 0));
  EXPECT_THAT(integers("clock"), ElementsAre(1'000'000, kNone, 0));
  EXPECT_EQ(data->num_rows(), 3);
}

TEST_F(DuckDbSourceTest, TheColumnsHaveTheSmallestTypeThatHoldsThem) {
  const auto data = Read("types.parquet");
  for (const char* name : {"i8", "i16", "i32", "u8", "u16"}) {
    EXPECT_EQ(data->column(name).dtype, CF_I32) << name;
  }
  for (const char* name : {"i64", "u32", "u64", "day", "stamp"}) {
    EXPECT_EQ(data->column(name).dtype, CF_I64) << name;
  }
  EXPECT_EQ(data->column("f32").dtype, CF_F32);
  EXPECT_EQ(data->column("bool").dtype, CF_BOOL8);
}

TEST_F(DuckDbSourceTest, AnEnumKeepsItsLevelsAndTheirOrder) {
  const auto data = Read("small.duckdb", {.options = {{"table", std::string("rows")}}});
  EXPECT_THAT(data->column("kind").levels, ElementsAre("red", "blue", "green"));
  EXPECT_THAT(LevelsOfRows(data->column("kind")), ElementsAre("red", "(missing)", "blue"));
}

TEST_F(DuckDbSourceTest, APatternReadsAllFilesInTheOrderOfTheirNames) {
  const auto data = Read("part-*.parquet");
  EXPECT_THAT(Entries<std::int64_t>(data->column("id")), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST_F(DuckDbSourceTest, AQuerySeesTheFilesAsData) {
  const auto data =
      Read("part-*.parquet", Query("SELECT y, sum(x) AS s FROM data GROUP BY y ORDER BY y"));
  EXPECT_THAT(LevelsOfRows(data->column("y")), ElementsAre("u", "v"));
  EXPECT_THAT(Entries<double>(data->column("s")), ElementsAre(2.25, 4.75));
}

TEST_F(DuckDbSourceTest, JsonLinesAreRead) {
  const auto data = Read("rows.ndjson");
  EXPECT_THAT(Entries<std::int64_t>(data->column("n")), ElementsAre(0, 1, 2));
  EXPECT_THAT(Entries<double>(data->column("half")), ElementsAre(0.0, 0.5, 1.0));
  EXPECT_THAT(LevelsOfRows(data->column("name")), ElementsAre("k0", "k1", "k2"));
}

TEST_F(DuckDbSourceTest, NestedColumnsAreRefusedByNameOrLeftOut) {
  EXPECT_EQ(Finding("nested.parquet"),
            "column 'tags' is of a type that is not supported; cast it in the query, or leave it "
            "out (types: ignore)");
  const auto data = Read("nested.parquet", {.types = {{"tags", crossfold::ColumnType::kIgnore}}});
  EXPECT_THAT(Entries<std::int64_t>(data->column("x")), ElementsAre(1, 2));
}

TEST_F(DuckDbSourceTest, TheSameDataForAnyNumberOfThreads) {
  const auto one = Read("large.parquet", {.threads = 1});
  ASSERT_EQ(one->num_rows(), 300'000);
  for (const int threads : {2, 3}) {
    EXPECT_EQ(Read("large.parquet", {.threads = threads})->content_hash(), one->content_hash());
  }
}

TEST_F(DuckDbSourceTest, OnlyASelectIsRun) {
  EXPECT_EQ(Finding("types.parquet", Query("COPY data TO 'stolen.csv'")),
            "query refused: it is not a SELECT; a query can only read");
  EXPECT_EQ(Finding("types.parquet", Query("CREATE TABLE t AS SELECT 1")),
            "query refused: it is not a SELECT; a query can only read");
  EXPECT_THAT(Finding("types.parquet", Query("SELECT 1; SELECT 2")),
              HasSubstr("Cannot prepare multiple statements at once"));
  EXPECT_THAT(Finding("types.parquet", Query("SELECT nosuch FROM data")), HasSubstr("nosuch"));
}

TEST_F(DuckDbSourceTest, OptionsThatDoNotFitTheFileAreRefused) {
  EXPECT_EQ(Finding("small.duckdb"), "name a table, or give a query");
  EXPECT_EQ(Finding("types.parquet", {.options = {{"table", std::string("rows")}}}),
            "it is not a database, so it has no table; give a query of data");
  EXPECT_THAT(Finding("small.duckdb", {.options = {{"table", std::string("nosuch")}}}),
              HasSubstr("nosuch"));
}

TEST_F(DuckDbSourceTest, FilesThatAreNotThereAndDamagedOnesAreRefused) {
  EXPECT_EQ(Finding("nosuch.parquet"), "there is no such file");
  EXPECT_EQ(Finding("nosuch-*.parquet"), "there is no such file");
  EXPECT_NE(Finding("cut.parquet"), "");
}

TEST_F(DuckDbSourceTest, ALongQueryIsCancelled) {
  CancelToken token;
  ReadRequest request =
      Query("SELECT sum(a.range * b.range) AS s FROM range(1000000) a, range(1000000) b");
  request.limits.cancel = &token;
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    token.Cancel();
  });
  const auto refusal = RefusalOf([&] { Read("types.parquet", request); });
  canceller.join();
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->kind, ErrorKind::kCancelled);
}

TEST_F(DuckDbSourceTest, ASandboxDoesNotUseIt) {
  EXPECT_THAT(
      Finding("types.parquet", {.format = "parquet", .sandboxed = true}),
      HasSubstr("may read other files than this one, which this script is not allowed to do"));
}

}  // namespace
}  // namespace crossfold::sources
