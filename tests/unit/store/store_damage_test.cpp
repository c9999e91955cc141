#include <fstream>
#include <random>

#include "crossfold/store_repair.h"
#include "unit/store/writer_blocks.h"

namespace crossfold {
namespace {

using fixture::ExpectError;
using fixture::FoundComputed;
using fixture::RunInStore;
using fixture::RunPlain;
using fixture::WriterBlocks;
using ::testing::HasSubstr;

class StoreDamageTest : public fixture::StoreTest {
 protected:
  // Overwrites pages, but neither the first nor those of the definitions' root, with noise.
  void Damage(int n_pages, std::uint32_t seed) {
    const auto n = static_cast<std::int64_t>(std::filesystem::file_size(path()) / 4096);
    std::mt19937 random(seed);
    std::fstream file(path(), std::ios::binary | std::ios::in | std::ios::out);
    for (int i = 0; i < n_pages; ++i) {
      std::string noise(4096, '\0');
      for (char& byte : noise) byte = static_cast<char>(random());
      const auto page = 60 + static_cast<std::int64_t>(random()) % (n - 60);
      file.seekp(page * 4096);
      file.write(noise.data(), static_cast<std::streamsize>(noise.size()));
    }
  }
};

TEST_F(StoreDamageTest, UndamagedCellsAreSavedAndOnlyTheOthersAreComputed) {
  const std::vector<CellBlock> blocks = WriterBlocks();
  const std::vector<std::string> plain = RunPlain(blocks);
  RunInStore(*Open(), blocks);
  const std::string whole = test::ReadBytes(path());
  std::int64_t lost = 0;
  for (const std::uint32_t seed : {1u, 2u, 3u, 4u}) {
    folder_.Write("store.cfdb", whole);
    Damage(3, seed);
    const auto saved = path("saved" + std::to_string(seed));
    const RepairReport report = RepairStore(path(), saved);
    EXPECT_GT(report.saved, 400) << seed;
    EXPECT_EQ(report.saved + report.lost, 800) << seed;
    lost += report.lost;
    const auto store = CellStore::Open(saved);
    EXPECT_EQ(RunInStore(*store, blocks), plain) << seed;
    EXPECT_EQ(store->counts().computed, static_cast<std::uint64_t>(report.lost)) << seed;
  }
  EXPECT_GT(lost, 0) << "no page of cells was met";
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
                  " NEW` saves what is whole",
              [&] { Open(); });
}

TEST_F(StoreDamageTest, RepairNeverWritesOverAFile) {
  Open();
  ExpectError(ErrorKind::kIo,
              "cannot repair store '" + path().string() + "' into '" + path().string() +
                  "': there is such a file; use another path",
              [&] { RepairStore(path(), path()); });
}

// A table that refuses rows stands for a disk that is full.
TEST_F(StoreDamageTest, AFailureToWriteIsToldAtTheEndAndEveryOutcomeIsDelivered) {
  const std::vector<CellBlock> blocks = WriterBlocks();
  const auto store = Open();
  RunInStore(*store, std::vector<CellBlock>{blocks[0]});
  store->Flush();
  Execute("CREATE TRIGGER full BEFORE INSERT ON cells BEGIN SELECT RAISE(ABORT, 'no room'); END");
  const std::vector<CellBlock> more = {blocks[1]};
  EXPECT_EQ(RunInStore(*store, more), RunPlain(more));
  try {
    store->Flush();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kIo);
    EXPECT_THAT(e.what(), HasSubstr("cannot write to store '" + path().string() + "': no room; "));
  }
  std::vector<std::string> outcomes(40);
  const std::vector<CellBlock> last = {blocks[2]};
  EXPECT_THROW(
      RunStored(*store, last, fixture::Workers(2), fixture::PlainEngine(),
                [&](std::size_t i, Outcome&& outcome) { outcomes[i] = fixture::BytesOf(outcome); }),
      Error);
  EXPECT_EQ(outcomes, RunPlain(last));
  Execute("DROP TRIGGER full");
  store->Flush();
  EXPECT_EQ(Number("SELECT count(*) FROM cells"), 120) << "what waited is written later";
}

}  // namespace
}  // namespace crossfold
