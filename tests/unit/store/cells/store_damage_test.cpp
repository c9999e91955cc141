#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <mutex>
#include <random>

#include "crossfold/store_repair.h"
#include "store/cells/store_impl.h"
#include "unit/store/writer_blocks.h"

namespace crossfold {
namespace {

using fixture::ExpectError;
using fixture::FoundComputed;
using fixture::RunInStore;
using fixture::RunPlain;
using fixture::WriterBlocks;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class StoreDamageTest : public fixture::StoreTest {
 protected:
  // Overwrites pages with noise, but not the first ones, which are the roots of the tables.
  void Damage(int n_pages, std::uint32_t seed) {
    const auto n = static_cast<std::int64_t>(std::filesystem::file_size(path()) / 4096);
    std::mt19937 random(seed);
    std::fstream file(path(), std::ios::binary | std::ios::in | std::ios::out);
    for (int i = 0; i < n_pages; ++i) {
      std::string noise(4096, '\0');
      for (char& byte : noise) byte = static_cast<char>(random());
      const auto page = 21 + static_cast<std::int64_t>(random()) % (n - 21);
      file.seekp(page * 4096);
      file.write(noise.data(), static_cast<std::streamsize>(noise.size()));
    }
  }
  // The page with the last rows of a table: the right-most child of its root.
  void BreakTheLastPageOf(const std::string& table) {
    const std::int64_t root =
        Number("SELECT rootpage FROM sqlite_schema WHERE name = '" + table + "'");
    std::fstream file(path(), std::ios::binary | std::ios::in | std::ios::out);
    std::string page(4096, '\0');
    file.seekg((root - 1) * 4096);
    file.read(page.data(), 4096);
    ASSERT_EQ(page[0], 2) << "the root of the table has no children";  // an interior index page
    std::int64_t child = 0;
    for (std::size_t i = 8; i < 12; ++i) child = child << 8 | static_cast<unsigned char>(page[i]);
    file.seekp((child - 1) * 4096);
    file.write(std::string(4096, 'x').data(), 4096);
  }
};

TEST_F(StoreDamageTest, UndamagedCellsAreSavedAndOnlyTheOthersAreComputed) {
  const std::vector<CellBlock> blocks = WriterBlocks();
  const std::vector<std::string> plain = RunPlain(blocks);
  RunInStore(*Open(), blocks);
  const std::string whole = test::ReadBytes(path());
  std::int64_t saved = 0;
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    folder_.Write("store.cfdb", whole);
    Damage(3, seed);
    const auto repaired = path("saved" + std::to_string(seed));
    const RepairReport report = RepairStore(path(), repaired);
    const auto store = CellStore::Open(repaired);
    EXPECT_EQ(RunInStore(*store, blocks), plain) << seed;
    EXPECT_EQ(store->counts().found, static_cast<std::uint64_t>(report.saved)) << seed;
    EXPECT_EQ(store->counts().computed, 800u - static_cast<std::uint64_t>(report.saved)) << seed;
    saved += report.saved;
  }
  EXPECT_LT(saved, 8 * 800) << "no page of cells was met";
  EXPECT_GT(saved, 8 * 400);
}

// No repair first: every page is met where it lies, while looking up or while writing.
TEST_F(StoreDamageTest, ARunOnADamagedStoreDeliversEveryOutcomeAndTellsAtTheEnd) {
  const std::vector<CellBlock> blocks = WriterBlocks();
  const std::vector<std::string> plain = RunPlain(blocks);
  RunInStore(*Open(), blocks);
  const std::string whole = test::ReadBytes(path());
  int refused = 0, told = 0, healed = 0;
  for (std::uint32_t seed = 1; seed <= 16; ++seed) {
    folder_.Write("store.cfdb", whole);
    Damage(1, seed);
    std::shared_ptr<CellStore> store;
    try {
      store = Open();
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kBadData) << seed;
      ++refused;
      continue;
    }
    std::vector<std::string> outcomes(plain.size());
    try {
      RunStored(*store, blocks, fixture::Workers(2), fixture::PlainEngine(),
                [&](std::size_t i, Outcome&& o) { outcomes[i] = fixture::BytesOf(o); });
      store->Flush();
      ++healed;
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), HasSubstr("`crossfold repair")) << seed;
      if (outcomes[0].empty()) {
        ++refused;  // the definitions are damaged: nothing ran
        continue;
      }
      ++told;
    }
    EXPECT_EQ(outcomes, plain) << seed;
    store.reset();
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      std::filesystem::remove(entry.path());  // also the log, which could not be emptied
    }
  }
  EXPECT_GT(told + healed, 8) << refused << " refused";
  EXPECT_GT(told, 0);
}

TEST_F(StoreDamageTest, ADamagedPageOfCellsIsLoggedByLearner) {
  const std::vector<CellBlock> blocks = WriterBlocks();
  RunInStore(*Open(), blocks);
  std::vector<std::string> log;
  StoreOptions options;
  options.log = [&](std::int32_t, const std::string& message) { log.push_back(message); };
  BreakTheLastPageOf("cells");
  const auto store = Open(options);
  EXPECT_EQ(RunInStore(*store, blocks, fixture::Workers(1)), RunPlain(blocks));
  EXPECT_THAT(store->problem(), HasSubstr("`crossfold repair"));
  EXPECT_GT(store->counts().found, 400u);
  ASSERT_FALSE(log.empty());
  EXPECT_THAT(log[0],
              MatchesRegex("stored results of learner 'fixture.coin', repeat [12], are "
                           "computed again: cannot read store '.*': database disk image "
                           "is malformed; `crossfold repair .* NEW` recovers what is intact"));
}

TEST_F(StoreDamageTest, ADamagedScoreIsMadeAgainFromThePrediction) {
  const std::vector<CellBlock> blocks = WriterBlocks();
  const std::vector<std::string> plain = RunPlain(blocks);
  RunInStore(*Open(), blocks);
  Execute("UPDATE scores SET value = value + 0.125 WHERE series = 3 AND fold < 5");
  Execute("UPDATE scores SET metric = 1 - metric WHERE series = 4 AND fold = 2 AND metric = 1");
  EXPECT_EQ(FoundAndComputed(blocks), FoundComputed(800, 0));
  EXPECT_EQ(last_, plain);
  StoreOptions options;
  options.log = [](std::int32_t, const std::string& message) { ADD_FAILURE() << message; };
  EXPECT_EQ(RunInStore(*Open(options), blocks), plain) << "the damaged ones were not replaced";
}

TEST_F(StoreDamageTest, ADamagedScoreWithoutItsPredictionIsComputedAgain) {
  const std::vector<CellBlock> blocks = [] {
    std::vector<CellBlock> made = WriterBlocks();
    for (CellBlock& block : made) block.keep = Keep::kNothing;
    return made;
  }();
  const std::vector<std::string> plain = RunPlain(blocks);
  StoreOptions without;
  without.prediction_bytes = 0;
  RunInStore(*Open(without), blocks);
  Execute("UPDATE scores SET value = value + 0.125 WHERE series = 3 AND fold < 5");
  EXPECT_EQ(FoundAndComputed(blocks), FoundComputed(795, 5));
  EXPECT_EQ(last_, plain);
  EXPECT_EQ(FoundAndComputed(blocks), FoundComputed(800, 0));
  EXPECT_EQ(last_, plain);
}

TEST_F(StoreDamageTest, RepairKeepsScoresWithTheirChecksumAndNoOthers) {
  const std::vector<CellBlock> blocks = WriterBlocks();
  RunInStore(*Open(), blocks);
  ASSERT_EQ(Number("SELECT count(*) FROM scores"), 1600);
  Execute("UPDATE scores SET value = value + 0.125 WHERE series = 3 AND fold < 5");
  EXPECT_EQ(RepairStore(path(), path("saved")).saved, 800);
  Database saved(path("saved"), Database::Access::kRead);
  EXPECT_EQ(saved.Number("SELECT count(*) FROM scores"), 1590);
}

TEST_F(StoreDamageTest, CellsOfALostLearnerAreFoundAndGetItBack) {
  const std::vector<CellBlock> blocks = WriterBlocks();
  RunInStore(*Open(), blocks);
  Execute("DELETE FROM learners");
  Execute("DELETE FROM splits WHERE id = 2");
  EXPECT_EQ(RepairStore(path(), path("saved")).saved, 800);
  const std::string orphans = "SELECT count(*) FROM series WHERE learner = 0 OR splits = 0";
  EXPECT_EQ(Database(path("saved"), Database::Access::kRead).Number(orphans), 40);
  {
    const auto store = CellStore::Open(path("saved"));
    EXPECT_EQ(RunInStore(*store, blocks), RunPlain(blocks));
    EXPECT_EQ(store->counts().found, 800u);
  }
  Database saved(path("saved"), Database::Access::kRead);
  EXPECT_EQ(saved.Number(orphans), 0);
  EXPECT_EQ(saved.Number("SELECT count(*) FROM series s JOIN learners l ON l.id = s.learner "
                         "JOIN splits p ON p.id = s.splits"),
            40);
}

TEST_F(StoreDamageTest, AWholeStoreIsCopiedWhole) {
  const std::vector<CellBlock> blocks = WriterBlocks();
  RunInStore(*Open(), blocks);
  const RepairReport report = RepairStore(path(), path("saved"));
  ASSERT_EQ(report.learners.size(), 1u);
  EXPECT_EQ(report.learners[0].learner, "fixture.coin");
  EXPECT_EQ(report.saved, 800);
  EXPECT_EQ(report.lost, 0);
  const auto store = CellStore::Open(path("saved"));
  EXPECT_EQ(RunInStore(*store, blocks), RunPlain(blocks));
  EXPECT_EQ(store->counts().computed, 0u);
}

TEST_F(StoreDamageTest, ADamagedPageIsToldWithTheWayToSaveTheRest) {
  const std::vector<CellBlock> blocks = WriterBlocks();
  RunInStore(*Open(), blocks);
  const std::int64_t root = Number("SELECT rootpage FROM sqlite_schema WHERE name = 'cells'");
  std::fstream file(path(), std::ios::binary | std::ios::in | std::ios::out);
  file.seekp((root - 1) * 4096);
  file.write(std::string(4096, 'x').data(), 4096);
  file.close();
  ExpectError(ErrorKind::kBadData,
              "cannot read store '" + path().string() +
                  "': database disk image is malformed; `crossfold repair " + path().string() +
                  " NEW` recovers what is intact",
              [&] { Open(); });
}

TEST_F(StoreDamageTest, AStoreWhoseEndIsCutOffIsToldAndSavedUpToThere) {
  const std::vector<CellBlock> blocks = WriterBlocks();
  RunInStore(*Open(), blocks);
  std::filesystem::resize_file(path(), std::filesystem::file_size(path()) - 4096);
  ExpectError(ErrorKind::kBadData,
              "cannot read store '" + path().string() +
                  "': database disk image is malformed; `crossfold repair " + path().string() +
                  " NEW` recovers what is intact",
              [&] { Open(); });
  const RepairReport report = RepairStore(path(), path("saved"));
  EXPECT_GT(report.saved, 700);
  const auto store = CellStore::Open(path("saved"));
  EXPECT_EQ(RunInStore(*store, blocks), RunPlain(blocks));
  EXPECT_EQ(store->counts().found, static_cast<std::uint64_t>(report.saved));
}

TEST_F(StoreDamageTest, RepairNeverWritesOverAFile) {
  Open();
  ExpectError(ErrorKind::kIo,
              "cannot repair store '" + path().string() + "' into '" + path().string() +
                  "': the file exists already; use another path",
              [&] { RepairStore(path(), path()); });
}

TEST_F(StoreDamageTest, RepairLeavesNothingWhereItCannotWriteToTheEnd) {
  Open();
  ExpectError(ErrorKind::kIo,
              "cannot repair store '" + path().string() +
                  "' into '/proc/saved': it cannot be written (No such file or directory); choose "
                  "another place",
              [&] { RepairStore(path(), "/proc/saved"); });
  RunInStore(*Open(), WriterBlocks());
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{100'000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(RepairStore(path(), path("saved")), Error);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}),
            std::ranges::count_if(std::filesystem::directory_iterator(folder_.path()),
                                  [](const auto& entry) {
                                    return entry.path().filename().string().starts_with("store.");
                                  }))
      << "only the store and its companions";
}

TEST_F(StoreDamageTest, WhatIsNoStoreCannotBeRepaired) {
  folder_.Write("store.cfdb", std::string(10000, 'x'));
  ExpectError(ErrorKind::kBadData,
              "cannot repair store '" + path().string() +
                  "': it is not a Crossfold store, or its first page is damaged; restore the file "
                  "from a copy",
              [&] { RepairStore(path(), path("saved")); });
  EXPECT_FALSE(std::filesystem::exists(path("saved")));
}

TEST_F(StoreDamageTest, RepairTakesWhatAKilledProcessLeftInItsLog) {
  const std::vector<CellBlock> blocks = {WriterBlocks().front()};
  const auto store = Open();
  RunInStore(*store, blocks);
  // As after a kill: the files of a store that is open, without their locks.
  std::filesystem::create_directory(path("copy"));
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    if (entry.is_regular_file()) std::filesystem::copy(entry.path(), path("copy"));
  }
  EXPECT_EQ(RepairStore(path("copy") / "store.cfdb", path("saved")).saved, 40);
  EXPECT_EQ(RunInStore(*CellStore::Open(path("saved")), blocks), RunPlain(blocks));
}

// A table that refuses rows stands for a disk that is full.
constexpr const char* kFill =
    "CREATE TRIGGER full BEFORE INSERT ON cells BEGIN SELECT RAISE(ABORT, 'no room'); END";

TEST_F(StoreDamageTest, AFailureToWriteIsToldAtOnceAndEveryOutcomeIsDelivered) {
  const std::vector<CellBlock> blocks = WriterBlocks();
  std::mutex mutex;
  std::vector<std::string> log;
  StoreOptions options;
  options.log = [&](std::int32_t, const std::string& message) {
    const std::lock_guard lock(mutex);
    log.push_back(message);
  };
  const auto store = Open(options);
  RunInStore(*store, std::vector<CellBlock>{blocks[0]});
  store->Flush();
  EXPECT_EQ(store->problem(), "");
  Execute(kFill);
  const std::vector<CellBlock> more(blocks.begin() + 1, blocks.end());
  EXPECT_EQ(RunInStore(*store, more), RunPlain(more));
  const std::string reason =
      "cannot write to store '" + path().string() +
      "': no room; check the disk and run it again: stored results are reused";
  const std::string lack = "store '" + path().string() +
                           "' lacks 760 computed cells (the log next to it has 760 for the next "
                           "run): " +
                           reason;
  ExpectError(ErrorKind::kIo, lack, [&] { store->Flush(); });
  EXPECT_EQ(store->problem(), lack);
  ASSERT_EQ(log.size(), 1u);
  EXPECT_EQ(log[0], reason + " (cells still run and are delivered)");
  ExpectError(ErrorKind::kIo, lack, [&] { store->FinishRun(); });
  EXPECT_EQ(Number("SELECT sum(finished) FROM runs"), 0);
  Execute("DROP TRIGGER full");
  store->Flush();
  EXPECT_EQ(store->problem(), "");
  EXPECT_EQ(log.back(), "store '" + path().string() + "' accepts cells again");
  EXPECT_EQ(Number("SELECT count(*) FROM cells"), 800) << "what waited is written later";
}

TEST_F(StoreDamageTest, AFailureToWriteStopsARunThatAsksForThat) {
  const std::vector<CellBlock> blocks = WriterBlocks();
  StoreOptions options;
  options.on_error = OnStoreError::kStop;
  const auto store = Open(options);
  RunInStore(*store, std::vector<CellBlock>{blocks[0]});
  store->Flush();
  Execute(kFill);
  std::size_t delivered = 0;
  const std::vector<CellBlock> more(blocks.begin() + 1, blocks.end());
  try {
    RunStored(*store, more, fixture::Workers(1), fixture::PlainEngine(),
              [&](std::size_t, Outcome&& outcome) {
                delivered += outcome.status == OutcomeStatus::kOk ? 1 : 0;
                if (delivered == 10) store->impl().TryFlush();
              });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kIo);
    EXPECT_THAT(e.what(),
                HasSubstr("stopped, because the store accepts no cells: cannot write to store"));
  }
  EXPECT_GE(delivered, 10u);
  EXPECT_LT(delivered, 700u);
}

TEST_F(StoreDamageTest, ABatchThatCannotEvenBeNotedIsDelivered) {
  const std::vector<CellBlock> blocks = WriterBlocks();
  const auto store = Open();
  RunInStore(*store, std::vector<CellBlock>{blocks[0]});
  Execute("CREATE TRIGGER full BEFORE INSERT ON wanted BEGIN SELECT RAISE(ABORT, 'no room'); END");
  const std::vector<CellBlock> more = {blocks[1]};
  EXPECT_EQ(RunInStore(*store, more), RunPlain(more));
  EXPECT_THAT(store->problem(), HasSubstr("' lacks 40 computed cells: cannot write to store '"));
  EXPECT_EQ(store->counts().computed, 80u) << "the 40 are computed, too";
  const auto fresh = Open();
  EXPECT_THROW(RunInStore(*fresh, more), Error) << "nothing was kept yet that could be lost";
}

}  // namespace
}  // namespace crossfold
