#include "store/cells/store_file.h"

#include "crossfold/store_merge.h"
#include "crossfold/store_repair.h"
#include "crossfold/store_status.h"
#include "encoding/fields.h"
#include "store/cells/cell_row.h"
#include "store/cells/packed_bytes.h"
#include "store/cells/stored_table.h"
#include "unit/store/writer_blocks.h"

namespace crossfold {
namespace {

using fixture::ExpectError;
using test::ReadBytes;
using ::testing::HasSubstr;

class StoreFileTest : public fixture::StoreTest {
 protected:
  void ExpectRefused(const std::string& finding) {
    const std::string before = ReadBytes(path());
    ExpectError(ErrorKind::kBadData, "cannot open store '" + path().string() + "': " + finding,
                [&] { Open(); });
    EXPECT_EQ(ReadBytes(path()), before);
  }
};

TEST_F(StoreFileTest, ANewStoreHasItsMarkAndFormat) {
  Open();
  EXPECT_EQ(Number("PRAGMA application_id"), kStoreId);
  EXPECT_EQ(Number("PRAGMA user_version"), kStoreFormat);
  Database db(path(), Database::Access::kRead);
  EXPECT_EQ(db.Text("PRAGMA journal_mode"), "wal");
}

TEST_F(StoreFileTest, APathMayBeginWithTwoSlashes) {
  CellStore::Open("/" + path().string());
  EXPECT_EQ(Number("PRAGMA application_id"), kStoreId);
}

TEST_F(StoreFileTest, AnEmptyFileBecomesAStore) {
  folder_.Write("store.cfdb", "");
  Open();
  EXPECT_EQ(Number("PRAGMA application_id"), kStoreId);
}

TEST_F(StoreFileTest, AFileOfSomebodyElseIsNotTouched) {
  folder_.Write("store.cfdb", "sepal length,sepal width\n5.1,3.5\n");
  ExpectRefused("it is not a Crossfold store; use another path");
  EXPECT_EQ(NumFiles(), 1u);
}

TEST_F(StoreFileTest, ADatabaseOfAnotherApplicationIsNotTouched) {
  Database(path(), Database::Access::kCreate).Execute("CREATE TABLE notes(text)");
  ExpectRefused("it is a database of another application; use another path");
  EXPECT_EQ(NumFiles(), 1u);
}

TEST_F(StoreFileTest, AStoreOfANewerFormatIsRefusedByItsNumber) {
  Open();
  Execute("PRAGMA user_version = 7");
  ExpectRefused("it has format 7, and this Crossfold knows format 3; use a newer Crossfold");
}

// Without most checksums and totals; those of cells are not over the seconds.
void MakeFormat1(const std::filesystem::path& path) {
  Database db(path, Database::Access::kWrite);
  for (const StoredTable* table : kStoredTables) {
    db.Execute((std::string("ALTER TABLE ") + table->name + " DROP COLUMN checksum").c_str());
  }
  db.Execute("ALTER TABLE series DROP COLUMN total");
  db.Execute("ALTER TABLE runs DROP COLUMN total");
  db.Execute("PRAGMA user_version = 1");
  Statement row(db, std::string("SELECT ") + kCellColumns + ", series, fold FROM cells");
  Statement seal(db, "UPDATE cells SET checksum = ?3 WHERE series = ?1 AND fold = ?2");
  while (row.Step()) {
    const std::int64_t series = row.Number(8), fold = row.Number(9);
    const CellRow cell = ReadCellRow(row, 0, series, fold).row;
    FieldWriter fields;
    for (const std::int64_t number :
         {series, fold, static_cast<std::int64_t>(cell.status), cell.n_train, cell.n_test}) {
      fields.Number(number);
    }
    fields.Number(cell.prediction.has_value());
    const std::uint32_t sum = AddToChecksum(
        AddToChecksum(AddToChecksum(0, fields.bytes()), cell.prediction.value_or("")), cell.notes);
    seal.Bind(1, series).Bind(2, fold).Bind(3, std::int64_t{sum}).Run();
  }
}

void FillStore(CellStore& store) {
  store.BeginRun({"a.lua", "", {}, 1});
  fixture::RunInStore(store, fixture::WriterBlocks());
  store.FinishRun();
}

std::int64_t FormatOf(const std::filesystem::path& store) {
  return Database(store, Database::Access::kRead).Number("PRAGMA user_version");
}

TEST_F(StoreFileTest, AStoreWithOtherSeedsIsReadAndRefusedBeforeARun) {
  FillStore(*Open());
  for (const int format : {2, 1}) {
    if (format == 1) MakeFormat1(path());
    Execute(("PRAGMA user_version = " + std::to_string(format)).c_str());
    const std::string before = ReadBytes(path());
    ExpectError(ErrorKind::kBadData,
                "cannot resume store '" + path().string() +
                    "': an older Crossfold wrote it (format " + std::to_string(format) +
                    "), whose random numbers came from the names of learners, so that no cell of "
                    "it could be used again; use another path, or that Crossfold; status, report, "
                    "rescore, diff and export still read it",
                [&] { Open(); });
    const StoreStatus status = ReadStoreStatus(path());
    EXPECT_EQ(status.cells, 800);
    EXPECT_THAT(status.damaged, testing::IsEmpty());
    EXPECT_EQ(ReadBytes(path()), before);
  }
}

// Or its cells would be looked for by a run.
TEST_F(StoreFileTest, CopiesKeepTheFormatThatSaysWhichSeedsCellsHave) {
  FillStore(*Open());
  FillStore(*CellStore::Open(path("new.cfdb")));
  Execute("PRAGMA user_version = 2");
  RepairStore(path(), path("saved.cfdb"));
  EXPECT_EQ(FormatOf(path("saved.cfdb")), 2);
  const std::vector<std::filesystem::path> old = {path(), path("saved.cfdb")},
                                           both = {path("new.cfdb"), path()};
  MergeStores(path("merged.cfdb"), old);
  EXPECT_EQ(FormatOf(path("merged.cfdb")), 2);
  ExpectError(ErrorKind::kBadData,
              "cannot merge store '" + path().string() +
                  "': random numbers in the part came from the names of learners, as an older "
                  "Crossfold computed it, and those in the other did not; merge stores of one "
                  "version",
              [&] { MergeStores(path("mixed.cfdb"), both); });
}

TEST_F(StoreFileTest, AStoreOfFormat1BecomesOneOfFormat2WhenItIsWritten) {
  FillStore(*Open());
  MakeFormat1(path());
  EXPECT_EQ(RepairStore(path(), path("saved.cfdb")).saved, 800);
  EXPECT_THAT(ReadStoreStatus(path("saved.cfdb")).damaged, testing::IsEmpty());
  CellStore::Open(path(), {.for_runs = false});
  EXPECT_EQ(Number("PRAGMA user_version"), 2);
  EXPECT_THAT(ReadStoreStatus(path()).damaged, testing::IsEmpty());
  Execute("DELETE FROM wanted WHERE run = 1 AND series = 3");
  EXPECT_THAT(ReadStoreStatus(path(), 1).damaged, testing::SizeIs(1));
}

TEST_F(StoreFileTest, AFolderIsNoStore) {
  ExpectError(ErrorKind::kBadData,
              "cannot open store '" + folder_.path().string() +
                  "': it is a folder; give the name of a file",
              [&] { CellStore::Open(folder_.path()); });
}

TEST_F(StoreFileTest, AFolderThatIsNotThereIsNamed) {
  const auto there = folder_.path() / "none" / "store.cfdb";
  ExpectError(ErrorKind::kIo,
              "cannot write to store '" + there.string() +
                  "': unable to open database file; make the file and its folder writable, or use "
                  "another path",
              [&] { CellStore::Open(there); });
}

TEST_F(StoreFileTest, StrangeNamesAreNames) {
  for (const char* name : {"a b?mode=ro.cfdb", "50%20.cfdb", "x#y.cfdb", "\xc3\xa4'.cfdb"}) {
    CellStore::Open(path(name));
    EXPECT_TRUE(std::filesystem::exists(path(name))) << name;
  }
}

TEST_F(StoreFileTest, ReadersDoNotMakeAFile) {
  ExpectError(ErrorKind::kIo,
              "cannot open store '" + path().string() +
                  "': there is no such file; a run with --store makes it",
              [&] { ReadStoreStatus(path()); });
  EXPECT_EQ(NumFiles(), 0u);
}

TEST_F(StoreFileTest, AStoreWithoutATableIsDamaged) {
  Open();
  Execute("DROP TABLE scores");
  try {
    Open();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("no such table: scores"));
  }
}

// Else another damaged page could hide where the tables are.
TEST_F(StoreFileTest, TheFirstPageHasTheWholeSchema) {
  Open();
  constexpr std::size_t kTypeOfFirstPage = 100;  // sqlite.org/fileformat2.html, 1.6
  EXPECT_EQ(test::ReadBytes(path())[kTypeOfFirstPage], 13) << "a leaf of a table";
}

}  // namespace
}  // namespace crossfold
