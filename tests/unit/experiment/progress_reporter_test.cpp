#include "experiment/progress_reporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "crossfold/score.h"
#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Classes;
using fixture::Learner;
using fixture::ModuloSplits;

CellBlock CoinBlock(bool inner) {
  const auto purpose = std::make_shared<const CellPurpose>(CellPurpose{"coin", "data", inner});
  return {Learner("coin"),
          ModuloSplits(All(Classes(12, 2)), 3),
          0,
          3,
          1,
          nullptr,
          Keep::kNothing,
          Isolation::kNone,
          purpose};
}

// As a store does: the first cell is there, the others are computed.
RunEngine FindFirst(RunEngine engine) {
  return [engine = std::move(engine)](std::span<const CellBlock> blocks, const RunOptions& options,
                                      const TakeOutcome& take) {
    Outcome found;
    found.status = OutcomeStatus::kOk;
    take(0, std::move(found));
    CellBlock rest = blocks[0];
    rest.first = 1;
    rest.count -= 1;
    engine({&rest, 1}, options,
           [&](std::size_t i, Outcome&& outcome) { take(i + 1, std::move(outcome)); });
  };
}

// What a host hears of a run of these blocks by the engine that `wrap` makes of the reporter's.
std::vector<Progress> Heard(const std::vector<CellBlock>& blocks, const Progress& before,
                            RunEngine (*wrap)(RunEngine)) {
  std::vector<Progress> heard;
  CancelToken stop;
  const ProgressSink sink = [&](const Progress& progress) { heard.push_back(progress); };
  ProgressReporter reporter(sink, blocks, stop, before);
  const RunEngine plain = [](std::span<const CellBlock> cells, const RunOptions& options,
                             const TakeOutcome& take) { RunAndScore(cells, options, take); };
  wrap(reporter.Watch(plain))(blocks, RunOptions(), [&](std::size_t i, Outcome&& outcome) {
    reporter.CellFinished(blocks[i / 3], outcome.status);
  });
  reporter.Rethrow();
  return heard;
}

RunEngine AsItIs(RunEngine engine) { return engine; }

TEST(ProgressReporterTest, CellsThatAStoreHadAreToldApart) {
  const auto heard = Heard({CoinBlock(false)}, {}, &FindFirst);
  ASSERT_EQ(heard.size(), 3u);
  EXPECT_EQ(heard[0].found, 1u);
  EXPECT_FALSE(heard[0].seconds_left);
  EXPECT_EQ(heard[2].finished, 3u);
  EXPECT_EQ(heard[2].found, 1u);
  EXPECT_EQ(heard[2].seconds_left, 0);
}

TEST(ProgressReporterTest, InnerCellsAreNoFolds) {
  Progress before;
  before.folds_finished = 4;
  before.folds_total = 7;
  const auto heard = Heard({CoinBlock(true), CoinBlock(false)}, before, &AsItIs);
  ASSERT_EQ(heard.size(), 6u);
  EXPECT_EQ(heard[0].inner_total, 3u);
  EXPECT_EQ(heard[5].inner_finished, 3u);
  EXPECT_EQ(heard[5].folds_finished, 7u);
  EXPECT_EQ(heard[5].folds_total, 7u);
  EXPECT_EQ(heard[5].found, 0u);
}

TEST(ProgressReporterTest, WithoutASinkTheEngineIsLeftAsItIs) {
  CancelToken stop;
  const ProgressSink none;
  ProgressReporter reporter(none, {}, stop);
  EXPECT_FALSE(reporter.Watch(nullptr));
}

}  // namespace
}  // namespace crossfold
