// Stores whose file is removed, moved, replaced or cut off while a run uses them.
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "crossfold/store_status.h"
#include "unit/store/writer_blocks.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
using fixture::RunInStore;
using fixture::RunPlain;
using fixture::WriterBlocks;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class StoreRescueTest : public fixture::StoreTest {
 protected:
  StoreRescueTest() { fs::create_directory(path("in")); }
  fs::path file() const { return path("in") / "store.cfdb"; }

  // Runs the first block, calls `harm`, and runs the rest in the same store.
  template <class Harm>
  void RunWhile(const Harm& harm) {
    StoreOptions options;
    options.log = [this](std::int32_t, const std::string& message) {
      const std::lock_guard lock(mutex_);
      log_.push_back(message);
    };
    const std::vector<CellBlock> rest(blocks_.begin() + 1, blocks_.end());
    {
      const auto store = CellStore::Open(file(), options);
      RunInStore(*store, std::vector<CellBlock>{blocks_[0]});
      store->Flush();
      EXPECT_EQ(store->problem(), "");
      harm();
      EXPECT_EQ(RunInStore(*store, rest), RunPlain(rest));
      EXPECT_THROW(store->Flush(), Error);
      problem_ = store->problem();
    }
    EXPECT_EQ(log_.size(), 1u) << "reported once, at once";
  }
  // The one file that the log names; closed.
  fs::path Rescued() const {
    const std::size_t first = problem_.find("cells are in '") + 14;
    return problem_.substr(first, problem_.find("'; move") - first);
  }
  void ExpectAllIn(const fs::path& store) const {
    const auto opened = CellStore::Open(store);
    EXPECT_EQ(RunInStore(*opened, blocks_), RunPlain(blocks_));
    EXPECT_EQ(opened->counts().found, 800u);
  }

  const std::vector<CellBlock> blocks_ = WriterBlocks();
  std::mutex mutex_;
  std::vector<std::string> log_;
  std::string problem_;
};

TEST_F(StoreRescueTest, AStoreThatIsRemovedGoesOnInANewFile) {
  RunWhile([&] { fs::remove(file()); });
  EXPECT_THAT(problem_, MatchesRegex("store '.*in/store.cfdb' was removed or moved while it was "
                                     "used; its content and all later cells are in "
                                     "'.*in/store.cfdb-rescued-[0-9]+'; move that file to where it "
                                     "belongs"));
  EXPECT_EQ(std::distance(fs::directory_iterator(path("in")), {}), 1) << "only the new file";
  fs::rename(Rescued(), file());
  ExpectAllIn(file());
}

TEST_F(StoreRescueTest, AStoreThatIsMovedIsLeftAsItWas) {
  RunWhile([&] { fs::rename(file(), path("moved")); });
  ExpectAllIn(Rescued());
  EXPECT_EQ(RunInStore(*CellStore::Open(path("moved")), {}), std::vector<std::string>());
}

TEST_F(StoreRescueTest, AStoreWhoseFolderIsRemovedGoesOnInATemporaryFolder) {
  RunWhile([&] { fs::remove_all(path("in")); });
  EXPECT_FALSE(fs::exists(path("in")));
  const fs::path rescued = Rescued();
  EXPECT_THAT(rescued.string(), HasSubstr("/crossfold-rescued-"));
  ExpectAllIn(rescued);
  fs::remove_all(rescued.parent_path());
}

TEST_F(StoreRescueTest, AStoreThatCannotBeCopiedLacksTheCellsThatWereComputed) {
  const auto store = CellStore::Open(file());
  RunInStore(*store, std::vector<CellBlock>{blocks_[0]});
  store->Flush();
  fs::remove_all(path("in"));
  const char* temporary = std::getenv("TMPDIR");
  const std::string before = temporary == nullptr ? "" : temporary;
  ::setenv("TMPDIR", "/proc", 1);
  for (std::size_t i = 1; i < 3; ++i) {
    const std::vector<CellBlock> block = {blocks_[i]};
    EXPECT_EQ(RunInStore(*store, block), RunPlain(block));
  }
  before.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before.c_str(), 1);
  EXPECT_EQ(store->counts().computed, 120u);
  EXPECT_THAT(store->problem(), HasSubstr("' lacks 120 computed cells: store '"));
  EXPECT_THAT(store->problem(), HasSubstr("and its content cannot be copied; run the script again"));
}

TEST_F(StoreRescueTest, AnotherStoreOfItsNameIsNotTouched) {
  RunInStore(*CellStore::Open(path("other")), std::vector<CellBlock>{blocks_[3]});
  const std::string other = test::ReadBytes(path("other"));
  RunWhile([&] { fs::rename(path("other"), file()); });
  EXPECT_THAT(problem_, HasSubstr("was replaced by another file while it was used"));
  EXPECT_EQ(test::ReadBytes(file()), other);
  EXPECT_FALSE(fs::exists(file().string() + "-wal"));
  Database db(file(), Database::Access::kRead);
  EXPECT_EQ(db.Text("PRAGMA integrity_check"), "ok");
  EXPECT_EQ(db.Number("SELECT count(*) FROM cells"), 40);
  ExpectAllIn(Rescued());
}

TEST_F(StoreRescueTest, AStoreThatIsCutOffIsTold) {
  RunInStore(*CellStore::Open(file()), std::vector<CellBlock>{blocks_[3]});
  RunWhile([&] { fs::resize_file(file(), 8192); });
  EXPECT_THAT(problem_, HasSubstr("was cut off while it was used"));
}

// As what gc did while another process read the file.
TEST_F(StoreRescueTest, AStoreThatBecomesSmallerByItselfIsNotCutOff) {
  const auto store = CellStore::Open(file());
  RunInStore(*store, blocks_);
  store->Flush();
  Database other(file(), Database::Access::kWrite);
  other.Execute("PRAGMA wal_checkpoint(TRUNCATE)");
  RunInStore(*store, std::vector<CellBlock>{blocks_[0]});  // sees the size
  const auto before = fs::file_size(file());
  other.Execute("DELETE FROM cells WHERE series > 2");
  other.Execute("DELETE FROM scores WHERE series > 2");
  other.Execute("VACUUM");
  other.Execute("PRAGMA wal_checkpoint(TRUNCATE)");
  EXPECT_LT(fs::file_size(file()), before);
  EXPECT_EQ(RunInStore(*store, blocks_), RunPlain(blocks_));
  store->Flush();
  EXPECT_EQ(store->problem(), "");
}

// Who has lost the log that others write to would write into the file without them.
TEST_F(StoreRescueTest, AStoreThatIsCutOffKeepsTheLogThatOthersUse) {
  Database other(file(), Database::Access::kCreate);
  const auto inode = [this](const char* ending) {
    struct stat status {};
    return ::stat((file().string() + ending).c_str(), &status) == 0 ? status.st_ino : 0;
  };
  ino_t log = 0, memory = 0;
  RunWhile([&] {
    EXPECT_EQ(other.Number("SELECT count(fold) FROM cells"), 40);
    log = inode("-wal");
    memory = inode("-shm");
    fs::resize_file(file(), 8192);
  });
  ASSERT_NE(log, 0u);
  EXPECT_EQ(inode("-wal"), log);
  EXPECT_EQ(inode("-shm"), memory);
}

TEST_F(StoreRescueTest, AStoreThatIsRemovedAfterItsLastCellIsNotRescued) {
  StoreOptions options;
  options.may_be_removed = true;
  options.log = [this](std::int32_t, const std::string& message) { log_.push_back(message); };
  {
    const auto store = CellStore::Open(file(), options);
    RunInStore(*store, blocks_);
    fs::remove(file());
    store->FinishRun();
    EXPECT_EQ(store->problem(), "");
  }
  EXPECT_EQ(log_, std::vector{"store '" + file().string() + "' was removed after its last cell"});
  EXPECT_TRUE(fs::is_empty(path("in")));
}

TEST_F(StoreRescueTest, AStoreThatTheCommandNamedIsRescuedAfterItsLastCell) {
  {
    const auto store = CellStore::Open(file());
    RunInStore(*store, blocks_);
    fs::remove(file());
    EXPECT_THROW(store->FinishRun(), Error);
    problem_ = store->problem();
  }
  ExpectAllIn(Rescued());
}

TEST_F(StoreRescueTest, AStoreBehindALinkIsReadWholeWhileItIsWrittenTo) {
  fs::create_symlink(file(), path("link"));
  const auto store = CellStore::Open(path("link"));
  RunInStore(*store, blocks_);
  store->Flush();
  EXPECT_GT(fs::file_size(file().string() + "-wal"), 0u);
  EXPECT_FALSE(fs::exists(path("link-wal")));
  for (const fs::path& name : {file(), path("link")}) {
    EXPECT_EQ(ReadStoreStatus(name).cells, 800) << name;
  }
}

TEST_F(StoreRescueTest, AStoreIsOneUnderAllItsNames) {
  fs::create_symlink(file(), path("link"));
  const auto store = CellStore::Open(path("link"));
  RunInStore(*store, blocks_);
  EXPECT_EQ(NumFiles(), 2u) << "the logs lie beside the file";
  // As after a kill: the files of a store that is open, without their locks.
  fs::copy(path("in"), path("copy"));
  fs::create_symlink(path("copy") / "store.cfdb", path("other_link"));
  const auto resumed = CellStore::Open(path("other_link"));
  EXPECT_EQ(RunInStore(*resumed, blocks_), RunPlain(blocks_));
  EXPECT_EQ(resumed->counts().found, 800u);
}

}  // namespace
}  // namespace crossfold
