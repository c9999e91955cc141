#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <mutex>
#include <set>
#include <thread>

#include "crossfold/run.h"
#include "thread_limit.h"
#include "unit/engine/run/fixture.h"
#include "unit/engine/run/sharing_fixture.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using fixture::All;
using fixture::AppendBytes;
using fixture::Centred;
using fixture::Classes;
using fixture::Learner;
using fixture::Metric;
using fixture::ModuloSplits;

// Every bit of the result but the times.
std::string BytesOfAll(const std::vector<Outcome>& outcomes) {
  std::string bytes;
  for (const Outcome& outcome : outcomes) {
    bytes += std::to_string(static_cast<int>(outcome.status)) + outcome.failure.stage +
             outcome.failure.message;
    AppendBytes(bytes, outcome.prediction.rows);
    AppendBytes(bytes, outcome.prediction.labels);
    AppendBytes(bytes, outcome.prediction.probabilities);
    std::vector<double> values;
    for (const Score& score : outcome.scores) {
      values.push_back(score.value);
      bytes += score.defined ? "defined" : score.undefined;
    }
    AppendBytes(bytes, values);
  }
  return bytes;
}

std::vector<Cell> RandomCells() {
  const auto splits = ModuloSplits(All(Classes(90, 3)), 9, 2);
  const auto metrics = std::make_shared<const MetricList>(MetricList{
      Metric("hits"), Metric("true_probability"), Metric("hits", {{"mode", "undefined"}})});
  const auto throws =
      Learner("coin", {{"mode", "throw_in_fit"}, {"only_with_rows", std::int64_t{80}}});
  std::vector<Cell> cells;
  for (const auto& learner : {Learner("coin"), Centred("center", "coin"), throws}) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      for (std::int64_t s = 0; s < splits->size(); ++s) {
        cells.push_back({learner, splits, s, seed, metrics, Keep::kProbabilities});
      }
    }
  }
  return cells;
}

TEST(WorkersTest, AnyNumberOfWorkersGivesTheSameBits) {
  const std::vector<Cell> cells = RandomCells();
  const auto bytes = [&](int workers) {
    RunOptions options;
    options.workers = workers;
    return BytesOfAll(RunAndScore(cells, options));
  };
  const std::string one = bytes(1);
  EXPECT_GT(one.size(), cells.size() * 100);
  EXPECT_EQ(bytes(2), one);
  EXPECT_EQ(bytes(7), one);
  EXPECT_EQ(bytes(0), one);
}

TEST(WorkersTest, AnyOrderOfCellsGivesTheSameBits) {
  std::vector<Cell> cells = RandomCells();
  const std::string forth = BytesOfAll(RunAndScore(cells, RunOptions()));
  std::reverse(cells.begin(), cells.end());
  std::vector<Outcome> outcomes = RunAndScore(cells, RunOptions());
  std::reverse(outcomes.begin(), outcomes.end());
  EXPECT_EQ(BytesOfAll(outcomes), forth);
}

TEST(WorkersTest, OneWorkerIsTheCallingThread) {
  RunOptions options;
  options.workers = 1;
  std::set<std::thread::id> threads;
  options.on_finished = [&](std::size_t, Outcome&) { threads.insert(std::this_thread::get_id()); };
  RunCells(RandomCells(), options);
  EXPECT_EQ(threads, std::set{std::this_thread::get_id()});
}

TEST(WorkersTest, MoreWorkersThanCoresRunAtTheSameTime) {
  const int workers = static_cast<int>(std::thread::hardware_concurrency()) + 3;
  std::mutex mutex;
  std::condition_variable all_here;
  int here = 0;
  bool met = true;
  RunOptions options;
  options.workers = workers;
  // Each worker waits in its first cell until all have come; a minute means that they never will.
  options.on_finished = [&](std::size_t, Outcome&) {
    std::unique_lock lock(mutex);
    ++here;
    all_here.notify_all();
    met = met && all_here.wait_for(lock, std::chrono::minutes(1), [&] { return here >= workers; });
  };
  std::vector<Cell> cells = RandomCells();
  cells.resize(static_cast<std::size_t>(workers));
  RunCells(cells, options);
  EXPECT_TRUE(met);
  EXPECT_EQ(here, workers);
}

// Runs them in a process that gets so many threads more, and ends it with 0 if the bits are these.
[[noreturn]] void RunWithFewThreads(rlim_t most, const std::vector<Cell>& cells,
                                    const std::string& expected) {
  LimitThreads(most);
  RunOptions options;
  options.workers = 64;
  options.shared = std::make_shared<SharedWork>();
  options.log = [](std::int32_t, const std::string& line) {
    std::fprintf(stderr, "log: %s\n", line.c_str());
  };
  const bool same = BytesOfAll(RunAndScore(cells, options)) == expected &&
                    BytesOfAll(RunAndScore(cells, options)) == expected;
  std::_Exit(same ? 0 : 1);
}

TEST(WorkersTest, ARunTakesTheThreadsThatTheSystemGivesAndSaysSoOnce) {
  const std::vector<Cell> cells = RandomCells();
  const std::string expected = BytesOfAll(RunAndScore(cells, RunOptions()));
  EXPECT_EXIT(RunWithFewThreads(5, cells, expected), testing::ExitedWithCode(0),
              "^log: cannot start 64 workers: the system allows no more threads; the run continues "
              "with [0-9]+; ask for fewer, or raise its limits [^\n]*\n$");
}

TEST(WorkersTest, ARunWithoutAnyThreadOfItsOwnIsDoneByItsCaller) {
  const std::vector<Cell> cells = RandomCells();
  const std::string expected = BytesOfAll(RunAndScore(cells, RunOptions()));
  EXPECT_EXIT(RunWithFewThreads(0, cells, expected), testing::ExitedWithCode(0),
              "the run continues with 1; ");
}

TEST(WorkersTest, TwoRunsAtTheSameTimeDoNotDisturbEachOther) {
  const std::vector<Cell> cells = RandomCells();
  const std::string expected = BytesOfAll(RunAndScore(cells, RunOptions()));
  std::string first, second;
  RunOptions options;
  options.workers = 3;
  std::thread other([&] { first = BytesOfAll(RunAndScore(cells, options)); });
  second = BytesOfAll(RunAndScore(cells, options));
  other.join();
  EXPECT_EQ(first, expected);
  EXPECT_EQ(second, expected);
}

constexpr OutcomeStatus kOk = OutcomeStatus::kOk;
constexpr OutcomeStatus kCancelled = OutcomeStatus::kCancelled;

std::vector<OutcomeStatus> StatusesOf(const std::vector<Outcome>& outcomes) {
  std::vector<OutcomeStatus> statuses;
  for (const Outcome& outcome : outcomes) statuses.push_back(outcome.status);
  return statuses;
}

std::vector<Cell> CellsWith(const std::vector<std::string>& modes) {
  const auto splits = ModuloSplits(All(Classes(9, 3)), 3);
  std::vector<Cell> cells;
  std::uint64_t seed = 7;  // other ones, so that no cell is the same as another
  for (const std::string& mode : modes) {
    cells.push_back({Learner("coin", {{"mode", mode}}), splits, 0, seed++, nullptr, Keep::kLabels});
  }
  return cells;
}

TEST(CancellationTest, ACancelledRunStartsNothing) {
  CancelToken token;
  token.Cancel();
  RunOptions options;
  options.cancel = &token;
  int finished = 0;
  options.on_finished = [&](std::size_t, Outcome&) { ++finished; };
  EXPECT_THAT(StatusesOf(RunCells(CellsWith({"random", "random"}), options)),
              ElementsAre(kCancelled, kCancelled));
  EXPECT_EQ(finished, 0);
}

TEST(CancellationTest, FinishedCellsStayWhenTheRestIsCancelled) {
  CancelToken token;
  RunOptions options;
  options.workers = 1;
  options.cancel = &token;
  options.on_finished = [&](std::size_t i, Outcome&) {
    if (i == 1) token.Cancel();
  };
  const auto outcomes = RunCells(CellsWith({"random", "random", "random", "random"}), options);
  EXPECT_THAT(StatusesOf(outcomes), ElementsAre(kOk, kOk, kCancelled, kCancelled));
  EXPECT_EQ(outcomes[1].prediction.labels.size(), 3u);
}

// A learner that sleeps until progress() tells it to stop; the token is set by another thread.
void ExpectThatACallStops(const std::string& mode) {
  CancelToken token;
  std::promise<void> first_done;
  RunOptions options;
  options.workers = 1;
  options.cancel = &token;
  options.on_finished = [&](std::size_t, Outcome&) { first_done.set_value(); };
  std::thread canceller([&] {
    first_done.get_future().wait();
    token.Cancel();
  });
  const auto outcomes = RunCells(CellsWith({"random", mode, "random"}), options);
  canceller.join();
  EXPECT_THAT(StatusesOf(outcomes), ElementsAre(kOk, kCancelled, kCancelled));
  EXPECT_EQ(outcomes[1].failure.message, "");
  EXPECT_THAT(outcomes[1].prediction.labels, IsEmpty());
}

TEST(CancellationTest, AFitThatPollsStops) { ExpectThatACallStops("sleep_in_fit"); }

TEST(CancellationTest, APredictionThatPollsStops) { ExpectThatACallStops("sleep_in_predict"); }

TEST(CancellationTest, AllWorkersStop) {
  CancelToken token;
  RunOptions options;
  options.workers = 4;
  options.cancel = &token;
  std::promise<void> first_done;
  options.on_finished = [&](std::size_t, Outcome&) { first_done.set_value(); };
  std::thread canceller([&] {
    first_done.get_future().wait();
    token.Cancel();
  });
  const auto outcomes = RunCells(
      CellsWith({"random", "sleep_in_fit", "sleep_in_fit", "sleep_in_fit", "sleep_in_fit"}),
      options);
  canceller.join();
  EXPECT_THAT(StatusesOf(outcomes),
              ElementsAre(kOk, kCancelled, kCancelled, kCancelled, kCancelled));
}

TEST(CancellationTest, AFailureIsAFailureAlsoWhenTheRunIsCancelled) {
  CancelToken token;
  RunOptions options;
  options.workers = 1;
  options.cancel = &token;
  options.on_finished = [&](std::size_t, Outcome&) { token.Cancel(); };
  const auto outcomes = RunCells(CellsWith({"throw_in_fit", "random"}), options);
  EXPECT_THAT(StatusesOf(outcomes), ElementsAre(OutcomeStatus::kFailed, kCancelled));
}

}  // namespace
}  // namespace crossfold
