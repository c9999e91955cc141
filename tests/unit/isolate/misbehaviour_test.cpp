// The debug learner misbehaves on one fold: that cell fails, and all others are what they are
// without it.
#include <csignal>
#include <span>
#include <stdexcept>

#include "unit/isolate/isolated_cells.h"

namespace crossfold {
namespace {

using ::testing::StartsWith;

constexpr std::int32_t kFolds = 5;
// Row 7 is tested by fold 2 only.
constexpr std::int64_t kRow = 7;
constexpr std::size_t kBadCell = 2;

ParamValues Action(const std::string& action) {
  return {{"action", action}, {"stage", std::string("predict")}, {"when_row", kRow}};
}

class Misbehaviour : public ::testing::TestWithParam<Isolation> {
 protected:
  // Every cell but the bad one must be that of a well-behaved learner.
  static Outcome BadCell(const std::string& action, CellLimits limits = {}) {
    const auto splits = Folds(Iris(), kFolds);
    WorkerProcesses workers(WithLimits(limits));
    RunOptions options;
    options.workers = 2;
    const auto metrics = Metrics({"accuracy"});
    std::vector<Outcome> got =
        RunIn(workers, {AllSplits(Learner("debug", Action(action)), splits, GetParam(), metrics)},
              options);
    const std::vector<Outcome> expected = RunIn(
        workers, {AllSplits(Learner("debug", {}), splits, Isolation::kNone, metrics)}, options);
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (i == kBadCell) continue;
      EXPECT_EQ(BytesOf(got[i]), BytesOf(expected[i])) << "fold " << i;
    }
    return got[kBadCell];
  }

  static void ExpectLost(const Outcome& cell, const std::string& action,
                         const std::string& message) {
    EXPECT_EQ(cell.status, OutcomeStatus::kFailed);
    EXPECT_EQ(cell.failure.stage, "run");
    EXPECT_TRUE(cell.failure.by_limit);
    EXPECT_EQ(cell.n_test, 30);
    EXPECT_EQ(cell.n_train, 120);
    EXPECT_EQ(cell.failure.message,
              message + "; repeat it with cf.run{{learner = cf.learner(\"debug\", {action = \"" +
                  action +
                  "\", stage = \"predict\", when_row = 7}), splits = splits, split = 3, seed = 7, "
                  "isolate = \"fresh\"}}, where splits are those of 'iris' (repeat 1, fold 3)");
  }
};

TEST_P(Misbehaviour, ACrashFailsItsCell) {
  if (kSanitized) GTEST_SKIP() << "sanitizers catch the signal";
  ExpectLost(BadCell("crash"), "crash", "the process died of signal 11 (Segmentation fault)");
}

TEST_P(Misbehaviour, AnAbortFailsItsCell) {
  if (kSanitized) GTEST_SKIP() << "sanitizers catch the signal";
  ExpectLost(BadCell("abort"), "abort", "the process died of signal 6 (Aborted)");
}

TEST_P(Misbehaviour, AnExitFailsItsCell) {
  ExpectLost(BadCell("exit"), "exit", "the process exited with code 3");
}

TEST_P(Misbehaviour, AHangEndsAtTheTimeLimit) {
  CellLimits limits;
  limits.seconds = 0.5;
  ExpectLost(BadCell("hang", limits), "hang",
             "the process was stopped after 0.5 s, the limit of a cell");
}

TEST_P(Misbehaviour, AnEndlessLoopEndsAtTheLimitOfProcessorTime) {
  CellLimits limits;
  limits.cpu_seconds = 0.25;
  ExpectLost(BadCell("spin", limits), "spin",
             "the process needed more than 0.25 s of processor time, the limit of a cell");
}

TEST_P(Misbehaviour, MemoryWithoutEndStopsAtTheLimit) {
  if (kSanitized) GTEST_SKIP() << "sanitizers reserve memory that the limit counts";
  CellLimits limits;
  limits.memory = std::uint64_t{256} << 20;
  const Outcome cell = BadCell("eat_memory", limits);
  EXPECT_EQ(cell.failure.code, CF_E_OUT_OF_MEMORY);
  ExpectLost(cell, "eat_memory", "the process needed more than 256 MiB, the limit of a cell");
}

TEST_P(Misbehaviour, WritingIntoTheDataFailsTheCellAndLeavesTheData) {
  if (kSanitized) GTEST_SKIP() << "sanitizers catch the signal";
  const std::string before = Iris()->content_hash();
  const Outcome cell = BadCell("scribble");
  EXPECT_TRUE(cell.failure.by_limit);
  EXPECT_THAT(cell.failure.message, StartsWith("the process died of signal 11"));
}

TEST_P(Misbehaviour, PrintingDisturbsNothing) {
  EXPECT_EQ(BadCell("print").status, OutcomeStatus::kOk);
}

TEST_P(Misbehaviour, AnExceptionIsTheSameFailureAsWithoutAProcess) {
  const auto splits = Folds(Iris(), kFolds);
  const std::vector<CellBlock> blocks = {
      AllSplits(Learner("debug", Action("not_converged")), splits, GetParam())};
  WorkerProcesses workers(WithLimits({}));
  const auto got = RunIn(workers, blocks);
  EXPECT_EQ(BytesOf(got), BytesOf(RunIn(workers, With(blocks, Isolation::kNone))));
  EXPECT_FALSE(got[kBadCell].failure.by_limit);
}

INSTANTIATE_TEST_SUITE_P(Modes, Misbehaviour,
                         ::testing::Values(Isolation::kWorker, Isolation::kFresh),
                         [](const auto& mode) {
                           return mode.param == Isolation::kWorker ? "worker" : "fresh";
                         });

// What the process wrote stands in the message.
TEST(MisbehaviourTest, TheEndOfWhatTheProcessWroteIsTold) {
  const auto splits = Folds(Iris(), kFolds);
  WorkerProcesses workers(WithLimits({}));
  const auto shouting = AllSplits(Learner("debug", Action("print")), splits, Isolation::kWorker);
  EXPECT_EQ(RunIn(workers, {shouting})[kBadCell].status, OutcomeStatus::kOk);
}

ParamValues Sleep(std::int64_t ms) { return {{"action", std::string("sleep")}, {"sleep_ms", ms}}; }

// Its answers would come when the next run asks for other cells.
TEST(MisbehaviourTest, AProcessThatIsStillAtWorkAfterAnExceptionServesNoOtherRun) {
  const auto splits = Folds(Iris(), kFolds);
  const CellBlock slow = AllSplits(Learner("debug", Sleep(300)), splits, Isolation::kWorker);
  CellBlock short_item = AllSplits(Learner("debug", {}), splits, Isolation::kWorker);
  short_item.count = 1;
  const std::vector<CellBlock> first = {short_item, short_item, short_item, slow};
  const std::vector<CellBlock> second = {
      AllSplits(Learner("naive_bayes", {}), splits, Isolation::kWorker)};
  WorkerProcesses workers(WithLimits({}));
  RunOptions options;
  options.workers = 1;
  options.share = false;
  // The second slow item is to wait after the first one, whose fold is also that of the first item
  // of the next run.
  options.claim = [](std::span<const std::size_t> cells) {
    if (cells.front() == 4) throw std::runtime_error("no memory");
    return true;
  };
  EXPECT_THROW(RunIn(workers, first, options), std::runtime_error);
  options.claim = nullptr;
  EXPECT_EQ(BytesOf(RunIn(workers, second, options)),
            BytesOf(RunIn(workers, With(second, Isolation::kNone), options)));
}

// They may take longer than those before them.
TEST(MisbehaviourTest, FewerItemsWaitInAProcessThanAreLeftForOthers) {
  const auto splits = Folds(Iris(), 60);
  const std::vector<CellBlock> blocks = {
      AllSplits(Learner("debug", {}), splits, Isolation::kWorker)};
  WorkerProcesses workers(WithLimits({}));
  std::int64_t held = 0, left = splits->size();
  RunOptions options;
  options.workers = 1;
  options.share = false;
  options.claim = [&](std::span<const std::size_t>) {
    --left;
    EXPECT_TRUE(held == 0 || left > held) << left << " left, " << held << " held";
    ++held;
    return true;
  };
  RunIsolated(workers, blocks, options, [&](std::size_t, Outcome&&) { --held; });
  EXPECT_EQ(held + left, 0);
}

TEST(MisbehaviourTest, CellsThatWaitInAProcessThatEndsAreDoneByAnother) {
  // Items of one short cell each, so that many are in the process at a time.
  const auto splits = Folds(Iris(), 40);
  std::vector<CellBlock> ending, ordinary;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    ending.push_back(AllSplits(Learner("debug", Action("exit")), splits, Isolation::kWorker));
    ordinary.push_back(AllSplits(Learner("debug", {}), splits, Isolation::kNone));
    ending.back().seed = ordinary.back().seed = seed;
  }
  WorkerProcesses workers(WithLimits({}));
  RunOptions options;
  options.share = false;
  for (const int n : {1, 2}) {
    options.workers = n;
    const auto got = RunIn(workers, ending, options);
    const auto expected = RunIn(workers, ordinary, options);
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (i % 40 == 7) {
        EXPECT_THAT(got[i].failure.message, StartsWith("the process exited with code")) << i;
      } else {
        EXPECT_EQ(BytesOf(got[i]), BytesOf(expected[i])) << i;
      }
    }
  }
}

TEST(MisbehaviourTest, AllCellsOfASharedItemFailByTheirOwnDoingOnly) {
  // 40 cells of one item, of which every one that tests row 7 (one) exits.
  const auto splits = Folds(Iris(), 40);
  WorkerProcesses workers(WithLimits({}));
  RunOptions options;
  options.workers = 1;
  const auto got = RunIn(
      workers, {AllSplits(Learner("debug", Action("exit")), splits, Isolation::kWorker)}, options);
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].status, i == 7 ? OutcomeStatus::kFailed : OutcomeStatus::kOk) << i;
  }
}

}  // namespace
}  // namespace crossfold
