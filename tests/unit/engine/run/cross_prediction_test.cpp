#include "crossfold/cross_prediction.h"

#include <algorithm>

#include "unit/engine/run/sharing_fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Classes;
using fixture::ExpectError;
using fixture::Learner;
using fixture::Misbehaving;
using fixture::ModuloSplits;
using fixture::Numbers;
using fixture::Sharing;
using fixture::Some;
using fixture::Workers;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

CellBlock BlockOf(std::shared_ptr<const Pipeline> learner, std::shared_ptr<const SplitPlan> splits,
                  Keep keep = Keep::kLabels) {
  const std::int64_t n = splits->size();
  return {std::move(learner), std::move(splits), 0, n, 7, nullptr, keep};
}

std::shared_ptr<const Pipeline> Feature() { return Learner("probe", {{"mode", "feature"}}); }

TEST(CrossPredictionTest, EveryRowIsThereOnceInEachRepeatInTheOrderOfTheView) {
  const auto data = Numbers({0, 10, 20, 30, 40, 50}, {0, 0, 0, 0, 0, 0});
  const auto splits = ModuloSplits(Some(data, {4, 1, 5, 0}), 2, 3);
  const CrossPrediction made = CrossPredict(BlockOf(Feature(), splits), Workers(1));
  ASSERT_THAT(made.repeats, SizeIs(3));
  EXPECT_THAT(made.failures, IsEmpty());
  for (const Prediction& repeat : made.repeats) {
    EXPECT_THAT(repeat.rows, ElementsAre(4, 1, 5, 0));
    EXPECT_THAT(repeat.values, ElementsAre(40, 10, 50, 0));
  }
}

TEST(CrossPredictionTest, ListsAreOnePredictionSplitBySplit) {
  const auto data = Numbers({0, 10, 20, 30}, {0, 0, 0, 0});
  const auto splits = SplitPlan::FromLists(All(data), {{{0, 1}, {3, 2}}, {{2}, {1, 3}}});
  const CrossPrediction made = CrossPredict(BlockOf(Feature(), splits), Workers(2));
  ASSERT_THAT(made.repeats, SizeIs(1));
  EXPECT_THAT(made.repeats[0].rows, ElementsAre(3, 2, 1, 3));
  EXPECT_THAT(made.repeats[0].values, ElementsAre(30, 20, 10, 30));
}

TEST(CrossPredictionTest, RowsThatAreAlwaysTrainedOnAreLeftOut) {
  const auto data = Numbers({0, 10, 20, 30}, {0, 0, 0, 0});
  const auto splits = SplitPlan::FromPartitions(All(data), {{{0, -1, 1, 0}, 2}});
  for (const auto& learner : {Feature(), Sharing("crossing")}) {
    EXPECT_THAT(CrossPredict(BlockOf(learner, splits), Workers(1)).repeats[0].rows,
                ElementsAre(0, 2, 3));
  }
}

TEST(CrossPredictionTest, SomeSplitsOnlyGiveTheirRowsOnly) {
  CellBlock block = BlockOf(Sharing("crossing"), ModuloSplits(All(Classes(6, 3)), 3));
  block.first = 1;
  block.count = 1;
  EXPECT_THAT(CrossPredict(block, Workers(1)).repeats[0].rows, ElementsAre(1, 4));
}

// What the cells predict, pooled by hand.
Prediction Pooled(const CellBlock& block, std::int64_t repeat) {
  std::vector<Cell> cells;
  for (std::int64_t s = 0; s < block.count; ++s) {
    if (block.splits->repeat_of(s) != repeat) continue;
    cells.push_back({block.learner, block.splits, s, block.seed, nullptr, block.keep});
  }
  const DataView& view = block.splits->view();
  const auto n = static_cast<std::size_t>(view.num_rows());
  const auto k = static_cast<std::size_t>(view.data->num_classes());
  Prediction pooled;
  pooled.labels.resize(n);
  pooled.probabilities.resize(block.keep == Keep::kProbabilities ? n * k : 0);
  for (std::size_t i = 0; i < n; ++i) {
    pooled.rows.push_back(view.row_id(static_cast<std::int64_t>(i)));
  }
  for (const Outcome& outcome : RunCells(cells, Workers(1, false))) {
    const Prediction& p = outcome.prediction;
    for (std::size_t i = 0; i < p.rows.size(); ++i) {
      const auto at = static_cast<std::size_t>(
          std::find(pooled.rows.begin(), pooled.rows.end(), p.rows[i]) - pooled.rows.begin());
      pooled.labels[at] = p.labels[i];
      if (p.probabilities.empty()) continue;
      std::copy_n(&p.probabilities[i * k], k, &pooled.probabilities[at * k]);
    }
  }
  return pooled;
}

void ExpectWhatTheCellsPredict(const CellBlock& block, int workers, const std::string& what) {
  const CrossPrediction made = CrossPredict(block, Workers(workers));
  ASSERT_THAT(made.repeats, SizeIs(2));
  for (std::int64_t r = 0; r < 2; ++r) {
    const Prediction& got = made.repeats[static_cast<std::size_t>(r)];
    const Prediction expected = Pooled(block, r);
    EXPECT_EQ(got.rows, expected.rows) << what;
    EXPECT_EQ(got.labels, expected.labels) << what;
    EXPECT_EQ(got.probabilities, expected.probabilities) << what;
    EXPECT_EQ(got.n_classes, 3);
  }
}

TEST(CrossPredictionTest, IsWhatTheCellsPredict) {
  const auto data = Classes(40, 3);
  for (const DataView& view :
       {Some(data, {31, 5, 8, 20, 2, 33, 14, 7, 12, 0, 39}),
        Some(data, {1, 2, 3, 5, 8, 13, 21, 34, 35, 36, 37}), All(Classes(11, 3))}) {
    for (const std::string& name : fixture::SharingLearners()) {
      if (fixture::HasTolerance(name)) continue;
      for (const Keep keep : {Keep::kLabels, Keep::kProbabilities}) {
        for (const std::int64_t folds : {3, 11}) {
          const CellBlock block = BlockOf(Sharing(name), ModuloSplits(view, folds, 2), keep);
          for (const int workers : {1, 2, 7}) ExpectWhatTheCellsPredict(block, workers, name);
        }
      }
    }
  }
}

TEST(CrossPredictionTest, FailedSplitsAreToldAndTheirRowsLeftOut) {
  // Folds of 3, 2 and 2 rows: the second and third train on 5.
  const auto splits = ModuloSplits(All(Classes(7, 3)), 3);
  ParamValues refuse = Misbehaving("refuse");
  refuse["base"] = std::int64_t{4};
  for (const std::string name : {"plain", "crossing", "removable"}) {
    const CrossPrediction made = CrossPredict(BlockOf(Sharing(name, refuse), splits), Workers(1));
    EXPECT_THAT(made.repeats[0].rows, ElementsAre(1, 2, 4, 5)) << name;
    EXPECT_THAT(made.repeats[0].labels, SizeIs(4));
    ASSERT_THAT(made.failures, SizeIs(1)) << name;
    EXPECT_EQ(made.failures[0].split, 0);
    EXPECT_EQ(made.failures[0].failure.message, "too few rows");
  }
}

TEST(CrossPredictionTest, IfEverySplitFailsThereAreNoRows) {
  const auto splits = ModuloSplits(All(Classes(6, 3)), 3, 2);
  const CrossPrediction made =
      CrossPredict(BlockOf(Sharing("crossing", Misbehaving("throw_in_fit")), splits), Workers(7));
  EXPECT_THAT(made.repeats, SizeIs(2));
  EXPECT_THAT(made.repeats[1].rows, IsEmpty());
  ASSERT_THAT(made.failures, SizeIs(6));
  for (std::int64_t s = 0; s < 6; ++s) {
    EXPECT_EQ(made.failures[static_cast<std::size_t>(s)].split, s);
  }
}

TEST(CrossPredictionTest, ACancelledCallThrows) {
  for (const std::string name : {"plain", "crossing", "removable", "near"}) {
    CancelToken token;
    RunOptions options = Workers(1);
    options.cancel = &token;
    options.log = [&](std::int32_t, const std::string& line) {
      if (line == "asleep") token.Cancel();
    };
    const CellBlock block =
        BlockOf(Sharing(name, Misbehaving("sleep")), ModuloSplits(All(Classes(6, 3)), 3));
    ExpectError(ErrorKind::kCancelled, "cancelled", [&] { CrossPredict(block, options); });
  }
}

// Runs cell after cell, as a store or worker processes deliver them.
void OneByOne(std::span<const CellBlock> blocks, const RunOptions& options,
              const TakeOutcome& take) {
  std::size_t i = 0;
  for (const CellBlock& block : blocks) {
    for (std::int64_t split = block.first; split < block.first + block.count; ++split) {
      const Cell cell{block.learner, block.splits, split, block.seed, block.metrics, block.keep};
      take(i++, std::move(RunCells({&cell, 1}, options)[0]));
    }
  }
}

TEST(CrossPredictionTest, AnEngineThatDeliversCellsGivesTheSame) {
  const auto data = Numbers({0, 10, 20, 30, 40, 50}, {0, 1, 0, 1, 0, 1});
  const auto partitions = ModuloSplits(Some(data, {4, 1, 5, 0, 3}), 2, 3);
  const auto lists = SplitPlan::FromLists(All(data), {{{0, 1}, {3, 2}}, {{2}, {1, 3}}});
  for (const auto& splits : {partitions, lists}) {
    for (const auto& learner : {Feature(), Sharing("crossing")}) {
      const CellBlock block = BlockOf(learner, splits);
      const CrossPrediction expected = CrossPredict(block, Workers(2));
      const CrossPrediction made = CrossPredict(block, Workers(2), OneByOne);
      ASSERT_THAT(made.repeats, SizeIs(expected.repeats.size()));
      for (std::size_t r = 0; r < made.repeats.size(); ++r) {
        EXPECT_EQ(made.repeats[r].rows, expected.repeats[r].rows);
        EXPECT_EQ(made.repeats[r].values, expected.repeats[r].values);
      }
    }
  }
}

}  // namespace
}  // namespace crossfold
