#include "crossfold/store_status.h"

#include <sqlite3.h>

#include <filesystem>
#include <string>
#include <vector>

#include "crossfold/composed_fold.h"
#include "crossfold/store_findings.h"
#include "crossfold/store_repair.h"
#include "unit/store/store_fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::BlockOf;
using fixture::Classes;
using fixture::ExpectError;
using fixture::Learner;
using fixture::ModuloSplits;

class StoreStatusTest : public fixture::StoreTest {};

std::shared_ptr<const CellPurpose> Purpose(const std::string& learner, bool inner = false) {
  return std::make_shared<const CellPurpose>(CellPurpose{learner, "my classes", inner});
}

// An engine that ends after `most` cells.
RunEngine Interrupted(std::size_t most) {
  return [most](std::span<const CellBlock> blocks, const RunOptions& options,
                const TakeOutcome& take) {
    RunAndScore(blocks, options, [&](std::size_t i, Outcome&& outcome) {
      if (i < most) take(i, std::move(outcome));
    });
  };
}

TEST_F(StoreStatusTest, FoldsThatAreNotCellsAreCountedByTheirLearner) {
  Prediction prediction;
  prediction.rows = {5, 2};
  prediction.labels = {1, 0};
  prediction.n_classes = 2;
  {
    const auto store = Open();
    const std::vector<Finding> findings = {
        {0, "evaluate", "",
         R"({"learners":[{"name":"theirs","text":"imported from a.csv","imported_sha256":"3f5a"},)"
         R"({"name":"vote"}]})",
         nullptr}};
    RecordFindings(*store, 0, findings);
    ComposedFold fold;
    fold.learner = "theirs";
    fold.dataset_name = "flowers";
    fold.data = Classes(6, 2);
    fold.failure = "fit theirs: a.csv has no predictions of this fold";
    RecordComposed(*store, fold);
    fold.fold = 1;
    fold.prediction = std::make_shared<const Prediction>(prediction);
    RecordComposed(*store, fold);
    fold.learner = "vote";
    RecordComposed(*store, fold);
  }
  const StoreStatus status = ReadStoreStatus(path());
  ASSERT_EQ(status.learners.size(), 2u);
  const LearnerStatus &theirs = status.learners[0], &vote = status.learners[1];
  EXPECT_EQ(theirs.learner + " on " + theirs.dataset, "theirs on flowers");
  EXPECT_TRUE(theirs.imported);
  EXPECT_EQ(theirs.wanted, 2);
  EXPECT_EQ(theirs.done, 1);
  EXPECT_EQ(theirs.failed, 1);
  EXPECT_EQ(theirs.predictions, 1);
  EXPECT_EQ(vote.learner + " on " + vote.dataset, "vote on flowers");
  EXPECT_TRUE(vote.in_lua && !vote.imported && !theirs.in_lua);
  EXPECT_EQ(vote.done, 1);
}

TEST_F(StoreStatusTest, CellsAreCountedByTheNamesOfTheExperiment) {
  const auto splits = ModuloSplits(All(Classes(24, 3)), 4, 2);
  std::vector<CellBlock> blocks = {BlockOf(Learner("coin"), splits),
                                   BlockOf(Learner("coin", {{"mode", "throw_in_fit"}}), splits),
                                   BlockOf(Learner("first_class"), splits)};
  blocks[0].purpose = Purpose("lucky", true);
  blocks[1].purpose = Purpose("clumsy");
  {
    const auto store = Open();
    RunStored(*store, blocks, fixture::Workers(1), Interrupted(18), [](std::size_t, Outcome&&) {});
    fixture::RunInStore(*store, std::vector<CellBlock>{blocks[1]});  // asks for them twice
  }
  const StoreStatus status = ReadStoreStatus(path());
  ASSERT_EQ(status.learners.size(), 3u);
  const LearnerStatus& first = status.learners[0];
  EXPECT_EQ(first.dataset, "classes");
  EXPECT_EQ(first.learner, "fixture.first_class");
  EXPECT_EQ(first.wanted, 8);
  EXPECT_EQ(first.done, 2);
  EXPECT_EQ(first.missing, 6);
  const LearnerStatus& clumsy = status.learners[1];
  EXPECT_EQ(clumsy.dataset, "my classes");
  EXPECT_EQ(clumsy.learner, "clumsy");
  EXPECT_EQ(clumsy.wanted, 8);
  EXPECT_EQ(clumsy.failed, 8);
  EXPECT_EQ(clumsy.missing, 0);
  const LearnerStatus& lucky = status.learners[2];
  EXPECT_TRUE(lucky.inner);
  EXPECT_EQ(lucky.done, 8);
  EXPECT_EQ(lucky.predictions, 8);
  EXPECT_EQ(status.cells, 18);
  EXPECT_EQ(status.predictions, 10);
  EXPECT_EQ(status.datasets, 1);
  EXPECT_EQ(status.runs.size(), 1u);
}

TEST_F(StoreStatusTest, FailuresAreCountedByCause) {
  const std::vector<CellBlock> blocks = {
      BlockOf(Learner("coin"), ModuloSplits(All(Classes(24, 3)), 4))};
  const std::vector<Failure> failures = {
      {"fit coin", CF_E_NUMERIC, "no distance", false},
      {"run", CodeOf(FailureCause::kKilled), "the process died of signal 9 (Killed)", true},
      {"run", CodeOf(FailureCause::kTime), "the process was stopped", true},
      {"run", CF_E_INTERNAL, "of an older Crossfold", true}};
  {
    const auto store = Open();
    const auto engine = [&](std::span<const CellBlock>, const RunOptions&,
                            const TakeOutcome& take) {
      for (std::size_t i = 0; i < failures.size(); ++i) {
        Outcome outcome;
        outcome.status = OutcomeStatus::kFailed;
        outcome.failure = failures[i];
        if (i == 1) outcome.warnings = {TryWarning(1, failures[i]), TryWarning(2, failures[i])};
        take(i, std::move(outcome));
      }
    };
    RunStored(*store, blocks, fixture::Workers(1), engine, [](std::size_t, Outcome&&) {});
  }
  const StoreStatus status = ReadStoreStatus(path());
  ASSERT_EQ(status.learners.size(), 1u);
  const LearnerStatus& coin = status.learners[0];
  EXPECT_EQ(coin.failed, 1);
  EXPECT_EQ(coin.stopped, 3);
  // data, plugin, time, memory, killed, disk, lost, unknown
  EXPECT_THAT(coin.causes, testing::ElementsAre(1, 0, 1, 0, 1, 0, 0, 1));
  EXPECT_EQ(coin.retried, 1);
}

TEST_F(StoreStatusTest, ARunHasItsOwnCounts) {
  const auto splits = ModuloSplits(All(Classes(24, 3)), 4);
  for (const char* name : {"coin", "first_class"}) {
    const auto store = Open();
    RunRecord run;
    run.script = std::string(name) + ".lua";
    store->BeginRun(run);
    fixture::RunInStore(*store, std::vector<CellBlock>{BlockOf(Learner(name), splits)});
  }
  const StoreStatus status = ReadStoreStatus(path(), 2);
  ASSERT_EQ(status.learners.size(), 1u);
  EXPECT_EQ(status.learners[0].learner, "fixture.first_class");
  ASSERT_EQ(status.runs.size(), 2u);
  EXPECT_EQ(status.runs[0].script, "coin.lua");
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot report the status of run 3 of store '" + path().string() +
                  "': it has no such run; the last one is run 2",
              [&] { ReadStoreStatus(path(), 3); });
}

// Its checksum covers seconds, so nothing tells a lost cell from another one in its place.
TEST_F(StoreStatusTest, ALostCellIsMissingUntilRepairThoughItIsComputedAgain) {
  const std::vector<CellBlock> blocks = {
      BlockOf(Learner("coin"), ModuloSplits(All(Classes(24, 3)), 4))};
  fixture::RunInStore(*Open(), blocks);
  Execute("DELETE FROM cells WHERE fold = 1");
  EXPECT_EQ(FoundAndComputed(blocks), fixture::FoundComputed(3, 1));
  EXPECT_THAT(ReadStoreStatus(path()).damaged,
              testing::ElementsAre("cells or scores of series 1 (rows are missing or were added; a "
                                   "run does not fix that, `crossfold repair` does)"));
  RepairStore(path(), path("saved"));
  EXPECT_EQ(ReadStoreStatus(path("saved")).damaged, std::vector<std::string>());
}

TEST_F(StoreStatusTest, AFileThatWasKilledBeforeItsTablesCameHasNothingYet) {
  folder_.Write("store.cfdb", "");
  ExpectError(ErrorKind::kBadData,
              "cannot open store '" + path().string() +
                  "': nothing was stored in it yet; a run with --store fills it",
              [&] { ReadStoreStatus(path()); });
}

// The bytes of a file at a moment while its tables are made: pages of them and the journal that
// takes them back.
TEST_F(StoreStatusTest, AFileThatWasKilledWhileItsTablesWereMadeHasNothingYet) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open((folder_.path() / "making").c_str(), &db), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(db,
                         "PRAGMA cache_size = 2; BEGIN; CREATE TABLE runs(x);"
                         "INSERT INTO runs VALUES (zeroblob(100000));",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  std::filesystem::copy_file(folder_.path() / "making", path());
  std::filesystem::copy_file(folder_.path() / "making-journal", path().string() + "-journal");
  sqlite3_close(db);
  ASSERT_GT(std::filesystem::file_size(path()), 4096u);
  ExpectError(ErrorKind::kBadData,
              "cannot open store '" + path().string() +
                  "': nothing was stored in it yet; a run with --store fills it",
              [&] { ReadStoreStatus(path()); });
  const auto splits = ModuloSplits(All(Classes(24, 3)), 4);
  const std::vector<CellBlock> blocks = {BlockOf(Learner("first_class"), splits)};
  fixture::RunInStore(*Open(), blocks);
  EXPECT_EQ(ReadStoreStatus(path()).learners.size(), 1u);
}

}  // namespace
}  // namespace crossfold
