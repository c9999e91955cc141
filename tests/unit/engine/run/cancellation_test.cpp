#include <future>
#include <thread>

#include "crossfold/run.h"
#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Classes;
using fixture::Learner;
using fixture::ModuloSplits;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

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
