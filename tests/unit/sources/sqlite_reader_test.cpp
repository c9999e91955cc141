#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "files/file_bytes.h"
#include "sqlite/file_state.h"
#include "sqlite/sqlite_query.h"
#include "temporary_folder.h"
#include "unit/engine/data/entries.h"
#include "unit/engine/data/refusal.h"
#include "unit/sdk/fake_call.h"
#include "unit/sources/readings.h"

namespace crossfold::sources {
namespace {

using testing::ElementsAre;

class SqliteReaderTest : public testing::Test {
 protected:
  void SetUp() override {
    Execute(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, x REAL, y TEXT, m);"
        "INSERT INTO t VALUES (3, 1.5, 'b', 1), (1, NULL, 'a', 2.5), (2, 4, NULL, 'z');"
        "CREATE VIEW v AS SELECT y, x FROM t;"
        "CREATE TABLE blobs(z); INSERT INTO blobs VALUES (x'00ff');");
  }

  void Execute(const char* sql) const {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &db), SQLITE_OK);
    sqlite3_busy_timeout(db, 60'000);
    ASSERT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    sqlite3_close(db);
  }
  std::shared_ptr<const Dataset> Query(const std::string& query) const {
    return ReadSqlite(path_, {.query = query});
  }
  std::optional<Refusal> RefusalOfQuery(const std::string& query) const {
    return RefusalOf([&] { Query(query); });
  }
  std::string Attempt() const { return "cannot read '" + path_ + "'"; }

  const test::TemporaryFolder temporary_;
  const std::string folder_ = temporary_.path();
  const std::string path_ = folder_ + "/a.db";
};

TEST_F(SqliteReaderTest, CellsGiveColumnsTheirTypes) {
  const auto data = Query("SELECT * FROM t ORDER BY id");
  EXPECT_EQ(data->name(), "a");
  EXPECT_EQ(data->column("id").dtype, CF_I64);
  EXPECT_THAT(Entries<std::int64_t>(data->column("id")), ElementsAre(1, 2, 3));
  EXPECT_EQ(data->column("x").dtype, CF_F64);
  EXPECT_THAT(Entries<double>(data->column("x")), ElementsAre(std::nullopt, 4.0, 1.5));
  EXPECT_THAT(LevelsOfRows(data->column("y")), ElementsAre("a", "(missing)", "b"));
  EXPECT_THAT(LevelsOfRows(data->column("m")), ElementsAre("2.5", "z", "1"));
  EXPECT_EQ(Query("SELECT NULL AS n")->column("n").dtype, CF_F64);
  EXPECT_EQ(Query("SELECT 1 AS n UNION ALL SELECT 2.5")->column("n").dtype, CF_F64);
}

// Twin: the same table as a CSV file.
TEST_F(SqliteReaderTest, ATableReadsAsItsCsvFileDoes) {
  const auto csv =
      ParseCsv("id,x,y,m\n1,,a,2.5\n2,4,,z\n3,1.5,b,1\n", "t", {.roles = {.target = "id"}});
  const auto table = ReadSqlite(path_, {.table = "T", .roles = {.target = "id"}});
  EXPECT_EQ(table->content_hash(), csv->content_hash());
  EXPECT_EQ(table->task(), Task::kRegression);
}

TEST_F(SqliteReaderTest, AViewAndATableWithoutRowidAreTables) {
  EXPECT_EQ(ReadSqlite(path_, {.table = "v"})->num_rows(), 3);
  Execute("CREATE TABLE w(a PRIMARY KEY) WITHOUT ROWID; INSERT INTO w VALUES (2), (1);");
  EXPECT_EQ(ReadSqlite(path_, {.table = "w"})->num_rows(), 2);
}

TEST_F(SqliteReaderTest, TypesAreThoseOfTexts) {
  const auto data =
      ReadSqlite(path_, {.query = "SELECT id, x, '2.5' AS t, id > 1 AS b FROM t ORDER BY id",
                         .types = {{"id", ColumnType::kCategorical},
                                   {"x", ColumnType::kIgnore},
                                   {"t", ColumnType::kF64},
                                   {"b", ColumnType::kBool}}});
  EXPECT_THAT(data->column("id").levels, ElementsAre("1", "2", "3"));
  EXPECT_THAT(Entries<double>(data->column("t")), ElementsAre(2.5, 2.5, 2.5));
  EXPECT_THAT(Entries<bool>(data->column("b")), ElementsAre(false, true, true));
  EXPECT_EQ(data->columns().size(), 3U);
  EXPECT_EQ(
      RefusalOf([&] {
        ReadSqlite(path_, {.table = "t", .types = {{"m", ColumnType::kF64}}});
      }),
      BadData(Attempt() + ": row 2, column 'm': 'z' is not a number (type f64 was requested)"));
}

TEST_F(SqliteReaderTest, AColumnThatDoesNotFitAMereWishKeepsItsOwnType) {
  const auto data =
      ReadSqlite(path_, {.table = "t",
                         .like = {{.name = "m", .dtype = CF_F64}, {.name = "id", .dtype = CF_F64}},
                         .wishes = true});
  EXPECT_EQ(data->column("m").dtype, CF_CAT32);
  EXPECT_EQ(data->column("id").dtype, CF_F64);
}

TEST_F(SqliteReaderTest, AListOfLevelsGivesThemAnOrder) {
  const auto read = [&](std::vector<std::string> levels) {
    return ReadSqlite(path_, {.query = "SELECT y, id FROM t ORDER BY id",
                              .types = {{"y", levels}, {"id", {{"3", "2", "1"}}}}});
  };
  const auto data = read({"c", "b", "a"});
  EXPECT_TRUE(data->column("y").ordered);
  EXPECT_EQ(Entries<int>(data->column("y")), (Optionals<int>{2, std::nullopt, 1}));
  EXPECT_EQ(Entries<int>(data->column("id")), (Optionals<int>{2, 1, 0}));
  EXPECT_EQ(RefusalOf([&] {
              read({"a", "c"});
            }),
            BadData(Attempt() + ": row 3, column 'y': 'b' is not one of its levels; known: a, c"));
}

TEST_F(SqliteReaderTest, RowsThatLackAnEntryAreDropped) {
  const auto data =
      ReadSqlite(path_, {.table = "t", .roles = {.target = "y"}, .drop_missing = {"target", "x"}});
  EXPECT_EQ(Entries<int>(data->column("id")), (Optionals<int>{3}));
  EXPECT_EQ(data->num_dropped_rows(), 2);
}

TEST_F(SqliteReaderTest, OnlyReadingIsAllowed) {
  const auto refusal = [&](const std::string& what) {
    return InvalidArgument(Attempt() + ": query refused: it " + what +
                           "; a query must be a SELECT that reads this file");
  };
  for (const char* query :
       {"DELETE FROM t", "INSERT INTO t VALUES (9, 1, 'a', 1)", "DROP TABLE t", "CREATE TABLE u(a)",
        "UPDATE t SET x = 0", "BEGIN", "VACUUM INTO 'b.db'", "CREATE TEMP TABLE u AS SELECT 1"}) {
    const auto found = RefusalOfQuery(query);
    ASSERT_TRUE(found) << query;
    EXPECT_EQ(found->kind, ErrorKind::kInvalidArgument) << query;
  }
  EXPECT_EQ(RefusalOfQuery("DELETE FROM t"), refusal("changes the database"));
  EXPECT_EQ(RefusalOfQuery("ATTACH 'b.db' AS b"), refusal("attaches another file"));
  EXPECT_EQ(RefusalOfQuery("PRAGMA user_version"), refusal("asks for a PRAGMA"));
  EXPECT_EQ(RefusalOfQuery("SELECT load_extension('x')"), refusal("loads an extension"));
  // A SQLite without FTS3 does not know the function.
  const auto tokenizer = RefusalOfQuery("SELECT hex(fts3_tokenizer('simple')) AS h");
  ASSERT_TRUE(tokenizer);
  EXPECT_EQ(tokenizer->kind, ErrorKind::kInvalidArgument);
  EXPECT_EQ(Query("SELECT count(*) AS n FROM t")->num_rows(), 1);
  EXPECT_THAT(Entries<std::int64_t>(Query("SELECT count(*) AS n FROM t")->column("n")),
              ElementsAre(3));
}

TEST_F(SqliteReaderTest, WhatIsNoQueryIsRefused) {
  const std::string attempt = Attempt() + ": query refused: ";
  EXPECT_EQ(RefusalOfQuery("SELECT 1; SELECT 2"),
            InvalidArgument(attempt + "it has several statements; write one SELECT"));
  EXPECT_EQ(Query("SELECT 1 AS a; -- end\n")->num_rows(), 1);
  EXPECT_EQ(RefusalOfQuery("-- nothing"), InvalidArgument(attempt + "it is empty; write a SELECT"));
  EXPECT_EQ(
      RefusalOfQuery("SELECT ?1"),
      InvalidArgument(attempt + "it has parameters, which have no values here; write the values"));
  EXPECT_EQ(RefusalOfQuery("SELECT q FROM t"),
            InvalidArgument(attempt + "no such column: q; fix the query"));
}

TEST_F(SqliteReaderTest, WhatIsNoDatasetIsRefused) {
  EXPECT_EQ(RefusalOfQuery("SELECT x, x FROM t"),
            BadData(Attempt() + ": columns 1 and 2 are both named 'x'; rename one with AS"));
  EXPECT_EQ(RefusalOfQuery("SELECT * FROM t WHERE 0"), BadData(Attempt() + ": it gives no rows"));
  EXPECT_EQ(RefusalOfQuery("SELECT * FROM blobs"),
            BadData(Attempt() + ": row 1, column 'z': it is a BLOB; leave the column out (types: "
                                "ignore), or convert it to text or a number in the query, as in "
                                "hex(...)"));
  EXPECT_EQ(
      RefusalOfQuery("SELECT 'a' || char(0) || 'b' AS s"),
      BadData(Attempt() + ": row 1, column 's': its text holds a NUL; cut it in the query, as in "
                          "substr(...)"));
  EXPECT_EQ(
      RefusalOf([&] { ReadSqlite(path_, {.table = "tt"}); }),
      InvalidArgument(Attempt() + ": there is no table 'tt'; did you mean 't'? known: blobs, t, "
                                  "v"));
  EXPECT_EQ(RefusalOf([&] {
              ReadSqlite(path_, {.query = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
                                          "FROM n) SELECT i FROM n",
                                 .most_bytes = 100'000});
            }),
            BadData(Attempt() + ": after 11264 rows its cells take more than the limit of 100000 "
                                "bytes; choose rows or columns in the query, or raise most_bytes"));
}

// The sum is asked for within a row already: 16 cells of 100,000 bytes.
TEST_F(SqliteReaderTest, FewLargeCellsAreMeasuredToo) {
  std::string query = "SELECT ";
  for (int i = 0; i < 16; ++i) {
    query += (i == 0 ? "" : ", ") + ("hex(zeroblob(50000)) || " + std::to_string(i) + " AS c") +
             std::to_string(i);
  }
  EXPECT_EQ(RefusalOf([&] { ReadSqlite(path_, {.query = query, .most_bytes = 300'000}); }),
            BadData(Attempt() + ": after 1 rows its cells take more than the limit of 300000 "
                                "bytes; choose rows or columns in the query, or raise most_bytes"));
  EXPECT_EQ(ReadSqlite(path_, {.query = query, .most_bytes = 3'000'000})->num_rows(), 1);
}

TEST_F(SqliteReaderTest, APathMayBeginWithTwoSlashes) {
  EXPECT_EQ(ReadSqlite("/" + path_, {.table = "t"})->num_rows(), 3);
}

TEST_F(SqliteReaderTest, OtherFilesAreRefused) {
  EXPECT_EQ(RefusalOf([&] { ReadSqlite("no/such.db", {.table = "t"}); }),
            (Refusal{ErrorKind::kIo, "cannot read 'no/such.db': there is no such file"}));
  const std::string text = folder_ + "/a.csv";
  std::ofstream(text) << "x\n1\n2\n" << std::string(1000, '3');
  EXPECT_EQ(RefusalOf([&] { ReadSqlite(text, {.table = "t"}); }),
            BadData("cannot read '" + text +
                    "': it is not an SQLite database; read text files by their path"));
}

TEST_F(SqliteReaderTest, AHostMayStopAQuery) {
  CancelToken cancel;
  cancel.Cancel();
  EXPECT_EQ(RefusalOf([&] {
              ReadSqlite(path_, {.query = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
                                          "FROM n) SELECT count(*) AS c FROM n",
                                 .cancel = &cancel});
            }),
            (Refusal{ErrorKind::kCancelled, Attempt() + ": cancelled by the host"}));
}

TEST_F(SqliteReaderTest, AWriteAheadLogIsReadToo) {
  sqlite3* writer = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &writer), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(writer, "PRAGMA journal_mode = wal; INSERT INTO t VALUES (9, 9, 'c', 9)",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  EXPECT_TRUE(std::filesystem::exists(path_ + "-wal"));
  EXPECT_EQ(ReadSqlite(path_, {.table = "t"})->num_rows(), 4);
  sqlite3_close(writer);
  EXPECT_EQ(ReadSqlite(path_, {.table = "t"})->num_rows(), 4);
}

// A file in WAL mode that no program has open, as after its last writer.
TEST_F(SqliteReaderTest, ADatabaseInWalModeIsLeftAlone) {
  Execute("PRAGMA journal_mode = wal; INSERT INTO t VALUES (9, 9, 'c', 9)");
  const auto bytes = ReadFileBytes(path_);
  ASSERT_EQ(bytes[18], 2);
  ASSERT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
  EXPECT_EQ(ReadSqlite(path_, {.table = "t"})->num_rows(), 4);
  EXPECT_TRUE(RefusalOfQuery("SELECT nothing FROM t"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
  EXPECT_TRUE(ReadFileBytes(path_) == bytes);
}

// The log of a program that is at work stays as it is, with its writes outside the file.
TEST_F(SqliteReaderTest, ALogIsNotWrittenIntoTheFile) {
  sqlite3* writer = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &writer), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(writer, "PRAGMA journal_mode = wal; INSERT INTO t VALUES (9, 9, 'c', 9)",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  const auto bytes = ReadFileBytes(path_), log = ReadFileBytes(path_ + "-wal");
  EXPECT_EQ(ReadSqlite(path_, {.table = "t"})->num_rows(), 4);
  EXPECT_TRUE(ReadFileBytes(path_) == bytes);
  EXPECT_TRUE(ReadFileBytes(path_ + "-wal") == log);
  sqlite3_close(writer);
}

// A reader that is alone when it begins sees that it was not when it ends.
TEST_F(SqliteReaderTest, WritesDuringReadingAreNoticed) {
  Execute("PRAGMA journal_mode = wal");
  plugin::FakeCall call;
  const plugin::Context context(*call.get());
  reading::SqliteQuery query(path_, 0, context, true);
  query.PrepareTable("t");
  ASSERT_TRUE(query.Step());
  EXPECT_FALSE(query.WasChanged());
  Execute("INSERT INTO t VALUES (9, 9, 'c', 9)");  // and a checkpoint when it closes
  EXPECT_TRUE(query.WasChanged());
}

// Every transaction gives all rows one value, and its end moves the log into the file: whoever sees
// two values has read a file that changed under him.
TEST_F(SqliteReaderTest, RowsAreOfOneTimeWhileAnotherConnectionWrites) {
  Execute(
      "PRAGMA journal_mode = wal; CREATE TABLE w(v); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
      "SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO w SELECT 0 FROM n");
  std::atomic<bool> is_done = false;
  std::jthread writer([&] {
    for (int i = 0; i < 20; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(35));  // the reader may be alone
      Execute("UPDATE w SET v = v + 1");
    }
    is_done = true;
  });
  std::int64_t last = 0;
  while (!is_done) {
    // Slower than the writer, so that its log ends up in the file meanwhile.
    const auto data = Query("SELECT v FROM w WHERE length(hex(randomblob(5000))) > 0");
    const auto values = Entries<std::int64_t>(data->column("v"));
    ASSERT_EQ(values.size(), 20000U);
    EXPECT_EQ(std::count(values.begin(), values.end(), values[0]), 20000);
    EXPECT_GE(*values[0], last);
    last = *values[0];
  }
  writer.join();
  EXPECT_EQ(Entries<std::int64_t>(Query("SELECT max(v) AS v FROM w")->column("v"))[0], 20);
}

// A dataset or an Error comes out, whatever byte of the file was changed.
TEST_F(SqliteReaderTest, DamagedFilesDoNoHarm) {
  const std::string bytes = ReadFileBytes(path_);
  ASSERT_GT(bytes.size(), 4096U);
  for (std::size_t i = 0; i < bytes.size(); i += i < 100 ? 3 : 61) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ (i % 2 == 0 ? '\xff' : '\x10'));
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << damaged;
    const auto refusal = RefusalOf([&] {
      EXPECT_GT(ReadSqlite(path_, {.table = "t", .most_bytes = 1 << 20})->num_rows(), 0);
    });
    EXPECT_TRUE(!refusal || refusal->message.starts_with(Attempt())) << refusal->message;
  }
}

// Nothing is left beside the file, and its bytes stay.
TEST_F(SqliteReaderTest, ReadingLeavesTheFolderAlone) {
  const auto time = std::filesystem::last_write_time(path_);
  Query("SELECT * FROM t");
  EXPECT_EQ(std::filesystem::last_write_time(path_), time);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

using reading::FileState;

using std::chrono::hours;

TEST(FileStateTest, AWriteAfterASettledStateIsSeen) {
  const test::TemporaryFolder folder;
  const std::string path = folder.Write("a", "one");
  const auto before = FileState::Settled(path);
  ASSERT_TRUE(before);
  EXPECT_EQ(FileState::Of(path), before);
  std::fstream(path, std::ios::in | std::ios::out) << "two";  // as many bytes, at once
  EXPECT_NE(FileState::Of(path), before);
}

TEST(FileStateTest, AFileThatIsReplacedIsAnother) {
  const test::TemporaryFolder folder;
  const std::string path = folder.Write("a", "one");
  const auto before = FileState::Of(path);
  const std::string other = folder.Write("b", "one");
  std::filesystem::last_write_time(other, std::filesystem::last_write_time(path));
  std::filesystem::rename(other, path);
  EXPECT_NE(FileState::Of(path), before);
}

TEST(FileStateTest, NoFileAndTimesInTheFutureHaveNoState) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(FileState::Settled(folder.path() / "none"), std::nullopt);
  const std::string path = folder.Write("a", "one");
  std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + hours(1));
  EXPECT_EQ(FileState::Settled(path), std::nullopt);
  EXPECT_TRUE(FileState::Of(path));
}

}  // namespace
}  // namespace crossfold::sources
