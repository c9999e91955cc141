#include "crossfold/store_merge.h"

#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include "crossfold/composed_fold.h"
#include "crossfold/store_export.h"
#include "crossfold/store_findings.h"
#include "crossfold/store_ledger.h"
#include "crossfold/store_status.h"
#include "store/cells/finding_row.h"
#include "store/cells/sqlite.h"
#include "store/cells/stored_table.h"
#include "unit/store/ledger_fixture.h"

namespace crossfold {
namespace {

using fixture::Asked;
using fixture::BundledLearner;
using fixture::BundledMetrics;
using fixture::BytesOfFile;
using fixture::KFold;
using fixture::MessageOf;

class StoreMergeTest : public fixture::LedgerTest {
 protected:
  std::vector<CellBlock> Blocks() const {
    const auto splits = KFold(4, 2);
    return {Asked("knn", BundledLearner("knn"), splits),
            Asked("floor", BundledLearner("featureless"), splits)};
  }
  // Folds first .. first + count - 1 of block `b`.
  CellBlock Part(std::size_t b, std::int64_t first, std::int64_t count) const {
    CellBlock part = Blocks()[b];
    part.first = first;
    part.count = count;
    return part;
  }
  MergeReport Merge(const std::string& out, const std::vector<std::string>& parts) const {
    std::vector<std::filesystem::path> paths;
    for (const std::string& part : parts) paths.push_back(path(part));
    return MergeStores(path(out), paths);
  }
  void Execute(const std::string& store, const char* sql) const {
    Database(path(store), Database::Access::kWrite).Execute(sql);
  }
  std::int64_t Number(const std::string& store, const std::string& sql) const {
    return Database(path(store), Database::Access::kRead).Number(sql);
  }
  // A run that does not come to its end, whose first experiment notes these (name, body) of folds.
  void NoteFolds(const std::string& store,
                 const std::vector<std::pair<std::string, std::string>>& folds) const {
    const auto opened = CellStore::Open(path(store));
    opened->BeginRun({"a.lua", "", {}, 1});
    std::vector<Finding> findings = {{0, "dataset", "iris", "{}", KFold(4, 2)}};
    for (const auto& [name, body] : folds) findings.push_back({0, "fold", name, body, nullptr});
    RecordFindings(*opened, 0, findings);
  }
  // A run that does not come to its end, in which fold 2 of an ensemble fails.
  void FailComposed(const std::string& store, const std::string& failure) const {
    const auto opened = CellStore::Open(path(store));
    opened->BeginRun({"a.lua", "", {}, 1});
    RecordComposed(*opened, {.learner = "vote",
                             .dataset_name = "iris",
                             .data = fixture::Iris(),
                             .repeat = 0,
                             .fold = 1,
                             .n_train = 0,
                             .prediction = nullptr,
                             .failure = failure});
  }
  // "run/name=body" of each.
  std::vector<std::string> FoldsNotedIn(const std::string& store) const {
    Database db(path(store), Database::Access::kRead);
    Statement row(db, "SELECT run, name, body FROM findings WHERE kind = 'fold'");
    std::vector<std::string> folds;
    while (row.Step()) {
      folds.push_back(std::to_string(row.Number(0)) + "/" + row.Text(1) + "=" + row.Text(2));
    }
    return folds;
  }
  std::string Copy(const std::string& store) const {
    WriteCanonicalCopy(path(store), path(store + ".copy"));
    return BytesOfFile(path(store + ".copy"));
  }
};

TEST_F(StoreMergeTest, PartsHaveTheBytesOfOneStoreInAnyOrder) {
  Run(Blocks(), "one");
  Run({Part(0, 0, 3), Part(1, 5, 3)}, "a");
  Run({Part(0, 2, 6), Part(1, 0, 5)}, "b");
  const MergeReport report = Merge("ab", {"a", "b"});
  ASSERT_EQ(report.parts.size(), 2u);
  EXPECT_EQ(report.parts[0].cells, 6);
  EXPECT_EQ(report.parts[0].added, 6);
  EXPECT_EQ(report.parts[1].cells, 11);
  EXPECT_EQ(report.parts[1].added, 10);  // a cell is in both
  EXPECT_EQ(report.parts[1].user, 0);
  EXPECT_TRUE(report.conflicts.empty() && report.damaged.empty());
  Merge("ba", {"b", "a", "b"});
  EXPECT_EQ(Copy("ab"), Copy("one"));
  EXPECT_EQ(Copy("ba"), Copy("one"));
  // Runs that were not finished, of one script: one run.
  EXPECT_EQ(Number("ba", "SELECT count(*) FROM runs"), 1);
}

TEST_F(StoreMergeTest, NothingIsAddedTwice) {
  Run(Blocks(), "a");
  Merge("all", {"a"});
  const MergeReport again = Merge("all", {"a", "a"});
  EXPECT_EQ(again.parts[0].added + again.parts[1].added, 0);
  for (const char* table :
       {"runs", "series", "splits", "datasets", "learners", "scores", "wanted"}) {
    const std::string count = std::string("SELECT count(*) FROM ") + table;
    EXPECT_EQ(Number("all", count), Number("a", count)) << table;
  }
}

TEST_F(StoreMergeTest, FinishedRunsStayApart) {
  for (const char* store : {"a", "b"}) {
    Run(Blocks(), store);
    Database db(path(store), Database::Access::kWrite);
    db.Execute("UPDATE runs SET finished = 1");
    if (store == std::string("b")) db.Execute("UPDATE runs SET started = '2001-01-01T00:00:00Z'");
    Reseal(db, kRunTable, 1);
  }
  Merge("all", {"a", "b", "b"});
  EXPECT_EQ(Number("all", "SELECT count(*) FROM runs"), 2);
}

TEST_F(StoreMergeTest, ScoresOfBothPartsAreThere) {
  const CellBlock block = Part(0, 0, 4);
  CellBlock other = block;
  other.metrics = std::make_shared<const MetricList>(BundledMetrics({"log_loss"}));
  Run({block}, "a");
  Run({other}, "b");
  Merge("all", {"a", "b"});
  EXPECT_EQ(Number("all", "SELECT count(*) FROM cells"), 4);
  EXPECT_EQ(Number("all", "SELECT count(*) FROM scores"), 8);
}

TEST_F(StoreMergeTest, TwoResultsOfACellAreToldAndTheFirstStays) {
  Run({Part(0, 0, 2)}, "a");
  const auto store = CellStore::Open(path("b"));
  const std::vector<CellBlock> blocks = {Part(0, 0, 2)};
  const RunEngine lying = [](auto cells, const RunOptions& options, const TakeOutcome& take) {
    RunAndScore(cells, options, [&](std::size_t i, Outcome&& outcome) {
      if (i == 1) outcome.prediction.labels[0] ^= 1;
      take(i, std::move(outcome));
    });
  };
  RunStored(*store, blocks, {}, lying, [](std::size_t, Outcome&&) {});
  store->Flush();
  const MergeReport report = Merge("all", {"a", "b"});
  EXPECT_EQ(report.conflicts,
            std::vector<std::string>{"store '" + path("b").string() +
                                     "': learner 'knn' is not reproducible: repeat 1, fold 2 gave "
                                     "a different result from the one in store '" +
                                     path("all").string() + "', which is kept"});
  Merge("first", {"a"});
  const char* hex = "SELECT sum(checksum) FROM cells";
  EXPECT_EQ(Number("all", hex), Number("first", hex));
}

TEST_F(StoreMergeTest, DifferentNotesOfAnExperimentAreToldAndTheFirstStay) {
  NoteFolds("a", {{"1 1", "1"}, {"1 3", "3"}});
  NoteFolds("b", {{"1 1", "1"}, {"1 3", "4"}, {"1 4", "5"}});
  const std::string told = "store '" + path("b").string() +
                           "': what experiment 1 noted (fold 1 3) differs from that in store '" +
                           path("all").string() + "', which is kept";
  EXPECT_EQ(Merge("all", {"a", "b"}).conflicts, std::vector<std::string>{told});
  EXPECT_EQ(FoldsNotedIn("all"), (std::vector<std::string>{"1/1 1=1", "1/1 3=3", "1/1 4=5"}));
  EXPECT_EQ(Merge("all", {"a", "b"}).conflicts, std::vector<std::string>{told});
}

// Stopped and resumed: both runs of the part are one run of the merged store.
TEST_F(StoreMergeTest, WhatTheLastRunOfAPartNotedCounts) {
  NoteFolds("a", {{"1 1", "\"stopped\""}, {"1 2", "2"}});
  NoteFolds("a", {{"1 1", "1"}});
  for (int times = 0; times < 2; ++times) {
    EXPECT_EQ(Merge("all", {"a"}).conflicts, std::vector<std::string>());
    EXPECT_EQ(FoldsNotedIn("all"), (std::vector<std::string>{"1/1 1=1", "1/1 2=2"}));
  }
}

TEST_F(StoreMergeTest, TwoResultsOfAFoldThatIsNoCellAreToldAndTheFirstStays) {
  FailComposed("a", "no luck");
  FailComposed("b", "other luck");
  EXPECT_EQ(Merge("all", {"a", "b"}).conflicts,
            std::vector<std::string>{"store '" + path("b").string() +
                                     "': learner 'vote' is not reproducible: repeat 1, fold 2 gave "
                                     "a different result from the one in store '" +
                                     path("all").string() + "', which is kept"});
  EXPECT_EQ(Number("all", "SELECT count(*) FROM composed WHERE failure = 'no luck'"), 1);
}

// Such as one that had failed by a limit.
TEST_F(StoreMergeTest, TheLastResultOfAPartForAFoldThatIsNoCellCounts) {
  FailComposed("a", "too slow");
  FailComposed("a", "no luck");
  for (int times = 0; times < 2; ++times) {
    EXPECT_EQ(Merge("all", {"a"}).conflicts, std::vector<std::string>());
    EXPECT_EQ(Number("all", "SELECT count(*) FROM composed"), 1);
    EXPECT_EQ(Number("all", "SELECT count(*) FROM composed WHERE failure = 'no luck'"), 1);
  }
}

TEST_F(StoreMergeTest, ADamagedNoteIsReplacedByAWholeOne) {
  NoteFolds("a", {{"1 1", "1"}});
  Merge("all", {"a"});
  Execute("all", "UPDATE findings SET body = '2' WHERE kind = 'fold'");
  EXPECT_EQ(Merge("all", {"a"}).conflicts, std::vector<std::string>());
  EXPECT_EQ(FoldsNotedIn("all"), std::vector<std::string>{"1/1 1=1"});
}

// As by another zlib: 78 01 is the header of the fastest level, 78 9C that of the usual one; what
// is packed and its checksum stay.
TEST_F(StoreMergeTest, SplitsThatArePackedOtherwiseAreTheSame) {
  NoteFolds("a", {});
  NoteFolds("b", {});
  Database db(path("b"), Database::Access::kWrite);
  Statement row(db, std::string("SELECT ") + kFindingColumns + " FROM findings");
  ASSERT_TRUE(row.Step());
  FindingRow finding = ReadFindingRow(row).row;
  ASSERT_EQ(finding.splits->substr(0, 2), "\x78\x01");
  (*finding.splits)[1] = '\x9C';
  row.Reset();
  Statement replace(db, std::string("INSERT OR REPLACE INTO findings(run, ") + kFindingColumns +
                            ") VALUES(?,?,?,?,?,?,?,?)");
  BindFinding(replace, 1, finding);
  replace.Run();
  EXPECT_EQ(Merge("all", {"a", "b"}).conflicts, std::vector<std::string>());
}

TEST_F(StoreMergeTest, APartThatIsStillWrittenToIsMergedAsFarAsItIs) {
  Run({Part(0, 0, 2)}, "a");
  const auto store = CellStore::Open(path("a"));
  const MergeReport report = Merge("all", {"a"});
  EXPECT_EQ(report.parts[0].user, ::getpid());
  EXPECT_EQ(report.parts[0].added, 2);
}

TEST_F(StoreMergeTest, WhatIsDamagedIsLeftOutAndTold) {
  Run({Part(0, 0, 3)}, "a");
  Execute("a", "UPDATE cells SET n_test = n_test + 1 WHERE fold = 1");
  Execute("a", "UPDATE scores SET value = 0.5 WHERE fold = 2");
  const MergeReport report = Merge("all", {"a"});
  EXPECT_EQ(report.damaged,
            (std::vector<std::string>{
                "knn, repeat 1, fold 2 of '" + path("a").string() + "'",
                "a score of knn, repeat 1, fold 3 of '" + path("a").string() + "'"}));
  EXPECT_EQ(Number("all", "SELECT count(*) FROM cells"), 2);
  EXPECT_EQ(Number("all", "SELECT count(*) FROM scores"), 1);
}

TEST_F(StoreMergeTest, RowsWhoseRunIsGoneAreTold) {
  Run({Part(0, 0, 3)}, "a");
  FailComposed("a", "no luck");
  NoteFolds("a", {{"1 1", "1"}});
  EXPECT_EQ(Merge("whole", {"a"}).damaged, std::vector<std::string>());
  Execute("a", "DELETE FROM runs WHERE id IN (1, 2, 3)");
  const std::string in = "' is missing in '" + path("a").string() + "'";
  const std::vector<std::string> told = {
      "1 row of table 'wanted', as row 1 of table 'runs" + in,
      "1 row of table 'composed', as row 2 of table 'runs" + in,
      "2 rows of table 'findings', as row 3 of table 'runs" + in};
  EXPECT_EQ(Merge("all", {"a"}).damaged, told);
  EXPECT_EQ(ReadStoreStatus(path("a")).damaged.size(), told.size()) << "status says the same";
}

TEST_F(StoreMergeTest, AnotherPartGivesBackWhatOneHasLost) {
  Run(Blocks(), "a");
  Run(Blocks(), "b");
  Execute("a", "UPDATE datasets SET image_bytes = 0");
  Execute("a", "DELETE FROM dataset_parts");
  Execute("a", "DELETE FROM learners");
  EXPECT_TRUE(Merge("all", {"a", "b"}).conflicts.empty());
  EXPECT_EQ(Copy("all"), Copy("b"));
}

TEST_F(StoreMergeTest, AnArchiveIsAPart) {
  Run(Blocks(), "a");
  ExportRun(path("a"), path("a.zip"), {});
  Merge("all", {"a.zip"});
  EXPECT_EQ(Number("all", "SELECT count(*) FROM cells"), 16);
}

TEST_F(StoreMergeTest, WhatCannotBeMergedIsRefusedBeforeAnythingIsWritten) {
  Run({Part(0, 0, 1)}, "a");
  const std::string attempt = "cannot merge stores into '" + path("all").string() + "': ";
  EXPECT_EQ(MessageOf([&] { Merge("all", {}); }),
            attempt + "there are none; name the files to merge");
  EXPECT_EQ(MessageOf([&] {
              Merge("all", {"a", "gone"});
            }),
            attempt + "there is no file '" + path("gone").string() +
                "'; give the stores of shards that have run");
  EXPECT_FALSE(std::filesystem::exists(path("all")));
  EXPECT_EQ(MessageOf([&] { Merge("a", {"a"}); }),
            "cannot merge stores into '" + path("a").string() +
                "': it is one of them; the first file is the one to write to");
}

}  // namespace
}  // namespace crossfold
