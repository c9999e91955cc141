// Further tries of cells, with engines that fail as a list says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/failure_cause.h"
#include "crossfold/retry.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Outcome Ok() {
  Outcome outcome;
  outcome.status = OutcomeStatus::kOk;
  return outcome;
}

Outcome Lost(FailureCause cause) {
  Outcome outcome;
  outcome.status = OutcomeStatus::kFailed;
  outcome.failure = {"run", CodeOf(cause), "it was lost; repeat it with cf.run{}", true};
  return outcome;
}

Outcome OverMemory() {
  Outcome outcome = Lost(FailureCause::kMemory);
  outcome.failure.code = CF_E_OUT_OF_MEMORY;  // of the limit
  return outcome;
}

// Gives the cell of split s the next outcome of list s, then kOk.
class ScriptedEngine {
 public:
  using Script = std::map<std::int64_t, std::vector<Outcome>>;
  explicit ScriptedEngine(Script script) : script_(std::move(script)) {}

  LimitedEngine engine() {
    return [this](const CellLimits& limits) -> RunEngine {
      return [this, limits](std::span<const CellBlock> blocks, const RunOptions& options,
                            const TakeOutcome& take) {
        std::size_t i = 0;
        for (const CellBlock& block : blocks) {
          for (std::int64_t s = block.first; s < block.first + block.count; ++s, ++i) {
            calls.push_back(std::to_string(s) + " with " + std::to_string(limits.memory) +
                            " bytes on " + std::to_string(options.workers) + " workers");
            if (options.claim) ++n_claims;
            take(i, Next(s));
          }
        }
      };
    };
  }

  std::vector<std::string> calls;
  int n_claims = 0;

 private:
  Outcome Next(std::int64_t split) {
    std::vector<Outcome>& left = script_[split];
    if (left.empty()) return Ok();
    Outcome next = left.front();
    left.erase(left.begin());
    return next;
  }

  Script script_;
};

class RetriesTest : public ::testing::Test {
 protected:
  // Splits 0, 1 and 2 in two blocks.
  std::vector<Outcome> Run(ScriptedEngine& engine, std::uint64_t memory = 0,
                           const RetryOptions& retry = {}) {
    CellBlock two, one;
    two.count = 2;
    one.first = 2;
    const std::vector<CellBlock> blocks = {two, one};
    CellLimits limits;
    limits.memory = memory;
    std::vector<Outcome> outcomes(3);
    options.workers = 4;
    options.log = [this](std::int32_t, const std::string& line) { log.push_back(line); };
    WithRetries(engine.engine(), limits, retry)(blocks, options, [&](std::size_t i, Outcome&& got) {
      EXPECT_EQ(outcomes.at(i).status, OutcomeStatus::kCancelled) << "delivered twice";
      outcomes[i] = std::move(got);
    });
    return outcomes;
  }

  RunOptions options;
  std::vector<std::string> log;
};

TEST_F(RetriesTest, ACellThatWasKilledRunsAgainAfterTheOthersUnderTheSameTerms) {
  ScriptedEngine engine({{1, {Lost(FailureCause::kKilled), Lost(FailureCause::kLost)}}});
  const std::vector<Outcome> got = Run(engine, 100);
  EXPECT_THAT(engine.calls,
              ElementsAre("0 with 100 bytes on 4 workers", "1 with 100 bytes on 4 workers",
                          "2 with 100 bytes on 4 workers", "1 with 100 bytes on 4 workers",
                          "1 with 100 bytes on 4 workers"));
  EXPECT_EQ(got[1].status, OutcomeStatus::kOk);
  EXPECT_THAT(got[1].warnings, ElementsAre("run: try 1 failed (killed): it was lost",
                                           "run: try 2 failed (lost): it was lost"));
  EXPECT_THAT(got[0].warnings, IsEmpty());
  EXPECT_THAT(log, ElementsAre("1 failed cell is tried again (try 2 of 3): 1 killed",
                               "1 failed cell is tried again (try 3 of 3): 1 lost"));
}

TEST_F(RetriesTest, WhatLacksMemoryOrDiskSpaceRunsAlone) {
  ScriptedEngine engine({{0, {Lost(FailureCause::kMemory)}},
                         {1, {Lost(FailureCause::kKilled)}},
                         {2, {Lost(FailureCause::kDisk)}}});
  Run(engine);
  const std::vector<std::string> again(engine.calls.begin() + 3, engine.calls.end());
  EXPECT_THAT(again, ElementsAre("1 with 0 bytes on 4 workers", "0 with 0 bytes on 1 workers",
                                 "2 with 0 bytes on 1 workers"));
  EXPECT_THAT(
      log, ElementsAre("3 failed cells are tried again (try 2 of 3): 1 memory, 1 killed, 1 disk"));
}

TEST_F(RetriesTest, TheLimitOfMemoryDoublesUpToItsMaximum) {
  ScriptedEngine engine({{1, {OverMemory(), OverMemory(), OverMemory(), OverMemory()}}});
  const std::vector<Outcome> got = Run(engine, 100, {.retries = 9, .memory_max = 300});
  const std::vector<std::string> again(engine.calls.begin() + 3, engine.calls.end());
  EXPECT_THAT(again, ElementsAre("1 with 200 bytes on 1 workers", "1 with 300 bytes on 1 workers"));
  EXPECT_EQ(got[1].failure.message, "it was lost; repeat it with cf.run{}; it was tried 3 times");
  EXPECT_EQ(got[1].warnings.size(), 2u);
}

TEST_F(RetriesTest, ACellThatNeedsMoreThanItsLimitWouldNeedTheSameAgain) {
  ScriptedEngine engine({{1, {OverMemory()}}});
  const std::vector<Outcome> got = Run(engine, 100);
  EXPECT_EQ(engine.calls.size(), 3u);
  EXPECT_EQ(got[1].failure.message, "it was lost; repeat it with cf.run{}");
}

TEST_F(RetriesTest, ACellThatTheKernelKilledForMemoryRunsAgainWithinItsLimit) {
  ScriptedEngine engine({{1, {Lost(FailureCause::kMemory)}}});
  EXPECT_EQ(Run(engine, 100)[1].status, OutcomeStatus::kOk);
  EXPECT_EQ(engine.calls.back(), "1 with 100 bytes on 1 workers");
}

TEST_F(RetriesTest, ACellThatLacksMemoryAloneIsNotTriedAgain) {
  ScriptedEngine engine({{1, {Lost(FailureCause::kMemory), Lost(FailureCause::kMemory)}}});
  EXPECT_EQ(Run(engine)[1].failure.message,
            "it was lost; repeat it with cf.run{}; it was tried 2 times");
  EXPECT_EQ(engine.calls.size(), 4u);
}

TEST_F(RetriesTest, WhatThePluginTheDataOrALimitOfTimeEndedIsTriedOnce) {
  Outcome numeric = Lost(FailureCause::kData);
  numeric.failure = {"fit knn", CF_E_NUMERIC, "no distance"};
  ScriptedEngine engine(
      {{0, {Lost(FailureCause::kPlugin)}}, {1, {Lost(FailureCause::kTime)}}, {2, {numeric}}});
  Run(engine);
  EXPECT_EQ(engine.calls.size(), 3u);
  EXPECT_THAT(log, IsEmpty());
}

TEST_F(RetriesTest, AFailureOfTheDataAfterAKillIsThatOfACellThatWasNotKilled) {
  Outcome numeric;
  numeric.status = OutcomeStatus::kFailed;
  numeric.failure = {"fit knn", CF_E_NUMERIC, "no distance"};
  ScriptedEngine engine({{1, {Lost(FailureCause::kKilled), numeric}}});
  EXPECT_EQ(Run(engine)[1].failure.message, "no distance");
}

TEST_F(RetriesTest, WithoutRetriesEveryFailureIsDeliveredAtOnce) {
  ScriptedEngine engine({{1, {Lost(FailureCause::kKilled)}}});
  EXPECT_EQ(Run(engine, 0, {.retries = 0})[1].failure.message,
            "it was lost; repeat it with cf.run{}");
}

TEST_F(RetriesTest, OnFinishedSeesTheLastTryOfEachCellAndClaimsAreMadeOnce) {
  std::map<std::size_t, OutcomeStatus> seen;
  options.on_finished = [&](std::size_t i, Outcome& outcome) {
    EXPECT_TRUE(seen.emplace(i, outcome.status).second);
  };
  options.claim = [](std::span<const std::size_t>) { return true; };
  ScriptedEngine engine({{1, {Lost(FailureCause::kKilled)}}});
  Run(engine);
  EXPECT_THAT(seen,
              ElementsAre(std::pair(0u, OutcomeStatus::kOk), std::pair(1u, OutcomeStatus::kOk),
                          std::pair(2u, OutcomeStatus::kOk)));
  EXPECT_EQ(engine.n_claims, 3);
}

TEST_F(RetriesTest, NothingIsTriedAgainAfterACancellation) {
  CancelToken cancel;
  options.cancel = &cancel;
  options.on_finished = [&](std::size_t i, Outcome&) {
    if (i == 2) cancel.Cancel();
  };
  ScriptedEngine engine({{1, {Lost(FailureCause::kKilled)}}});
  EXPECT_EQ(Run(engine)[1].status, OutcomeStatus::kCancelled);
  EXPECT_EQ(engine.calls.size(), 3u);
}

}  // namespace
}  // namespace crossfold
