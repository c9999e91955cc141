#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>

#include "crossfold/store_status.h"
#include "unit/store/writer_blocks.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::BlockOf;
using fixture::Classes;
using fixture::FoundComputed;
using fixture::ModuloSplits;
using fixture::RunInStore;
using fixture::RunPlain;
using fixture::WriterBlocks;

class StoreSharingTest : public fixture::StoreTest {};

// Half of the cells are there already, so that the others are asked for in other groups.
TEST_F(StoreSharingTest, WhatIsMissingIsComputedWithTheSameBits) {
  const auto splits = ModuloSplits(All(Classes(30, 3)), 5, 2);
  std::vector<CellBlock> blocks, half;
  for (const std::string& name : fixture::SharingLearners()) {
    for (const std::int64_t k : {1, 3}) {
      blocks.push_back(BlockOf(fixture::Sharing(name, fixture::K(k)), splits));
    }
    for (const std::int64_t split : {1, 2, 6, 9}) {
      half.push_back(blocks.back());
      half.back().first = split;
      half.back().count = 1;
    }
  }
  RunInStore(*Open(), half);
  EXPECT_EQ(FoundAndComputed(blocks), FoundComputed(half.size(), 160 - half.size()));
  EXPECT_EQ(last_, RunPlain(blocks));
}

TEST_F(StoreSharingTest, SixtyFourReadersAndFourWritersLoseNothing) {
  const std::vector<CellBlock> blocks = WriterBlocks();
  const std::vector<std::string> plain = RunPlain(blocks);
  Open();
  std::atomic<int> wrong{0}, reads{0};
  {
    std::vector<std::jthread> threads;
    for (std::size_t w = 0; w < 4; ++w) {
      threads.emplace_back([&, w] {
        // Each writes five of the twenty blocks, and then finds or makes all others.
        const auto store = Open();
        const std::span<const CellBlock> mine(&blocks[5 * w], 5);
        const auto first = static_cast<std::ptrdiff_t>(200 * w);
        const std::vector<std::string> expected(plain.begin() + first, plain.begin() + first + 200);
        if (RunInStore(*store, mine, fixture::Workers(1)) != expected) ++wrong;
      });
    }
    for (int r = 0; r < 64; ++r) {
      threads.emplace_back([&] {
        std::int64_t before = 0;
        for (int i = 0; i < 5; ++i) {
          Database db(path(), Database::Access::kRead);
          const std::int64_t cells = db.Number("SELECT count(*) FROM cells");
          if (cells < before || cells > 800) ++wrong;
          before = cells;
          ++reads;
        }
      });
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(reads, 320);
  EXPECT_EQ(FoundAndComputed(blocks), FoundComputed(800, 0));
  EXPECT_EQ(last_, plain);
}

// Calls `after` with every outcome.
RunEngine EngineWith(std::function<void()> after) {
  return [after = std::move(after)](std::span<const CellBlock> todo, const RunOptions& options,
                                    const TakeOutcome& take) {
    RunAndScore(todo, options, [&](std::size_t i, Outcome&& outcome) {
      take(i, std::move(outcome));
      after();
    });
  };
}

// Each cell takes a while, so that all four runs are at work.
RunEngine SlowEngine() {
  return EngineWith([] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
}

// Claims exclude objects of one process as they exclude processes.
TEST_F(StoreSharingTest, FourRunsAtTheSameTimeComputeEachCellOnce) {
  const std::vector<CellBlock> blocks = WriterBlocks();
  const std::vector<std::string> plain = RunPlain(blocks);
  std::atomic<std::uint64_t> computed{0};
  std::atomic<int> wrong{0}, idle{0};
  {
    std::vector<std::jthread> threads;
    for (int r = 0; r < 4; ++r) {
      threads.emplace_back([&] {
        const auto store = Open();
        std::vector<std::string> got(plain.size());
        RunStored(*store, blocks, fixture::Workers(1), SlowEngine(),
                  [&](std::size_t i, Outcome&& outcome) { got[i] = fixture::BytesOf(outcome); });
        if (got != plain) ++wrong;
        if (store->counts().computed == 0) ++idle;
        computed += store->counts().computed;
      });
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(idle, 0);
  EXPECT_EQ(computed, plain.size());
  EXPECT_EQ(NumFiles(), 1u);
}

// Leave-one-out has more folds than one item.
TEST_F(StoreSharingTest, TheFoldsOfOneSplitAreSharedToo) {
  const std::vector<CellBlock> blocks = {
      BlockOf(fixture::Learner("coin"), ModuloSplits(All(Classes(300, 3)), 300))};
  std::atomic<std::uint64_t> computed{0};
  {
    std::vector<std::jthread> threads;
    for (int r = 0; r < 2; ++r) {
      threads.emplace_back([&] {
        const auto store = Open();
        RunStored(*store, blocks, fixture::Workers(1), SlowEngine(), [](std::size_t, Outcome&&) {});
        EXPECT_GT(store->counts().computed, 0u);
        computed += store->counts().computed;
      });
    }
  }
  EXPECT_EQ(computed, 300u);
}

TEST_F(StoreSharingTest, ACancelledRunGivesItsCellsUp) {
  const std::vector<CellBlock> blocks = WriterBlocks();
  CancelToken cancel;
  RunOptions options = fixture::Workers(1);
  options.cancel = &cancel;
  const auto first = Open(), second = Open();
  RunStored(*first, blocks, options, EngineWith([&] { cancel.Cancel(); }),
            [](std::size_t, Outcome&&) {});
  EXPECT_LT(first->counts().computed, 800u);
  EXPECT_EQ(RunInStore(*second, blocks), RunPlain(blocks));
}

}  // namespace
}  // namespace crossfold
