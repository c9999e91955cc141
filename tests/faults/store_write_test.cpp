// Disks that give out under a store: a VFS of SQLite whose n-th write, or every one from then on,
// fails, is torn or is not synced. Whatever fails: there is an Error(kIo) or none, outcomes are
// delivered all the same, the file stays sound, and what was acknowledged before is there
// afterwards.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "crossfold/cell_store.h"
#include "crossfold/error.h"
#include "crossfold/score.h"
#include "temporary_folder.h"
#include "unit/plugins/bundled_plugins.h"
#include "unit/sources/readings.h"

namespace crossfold {
namespace {

enum class Fault { kFullDisk, kTornWrite, kSync };

// Where writes and syncs of the VFS fail. SQLite's registry of VFS is one for the process.
struct FaultPlan {
  Fault fault = Fault::kFullDisk;
  std::int64_t good_calls = -1;  // before the first that fails; -1 = none fails
  bool has_failed = false;

  bool Fails(bool is_sync) {
    if (good_calls < 0 || is_sync != (fault == Fault::kSync)) return false;
    if (good_calls > 0) return --good_calls, false;
    return has_failed = true;
  }
};

// A file of the VFS below, after this head.
struct FaultyFile {
  sqlite3_file head;
  FaultPlan* plan;
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

FaultyFile& Of(sqlite3_file* file) { return *reinterpret_cast<FaultyFile*>(file); }
sqlite3_file* Real(sqlite3_file* file) { return Of(file).real(); }

int Write(sqlite3_file* file, const void* bytes, int n, sqlite3_int64 offset) {
  FaultyFile& faulty = Of(file);
  if (!faulty.plan->Fails(false)) return Real(file)->pMethods->xWrite(Real(file), bytes, n, offset);
  if (faulty.plan->fault == Fault::kFullDisk) return SQLITE_FULL;
  Real(file)->pMethods->xWrite(Real(file), bytes, n / 2, offset);
  return SQLITE_IOERR_WRITE;
}

int Sync(sqlite3_file* file, int flags) {
  if (Of(file).plan->Fails(true)) return SQLITE_IOERR_FSYNC;
  return Real(file)->pMethods->xSync(Real(file), flags);
}

const sqlite3_io_methods* Methods() {
  static const sqlite3_io_methods methods = [] {
    sqlite3_io_methods m{};
    m.iVersion = 2;
    m.xClose = [](sqlite3_file* f) { return Real(f)->pMethods->xClose(Real(f)); };
    m.xRead = [](sqlite3_file* f, void* to, int n, sqlite3_int64 at) {
      return Real(f)->pMethods->xRead(Real(f), to, n, at);
    };
    m.xWrite = &Write;
    m.xTruncate = [](sqlite3_file* f, sqlite3_int64 n) {
      return Real(f)->pMethods->xTruncate(Real(f), n);
    };
    m.xSync = &Sync;
    m.xFileSize = [](sqlite3_file* f, sqlite3_int64* n) {
      return Real(f)->pMethods->xFileSize(Real(f), n);
    };
    m.xLock = [](sqlite3_file* f, int l) { return Real(f)->pMethods->xLock(Real(f), l); };
    m.xUnlock = [](sqlite3_file* f, int l) { return Real(f)->pMethods->xUnlock(Real(f), l); };
    m.xCheckReservedLock = [](sqlite3_file* f, int* is) {
      return Real(f)->pMethods->xCheckReservedLock(Real(f), is);
    };
    m.xFileControl = [](sqlite3_file* f, int op, void* arg) {
      return Real(f)->pMethods->xFileControl(Real(f), op, arg);
    };
    m.xSectorSize = [](sqlite3_file* f) { return Real(f)->pMethods->xSectorSize(Real(f)); };
    m.xDeviceCharacteristics = [](sqlite3_file* f) {
      return Real(f)->pMethods->xDeviceCharacteristics(Real(f));
    };
    m.xShmMap = [](sqlite3_file* f, int page, int size, int extend, void volatile** at) {
      return Real(f)->pMethods->xShmMap(Real(f), page, size, extend, at);
    };
    m.xShmLock = [](sqlite3_file* f, int at, int n, int flags) {
      return Real(f)->pMethods->xShmLock(Real(f), at, n, flags);
    };
    m.xShmBarrier = [](sqlite3_file* f) { Real(f)->pMethods->xShmBarrier(Real(f)); };
    m.xShmUnmap = [](sqlite3_file* f, int remove) {
      return Real(f)->pMethods->xShmUnmap(Real(f), remove);
    };
    return m;
  }();
  return &methods;
}

// The default VFS while it lives.
class FaultyVfs {
 public:
  explicit FaultyVfs(FaultPlan& plan)
      : plan_(plan), real_(sqlite3_vfs_find(nullptr)), vfs_(*real_) {
    vfs_.zName = "faulty";
    vfs_.pAppData = this;
    vfs_.szOsFile = static_cast<int>(sizeof(FaultyFile)) + real_->szOsFile;
    vfs_.xOpen = &Open;
    sqlite3_vfs_register(&vfs_, 1);
  }
  ~FaultyVfs() {
    sqlite3_vfs_unregister(&vfs_);
    sqlite3_vfs_register(real_, 1);
  }
  FaultyVfs(const FaultyVfs&) = delete;
  FaultyVfs& operator=(const FaultyVfs&) = delete;

 private:
  static int Open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out) {
    auto& self = *static_cast<FaultyVfs*>(vfs->pAppData);
    FaultyFile& faulty = Of(file);
    faulty.plan = &self.plan_;
    faulty.head.pMethods = nullptr;
    const int code = self.real_->xOpen(self.real_, name, Real(file), flags, out);
    if (Real(file)->pMethods != nullptr) faulty.head.pMethods = Methods();
    return code;
  }

  FaultPlan& plan_;
  sqlite3_vfs* real_;
  sqlite3_vfs vfs_;
};

std::vector<CellBlock> Blocks(std::uint64_t seed) {
  static const auto data =
      sources::ParseCsv("x,c\n1,no\n2,yes\n3,no\n4,yes\n5,no\n6,yes\n7,no\n8,yes\n", "classes",
                        {.roles = {.target = "c"}, .threads = 1});
  const auto splits = MakeSplits(
      *BundledSpec(Kind::kSplitter, "kfold", {{"folds", std::int64_t{4}}}), {data, nullptr}, seed);
  const auto metrics =
      std::make_shared<const MetricList>(MetricList{BundledSpec(Kind::kMetric, "accuracy", {})});
  return {{.learner = Pipeline::Make({BundledSpec(Kind::kLearner, "decision_tree", {})}),
           .splits = splits,
           .first = 0,
           .count = splits->size(),
           .seed = seed,
           .metrics = metrics,
           .keep = Keep::kLabels}};
}

constexpr std::size_t kCells = 4;

// Counts the cells that are delivered as ok.
void RunBatch(CellStore& store, std::uint64_t seed, std::size_t& delivered) {
  const std::vector<CellBlock> blocks = Blocks(seed);
  RunOptions options;
  options.workers = 1;
  const RunEngine engine = [](std::span<const CellBlock> todo, const RunOptions& how,
                              const TakeOutcome& take) { RunAndScore(todo, how, take); };
  RunStored(store, blocks, options, engine, [&](std::size_t, Outcome&& outcome) {
    delivered += outcome.status == OutcomeStatus::kOk ? 1 : 0;
  });
}

std::size_t RunBatch(CellStore& store, std::uint64_t seed) {
  std::size_t delivered = 0;
  RunBatch(store, seed, delivered);
  return delivered;
}

// "ok" for a sound file.
std::string Integrity(const std::filesystem::path& path) {
  sqlite3* db = nullptr;
  std::string answer = "cannot be opened";
  if (sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK) {
    sqlite3_exec(
        db, "PRAGMA integrity_check",
        [](void* to, int, char** values, char**) {
          *static_cast<std::string*>(to) = values[0];
          return 0;
        },
        &answer, nullptr);
  }
  sqlite3_close(db);
  return answer;
}

struct BadRun {
  bool has_failed = false;  // the disk did give out
  std::size_t delivered = 0;
};

BadRun RunOnBadDisk(const std::filesystem::path& path, Fault fault, std::int64_t good_calls) {
  FaultPlan plan{fault, good_calls, false};
  const FaultyVfs vfs(plan);
  BadRun run;
  try {
    const auto store = CellStore::Open(path);
    RunBatch(*store, 2, run.delivered);
    EXPECT_EQ(run.delivered, kCells);
    store->Flush();
  } catch (const Error& error) {
    EXPECT_TRUE(plan.has_failed) << error.what();
    EXPECT_EQ(error.kind(), ErrorKind::kIo) << error.what();
  }
  run.has_failed = plan.has_failed;
  return run;
}

class StoreWriteTest : public ::testing::TestWithParam<Fault> {};

TEST_P(StoreWriteTest, ADiskThatGivesOutLosesNothingThatWasThere) {
  BadRun bad{.has_failed = true};
  std::int64_t good_calls = 0;
  for (; bad.has_failed && good_calls < 200; ++good_calls) {
    const test::TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "cells.cfdb";
    RunBatch(*CellStore::Open(path), 1);
    bad = RunOnBadDisk(path, GetParam(), good_calls);
    ASSERT_EQ(Integrity(path), "ok") << "after " << good_calls;
    const auto store = CellStore::Open(path);
    EXPECT_EQ(RunBatch(*store, 1), kCells);
    ASSERT_EQ(store->counts().found, kCells) << "after " << good_calls;
    EXPECT_EQ(RunBatch(*store, 2), kCells);
    // What was delivered in the bad run is in its log at least.
    EXPECT_EQ(store->counts().found, kCells + bad.delivered) << "after " << good_calls;
  }
  EXPECT_GT(good_calls, 2);
  EXPECT_FALSE(bad.has_failed);
}

std::string NameOf(const ::testing::TestParamInfo<Fault>& info) {
  return info.param == Fault::kFullDisk    ? "FullDisk"
         : info.param == Fault::kTornWrite ? "TornWrite"
                                           : "Sync";
}

INSTANTIATE_TEST_SUITE_P(Faults, StoreWriteTest,
                         ::testing::Values(Fault::kFullDisk, Fault::kTornWrite, Fault::kSync),
                         &NameOf);

}  // namespace
}  // namespace crossfold
