#include "crossfold/store_gc.h"

#include <unistd.h>

#include "unit/store/store_fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::BlockOf;
using fixture::Classes;
using fixture::ExpectError;
using fixture::FoundComputed;
using fixture::Learner;
using fixture::ModuloSplits;

class StoreGcTest : public fixture::StoreTest {
 protected:
  void Run(const std::string& script, const std::vector<CellBlock>& blocks, bool finished = true) {
    const auto store = Open();
    RunRecord run;
    run.script = script;
    store->BeginRun(run);
    fixture::RunInStore(*store, blocks);
    if (finished) store->FinishRun();
  }
};

std::vector<CellBlock> Blocks(std::uint64_t seed, std::size_t n_rows = 24) {
  return {BlockOf(Learner("coin"), ModuloSplits(All(Classes(n_rows, 3)), 4), nullptr, Keep::kLabels,
                  seed)};
}

TEST_F(StoreGcTest, WhatTheLastRunOfEachScriptAskedForStays) {
  Run("a.lua", Blocks(1, 5000));
  Run("b.lua", Blocks(2));
  Run("a.lua", Blocks(3));
  const GcReport report = CollectStoreGarbage(path());
  EXPECT_EQ(report.runs, 1);
  EXPECT_EQ(report.cells, 4);
  EXPECT_EQ(report.predictions, 4);
  EXPECT_EQ(report.learners, 0);
  EXPECT_EQ(report.datasets, 1);
  EXPECT_LT(report.bytes_after, report.bytes_before);
  EXPECT_EQ(FoundAndComputed(Blocks(2)), FoundComputed(4, 0));
  EXPECT_EQ(FoundAndComputed(Blocks(3)), FoundComputed(4, 0));
  EXPECT_EQ(FoundAndComputed(Blocks(1, 5000)), FoundComputed(0, 4));
}

// Else cells would go that are asked for.
TEST_F(StoreGcTest, NothingIsRemovedByADamagedRow) {
  Run("a.lua", Blocks(1));
  Execute("UPDATE wanted SET count = 1");
  ExpectError(ErrorKind::kBadData,
              "cannot make store '" + path().string() +
                  "' smaller: row 1, 1, 0, fixture.coin, classes, 0 of table 'wanted' is damaged; "
                  "`crossfold repair " +
                  path().string() + " NEW` recovers what is intact",
              [&] { CollectStoreGarbage(path()); });
  EXPECT_EQ(Number("SELECT count(*) FROM cells"), 4);
}

TEST_F(StoreGcTest, MoreRunsCanStay) {
  Run("a.lua", Blocks(1));
  Run("a.lua", Blocks(2));
  GcOptions options;
  options.runs = 2;
  EXPECT_EQ(CollectStoreGarbage(path(), options).cells, 0);
  options.runs = 0;
  EXPECT_EQ(CollectStoreGarbage(path(), options).cells, 8);
  EXPECT_EQ(Number("SELECT count(*) FROM series"), 0);
}

TEST_F(StoreGcTest, ARunThatWasStoppedReplacesNoOther) {
  Run("a.lua", Blocks(1));
  Run("a.lua", Blocks(2), false);
  EXPECT_EQ(CollectStoreGarbage(path()).cells, 0);
  Run("a.lua", Blocks(3));
  EXPECT_EQ(CollectStoreGarbage(path()).cells, 8);
  EXPECT_EQ(FoundAndComputed(Blocks(3)), FoundComputed(4, 0));
}

TEST_F(StoreGcTest, AFileThatIsReadIsToldAndBecomesSmallerLater) {
  Run("a.lua", Blocks(1, 5000));
  Run("a.lua", Blocks(2));
  Database reader(path(), Database::Access::kRead);
  reader.Execute("BEGIN");
  EXPECT_EQ(reader.Number("SELECT count(fold) FROM cells"), 8);
  const GcReport report = CollectStoreGarbage(path());
  EXPECT_EQ(report.cells, 4);
  EXPECT_TRUE(report.is_read);
  EXPECT_EQ(report.bytes_after, report.bytes_before);
  reader.Execute("COMMIT");
  const GcReport again = CollectStoreGarbage(path());
  EXPECT_FALSE(again.is_read);
  EXPECT_LT(again.bytes_after, report.bytes_after);
}

TEST_F(StoreGcTest, AStoreInUseIsLeftAlone) {
  Run("a.lua", Blocks(1));
  const auto store = Open();
  ExpectError(ErrorKind::kIo,
              "cannot make store '" + path().string() + "' smaller: process " +
                  std::to_string(getpid()) + " uses it; try again when that has ended",
              [&] { CollectStoreGarbage(path()); });
}

}  // namespace
}  // namespace crossfold
