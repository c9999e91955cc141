#include <atomic>
#include <cmath>

#include "crossfold/shard.h"
#include "store/cells/cell_row.h"
#include "unit/store/store_fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::BlockOf;
using fixture::Centred;
using fixture::Classes;
using fixture::FoundComputed;
using fixture::Learner;
using fixture::Metric;
using fixture::Metrics;
using fixture::ModuloSplits;
using fixture::Numbers;
using fixture::PlainEngine;
using fixture::RunInStore;
using fixture::RunPlain;
using fixture::Some;
using fixture::Workers;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class StoredRunTest : public fixture::StoreTest {};

std::vector<CellBlock> MixedBlocks() {
  const auto splits = ModuloSplits(All(Classes(24, 3)), 4, 2);
  const auto metrics = Metrics({Metric("hits"), Metric("hits", {{"mode", "undefined"}})});
  const auto loud = Metrics({Metric("hits", {{"mode", "loud"}}), Metric("hits")});
  const auto probabilities = Metrics({Metric("true_probability")});
  std::vector<CellBlock> blocks;
  for (const Keep keep : {Keep::kNothing, Keep::kLabels, Keep::kProbabilities}) {
    blocks.push_back(BlockOf(Learner("coin"), splits, metrics, keep));
    blocks.push_back(BlockOf(Learner("coin"), splits, probabilities, keep, 8));
    blocks.push_back(BlockOf(Learner("first_class"), splits, nullptr, keep));
  }
  blocks.push_back(BlockOf(Learner("coin", {{"mode", "throw_in_fit"}}), splits, metrics));
  blocks.push_back(BlockOf(Learner("coin", {{"mode", "rounding"}}), splits, metrics));
  blocks.push_back(BlockOf(Learner("coin"), splits, loud, Keep::kNothing, 9));
  return blocks;
}

TEST_F(StoredRunTest, OutcomesAreThoseOfARunWithoutAStore) {
  const std::vector<CellBlock> blocks = MixedBlocks();
  EXPECT_EQ(RunInStore(*Open(), blocks), RunPlain(blocks));
}

TEST_F(StoredRunTest, ASecondRunComputesNothingAndGivesTheSameBits) {
  const std::vector<CellBlock> blocks = MixedBlocks();
  const std::vector<std::string> plain = RunPlain(blocks);
  RunInStore(*Open(), blocks);
  EXPECT_EQ(FoundAndComputed(blocks), FoundComputed(plain.size(), 0));
  EXPECT_EQ(last_, plain);
}

TEST_F(StoredRunTest, ASecondRunOfTheSameStoreObjectFindsWhatIsStillInTheLog) {
  const std::vector<CellBlock> blocks = MixedBlocks();
  const auto store = Open();
  const std::vector<std::string> first = RunInStore(*store, blocks);
  const std::uint64_t computed = store->counts().computed;
  EXPECT_EQ(RunInStore(*store, blocks), first);
  EXPECT_EQ(store->counts().computed, computed);
}

TEST_F(StoredRunTest, RegressionsKeepTheirValues) {
  const std::vector<CellBlock> blocks = {BlockOf(
      Learner("probe"), ModuloSplits(All(Numbers({1, 2, 3, 4}, {0.1, 0.2, 0.3, 1e-300})), 2),
      Metrics({Metric("mean_difference")}))};
  const std::vector<std::string> plain = RunPlain(blocks);
  EXPECT_EQ(RunInStore(*Open(), blocks), plain);
  EXPECT_EQ(FoundAndComputed(blocks), FoundComputed(2, 0));
  EXPECT_EQ(last_, plain);
}

TEST_F(StoredRunTest, ListsAndRowsInAnyOrderAreFound) {
  const auto data = Classes(12, 2);
  std::vector<SplitRows> lists;
  lists.push_back({{0, 1, 2, 2, 5}, {11, 3}});
  lists.push_back({{4, 5}, {0}});
  const auto list = SplitPlan::FromLists(All(data), lists);
  const auto shuffled = ModuloSplits(Some(data, {9, 2, 7, 4, 1, 0}), 2);
  const std::vector<CellBlock> blocks = {BlockOf(Learner("coin"), list),
                                         BlockOf(Learner("coin"), shuffled)};
  const std::vector<std::string> plain = RunPlain(blocks);
  EXPECT_EQ(RunInStore(*Open(), blocks), plain);
  EXPECT_EQ(FoundAndComputed(blocks), FoundComputed(4, 0));
  EXPECT_EQ(last_, plain);
}

TEST_F(StoredRunTest, AMetricThatIsNewIsComputedWithoutFits) {
  const auto splits = ModuloSplits(All(Classes(24, 3)), 4);
  const std::vector<CellBlock> first = {
      BlockOf(Learner("coin"), splits, Metrics({Metric("hits")}), Keep::kNothing)};
  RunInStore(*Open(), first);
  const std::vector<CellBlock> second = {
      BlockOf(Learner("coin"), splits, Metrics({Metric("training_target"), Metric("hits")}),
              Keep::kNothing)};
  EXPECT_EQ(FoundAndComputed(second), FoundComputed(4, 0));
  EXPECT_EQ(last_, RunPlain(second));
  EXPECT_EQ(Number("SELECT count(*) FROM scores"), 8);
}

TEST_F(StoredRunTest, WithoutKeptPredictionsANewMetricNeedsTheFits) {
  const auto splits = ModuloSplits(All(Classes(24, 3)), 4);
  StoreOptions options;
  options.prediction_bytes = 0;
  const std::vector<CellBlock> first = {
      BlockOf(Learner("coin"), splits, Metrics({Metric("hits")}), Keep::kNothing)};
  RunInStore(*Open(options), first);
  EXPECT_EQ(Number("SELECT count(prediction) FROM cells"), 0);
  EXPECT_EQ(FoundAndComputed(first), FoundComputed(4, 0));
  const std::vector<CellBlock> second = {
      BlockOf(Learner("coin"), splits, Metrics({Metric("training_target")}), Keep::kNothing)};
  EXPECT_EQ(FoundAndComputed(second), FoundComputed(0, 4));
  EXPECT_EQ(last_, RunPlain(second));
  EXPECT_EQ(Number("SELECT count(prediction) FROM cells"), 4) << "there was room this time";
  EXPECT_EQ(Number("SELECT count(*) FROM scores"), 8);
}

TEST_F(StoredRunTest, PredictionsTakeNoMoreBytesThanAllowed) {
  StoreOptions options;
  options.prediction_bytes = 40;  // 9 + 1 + 6 of one cell
  const std::vector<CellBlock> blocks = {
      BlockOf(Learner("coin"), ModuloSplits(All(Classes(24, 3)), 4))};
  EXPECT_EQ(RunInStore(*Open(options), blocks), RunPlain(blocks));
  EXPECT_EQ(Number("SELECT count(prediction) FROM cells"), 2);
  EXPECT_LE(Number("SELECT sum(length(prediction)) FROM cells"), 40);
}

TEST_F(StoredRunTest, AMetricThatFailsFailsItsCellEveryTimeAndNoOther) {
  const auto splits = ModuloSplits(All(Classes(12, 2)), 2);
  const std::vector<CellBlock> bad = {
      BlockOf(Learner("coin"), splits,
              Metrics({Metric("hits"), Metric("hits", {{"mode", "not_a_number"}})}))};
  const std::vector<CellBlock> good = {BlockOf(Learner("coin"), splits, Metrics({Metric("hits")}))};
  const auto store = Open();
  EXPECT_EQ(RunInStore(*store, bad), RunPlain(bad));
  EXPECT_EQ(RunInStore(*store, good), RunPlain(good));
  EXPECT_EQ(RunInStore(*store, bad), RunPlain(bad));
}

TEST_F(StoredRunTest, NegativeZeroStaysNegative) {
  const std::vector<CellBlock> blocks = {
      BlockOf(Learner("coin"), ModuloSplits(All(Classes(12, 2)), 2), Metrics({Metric("hits")}))};
  RunInStore(*Open(), blocks);
  {
    Database db(path(), Database::Access::kWrite);
    db.Execute("DELETE FROM scores WHERE fold = 0");
    Statement insert(db, "INSERT INTO scores VALUES(?, ?, ?, ?, ?, ?)");
    BindScore(insert, {1, 0, 1, {true, -0.0, ""}});
    insert.Run();
  }
  const auto store = Open();
  RunStored(*store, blocks, Workers(1), PlainEngine(), [](std::size_t i, Outcome&& outcome) {
    if (i == 0) {
      EXPECT_EQ(outcome.scores[0].value, 0);
      EXPECT_TRUE(std::signbit(outcome.scores[0].value));
    }
  });
}

TEST_F(StoredRunTest, FailuresByThemselvesAreFoundAndTriedAgainIfAsked) {
  const std::vector<CellBlock> blocks = {
      BlockOf(Learner("coin", {{"mode", "throw_in_fit"}}), ModuloSplits(All(Classes(12, 2)), 2))};
  RunInStore(*Open(), blocks);
  EXPECT_EQ(FoundAndComputed(blocks), FoundComputed(2, 0));
  StoreOptions options;
  options.retry_failed = true;
  const auto store = Open(options);
  EXPECT_EQ(RunInStore(*store, blocks), RunPlain(blocks));
  EXPECT_EQ(store->counts().computed, 2);
}

// Runs blocks with an engine whose cells fail by a limit.
void RunIntoALimit(CellStore& store, std::span<const CellBlock> blocks) {
  const RunEngine limited = [](std::span<const CellBlock> todo, const RunOptions& options,
                               const TakeOutcome& take) {
    RunAndScore(todo, options, [&](std::size_t i, Outcome&& outcome) {
      Outcome stopped;
      stopped.status = OutcomeStatus::kFailed;
      stopped.failure = {"run", CF_E_INTERNAL, "the process took more than 1 s", true};
      stopped.n_train = outcome.n_train;
      stopped.n_test = outcome.n_test;
      take(i, std::move(stopped));
    });
  };
  RunStored(store, blocks, Workers(2), limited, [](std::size_t, Outcome&&) {});
}

TEST_F(StoredRunTest, FailuresByALimitAreTriedAgainAndReplaced) {
  const std::vector<CellBlock> blocks = {
      BlockOf(Learner("coin"), ModuloSplits(All(Classes(12, 2)), 2))};
  RunIntoALimit(*Open(), blocks);
  EXPECT_EQ(Number("SELECT count(*) FROM cells WHERE status = 2"), 2);
  EXPECT_EQ(FoundAndComputed(blocks), FoundComputed(0, 2));
  EXPECT_EQ(last_, RunPlain(blocks));
  EXPECT_EQ(Number("SELECT count(*) FROM cells WHERE status = 0"), 2);
  RunIntoALimit(*Open(), blocks);
  EXPECT_EQ(Number("SELECT count(*) FROM cells WHERE status = 0"), 2);
}

// What a stage is called says nothing about shards.
TEST_F(StoredRunTest, AFailureAtAStageNamedShardIsKeptAndACellOfAnotherShardIsNot) {
  const std::vector<CellBlock> blocks = {
      BlockOf(Learner("coin"), ModuloSplits(All(Classes(12, 2)), 2))};
  const RunEngine engine = [](std::span<const CellBlock>, const RunOptions&,
                              const TakeOutcome& take) {
    Outcome elsewhere;
    elsewhere.status = OutcomeStatus::kElsewhere;
    take(0, std::move(elsewhere));
    Outcome failed;
    failed.status = OutcomeStatus::kFailed;
    failed.failure = {"shard", CF_E_INTERNAL, "a plugin of its own mind"};
    take(1, std::move(failed));
  };
  RunStored(*Open(), blocks, Workers(1), engine, [](std::size_t, Outcome&&) {});
  EXPECT_EQ(Number("SELECT count(*) FROM cells"), 1);
  EXPECT_EQ(Number("SELECT fold FROM cells WHERE status = 1"), 1);
}

TEST_F(StoredRunTest, OnFinishedSeesEveryCellWithItsNumber) {
  const auto splits = ModuloSplits(All(Classes(24, 3)), 4);
  CellBlock half = BlockOf(Learner("coin"), splits);
  half.first = 2;
  half.count = 2;
  RunInStore(*Open(), std::vector<CellBlock>{half});
  const std::vector<CellBlock> blocks = {BlockOf(Learner("coin"), splits)};
  std::vector<std::atomic<int>> seen(4);
  RunOptions options = Workers(2);
  options.on_finished = [&](std::size_t i, Outcome& outcome) {
    ++seen[i];
    outcome.warnings.push_back("cell " + std::to_string(i));
  };
  const auto store = Open();
  const std::vector<std::string> outcomes = RunInStore(*store, blocks, options);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(seen[i], 1);
    EXPECT_THAT(outcomes[i], HasSubstr("cell " + std::to_string(i)));
  }
  EXPECT_EQ(store->counts().found, 2);
  EXPECT_EQ(RunInStore(*store, blocks), RunPlain(blocks)) << "what it adds is not stored";
}

TEST_F(StoredRunTest, CancelledCellsAreNotKept) {
  CancelToken cancel;
  RunOptions options = Workers(1);
  options.cancel = &cancel;
  options.on_finished = [&](std::size_t, Outcome&) { cancel.Cancel(); };
  const std::vector<CellBlock> blocks = {
      BlockOf(Learner("coin"), ModuloSplits(All(Classes(24, 3)), 8))};
  const auto store = Open();
  RunInStore(*store, blocks, options);
  EXPECT_GE(store->counts().computed, 1);
  EXPECT_LT(store->counts().computed, 8);
  const std::uint64_t before = store->counts().computed;
  EXPECT_EQ(RunInStore(*store, blocks), RunPlain(blocks));
  EXPECT_EQ(store->counts().found, before);
}

TEST_F(StoredRunTest, ExtendingTheRepeatsFindsTheFirstOnes) {
  const auto view = All(Classes(24, 3));
  const auto five = ModuloSplits(view, 4, 5);
  const auto three =
      SplitPlan::FromPartitions(view, {five->partitions().begin(), five->partitions().begin() + 3});
  RunInStore(*Open(), std::vector<CellBlock>{BlockOf(Learner("coin"), three)});
  const std::vector<CellBlock> blocks = {BlockOf(Learner("coin"), five)};
  EXPECT_EQ(FoundAndComputed(blocks), FoundComputed(12, 8));
  EXPECT_EQ(last_, RunPlain(blocks));
}

TEST_F(StoredRunTest, AChangedParameterIsComputedAndTheRestFound) {
  const auto splits = ModuloSplits(All(Classes(24, 3)), 4);
  std::vector<CellBlock> blocks = {BlockOf(Learner("coin"), splits),
                                   BlockOf(Learner("first_class"), splits),
                                   BlockOf(Centred("center", "first_class"), splits)};
  RunInStore(*Open(), blocks);
  blocks[0].seed = 8;
  EXPECT_EQ(FoundAndComputed(blocks), FoundComputed(8, 4));
  EXPECT_EQ(last_, RunPlain(blocks));
}

TEST_F(StoredRunTest, ADamagedRowIsNamedAndComputedAgain) {
  const std::vector<CellBlock> blocks = {
      BlockOf(Learner("coin"), ModuloSplits(All(Classes(24, 3)), 4), Metrics({Metric("hits")}))};
  RunInStore(*Open(), blocks);
  Execute("UPDATE cells SET n_train = 5 WHERE fold = 2");
  fixture::LineCounts lines;
  StoreOptions options;
  options.log = lines.sink();
  {
    const auto store = Open(options);
    EXPECT_EQ(RunInStore(*store, blocks), RunPlain(blocks));
    EXPECT_EQ(store->counts().computed, 1);
  }
  const auto counts = lines.counts();
  ASSERT_THAT(counts, SizeIs(1));
  EXPECT_EQ(counts.begin()->first,
            "the stored result of learner 'fixture.coin', repeat 1, fold 3, in store '" +
                path().string() + "' cannot be used (its checksum is wrong); it is computed again");
  EXPECT_EQ(FoundAndComputed(blocks), FoundComputed(4, 0));
}

TEST_F(StoredRunTest, ALearnerThatGivesAnotherResultIsNamedAndTheFirstKept) {
  const std::vector<CellBlock> blocks = {
      BlockOf(Learner("first_class"), ModuloSplits(All(Classes(12, 2)), 2))};
  fixture::LineCounts lines;
  StoreOptions options;
  options.log = lines.sink();
  const auto late = Open(options);
  // While `late` computes without a claim, another process stores the same cells with another
  // result.
  const RunEngine engine = [&](std::span<const CellBlock> todo, const RunOptions& run,
                               const TakeOutcome& take) {
    RunInStore(*Open(), blocks);
    RunOptions unclaimed = run;
    unclaimed.claim = nullptr;
    RunAndScore(todo, unclaimed, [&](std::size_t i, Outcome&& outcome) {
      outcome.prediction.labels.assign(outcome.prediction.labels.size(), i == 1 ? 1 : 0);
      take(i, std::move(outcome));
    });
  };
  RunStored(*late, blocks, Workers(1), engine, [](std::size_t, Outcome&&) {});
  late->Flush();
  const auto counts = lines.counts();
  ASSERT_THAT(counts, SizeIs(1));
  EXPECT_EQ(counts.begin()->first,
            "learner 'fixture.first_class' is not reproducible: repeat 1, fold 2 gave a "
            "different result from the one in store '" +
                path().string() + "', which is kept");
  EXPECT_EQ(FoundAndComputed(blocks), FoundComputed(2, 0));
  EXPECT_EQ(last_, RunPlain(blocks));
}

TEST_F(StoredRunTest, LeaveOneOutIsLinearInItsRows) {
  const std::int64_t n = 3000;
  const std::vector<CellBlock> blocks = {
      BlockOf(Learner("first_class"), ModuloSplits(All(Classes(3000, 2)), n))};
  const std::vector<std::string> plain = RunPlain(blocks);
  EXPECT_EQ(RunInStore(*Open(), blocks), plain);
  EXPECT_EQ(FoundAndComputed(blocks), FoundComputed(3000, 0));
  EXPECT_EQ(last_, plain);
}

}  // namespace
}  // namespace crossfold
