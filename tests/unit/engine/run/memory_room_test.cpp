// The memory of a run: data in a mapped file, and cells that need more than there is.
#include "engine/run/memory_room.h"

#include <sys/mman.h>

#include <sys/resource.h>

#include <fstream>

#include "crossfold/shared_work.h"
#include "sanitized.h"
#include "unit/engine/data/refusal.h"
#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Learner;

constexpr std::uint64_t kMebibyte = 1 << 20;

// Zeros in pages that are not there until they are read, as those of a mapped file.
std::shared_ptr<const void> MapZeros(std::size_t bytes) {
  void* pages = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return {pages, [bytes](const void* begin) { ::munmap(const_cast<void*>(begin), bytes); }};
}

// 20 columns of doubles, which share their entries, and a target of two classes, all "a".
std::shared_ptr<const Dataset> Mapped(std::int64_t n_rows) {
  const std::shared_ptr<const void> zeros = MapZeros(static_cast<std::size_t>(n_rows) * 8);
  std::vector<Column> columns;
  for (int c = 0; c < 21; ++c) {
    Column column;
    column.name = "x" + std::to_string(c);
    column.n_rows = n_rows;
    column.data = zeros.get();
    column.owner = zeros;
    if (c == 20) {
      column.name = "class";
      column.dtype = CF_CAT32;
      column.levels = {"a", "b"};
    }
    columns.push_back(std::move(column));
  }
  return Dataset::Create("big", std::move(columns), {.target = "class"});
}

// Tenths of the rows, in turn.
std::shared_ptr<const SplitPlan> Tenths(const std::shared_ptr<const Dataset>& data) {
  std::vector<std::int32_t> folds(static_cast<std::size_t>(data->num_rows()));
  for (std::size_t i = 0; i < folds.size(); ++i) folds[i] = static_cast<std::int32_t>(i % 10);
  return SplitPlan::FromPartitions(All(data), {{std::move(folds), 10}});
}

CellBlock BlockOfTenths(const std::string& learner, const std::shared_ptr<const Dataset>& data) {
  CellBlock block;
  block.learner = Learner(learner);
  block.splits = Tenths(data);
  block.count = 10;
  block.purpose = std::make_shared<const CellPurpose>(CellPurpose{learner, "big"});
  return block;
}

std::string RefusalIn(std::uint64_t run_memory, const CellBlock& block) {
  return test::MessageOf([&] { MemoryRoom(std::span(&block, 1), SharedWork(0, run_memory), 0); },
                         ErrorKind::kOutOfMemory);
}

TEST(MemoryRoomTest, ALearnerThatDoesNotSayWhatItNeedsCountsAsOneThatCopiesItsRows) {
  // 900,000 training rows of 20 columns of 8 bytes.
  EXPECT_EQ(RefusalIn(100 * kMebibyte, BlockOfTenths("coin", Mapped(1000000))),
            "cannot evaluate 'coin' on 'big': it needs about 144 MB to fit 900000 rows of 20 "
            "columns, and the memory of the run is 105 MB; raise it (--memory), use fewer rows, or "
            "a learner that reads its rows in place, such as naive_bayes, one_r or "
            "decision_tree{growth=sliq}");
}

TEST(MemoryRoomTest, WithEnoughMemoryItIsNotRefused) {
  EXPECT_EQ(RefusalIn(4096 * kMebibyte, BlockOfTenths("coin", Mapped(1000000))), "");
}

TEST(MemoryRoomTest, WithoutALimitOfTheRunNothingIsCompared) {
  EXPECT_EQ(RefusalIn(0, BlockOfTenths("coin", Mapped(1000000))), "");
}

TEST(MemoryRoomTest, SmallCellsAreNeverRefused) {
  EXPECT_EQ(RefusalIn(1, BlockOfTenths("coin", Mapped(1000))), "");
}

TEST(MemoryRoomTest, FewerCellsRunAtATimeWhenMemoryIsShort) {
  const CellBlock block = BlockOfTenths("coin", Mapped(1000000));
  const SharedWork none;
  EXPECT_EQ(MemoryRoom(std::span(&block, 1), none, 0).Bound(8), 8);
  const int most = MemoryRoom(std::span(&block, 1), SharedWork(0, 1024 * kMebibyte), 0).Bound(8);
  EXPECT_LT(most, 8);
  EXPECT_GT(most, 1);
}

// As long as it exists, this process may take only `room` bytes more.
class DataLimit {
 public:
  explicit DataLimit(std::uint64_t room) {
    ::getrlimit(RLIMIT_DATA, &before_);
    rlimit limit = before_;
    limit.rlim_cur = Taken() + room;
    ::setrlimit(RLIMIT_DATA, &limit);
  }
  ~DataLimit() { ::setrlimit(RLIMIT_DATA, &before_); }
  DataLimit(const DataLimit&) = delete;
  DataLimit& operator=(const DataLimit&) = delete;

 private:
  static std::uint64_t Taken() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
      std::uint64_t kilobytes = 0;
      if (word == "VmData:" && status >> kilobytes) return kilobytes * 1024;
    }
    return 0;
  }
  rlimit before_{};
};

// The features take 320 MB, and a tenth of that is what row ids and predictions need.
TEST(MemoryRoomTest, ARunOnMappedColumnsTakesNoCopyOfThem) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer takes memory of its own";
  const auto data = Mapped(2000000);
  const auto splits = Tenths(data);
  std::vector<Cell> cells;
  for (std::int64_t s = 0; s < 2; ++s)
    cells.push_back({Learner("coin"), splits, s, 1, nullptr, Keep::kNothing});
  RunOptions options;
  options.workers = 1;
  std::vector<Outcome> outcomes;
  {
    const DataLimit limit(96 * kMebibyte);
    outcomes = RunCells(cells, options);
  }
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.status, OutcomeStatus::kOk) << outcome.failure.message;
    EXPECT_EQ(outcome.n_test, 200000);
  }
}

// As above, 168 MB: the check of the rows and their hash are made in blocks.
TEST(MemoryRoomTest, ADatasetOfMappedColumnsIsMadeAndHashedWithoutACopy) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer takes memory of its own";
  const DataLimit limit(4 * kMebibyte);
  EXPECT_EQ(Mapped(1000000)->content_hash().size(), 64U);
}

}  // namespace
}  // namespace crossfold
