// Plans beside what runs really do: the components of counting_plugin.cpp log each fit.
#include "crossfold/work_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/score.h"
#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Classes;
using fixture::ModuloSplits;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

PluginHostOptions OnlyPlugin(const char* path) {
  PluginHostOptions options;
  SearchOnly({path}, options);
  return options;
}

const PluginHost& CountingHost() {
  static const PluginHost host(OnlyPlugin(CROSSFOLD_COUNTING_PLUGIN));
  return host;
}

std::shared_ptr<const Spec> Step(Kind kind, const std::string& name, const ParamValues& values) {
  return Spec::Make(CountingHost().Find(kind, "counting." + name), values);
}
std::shared_ptr<const Pipeline> Counting(const std::string& name, const ParamValues& values = {}) {
  return Pipeline::Make({Step(Kind::kLearner, name, values)});
}
std::shared_ptr<const Pipeline> Behind(double shift, const std::string& name,
                                       const ParamValues& values = {}) {
  return Pipeline::Make(
      {Step(Kind::kTransform, "same", {{"shift", shift}}), Step(Kind::kLearner, name, values)});
}

CellBlock Block(std::shared_ptr<const Pipeline> learner, std::shared_ptr<const SplitPlan> splits,
                std::uint64_t seed = 1) {
  const std::int64_t n = splits->size();
  return {std::move(learner), std::move(splits), 0, n, seed, nullptr, Keep::kNothing};
}

// What a run does, by the lines in its log.
std::map<std::string, std::uint64_t> CountCalls(const std::vector<CellBlock>& blocks,
                                                RunOptions options) {
  std::map<std::string, std::uint64_t> calls;
  std::mutex mutex;
  options.log = [&](std::int32_t, const std::string& line) {
    const std::lock_guard lock(mutex);
    for (const char* what : {"transform", "prepare", "pass", "fit"}) {
      if (!line.ends_with(what)) continue;
      ++calls[what];
      return;
    }
    ADD_FAILURE() << line;
  };
  options.shared = nullptr;
  RunAndScore(blocks, options, [](std::size_t, Outcome&& outcome) {
    EXPECT_EQ(outcome.status, OutcomeStatus::kOk) << outcome.failure.message;
  });
  return calls;
}

RunOptions OneWorker() {
  RunOptions options;
  options.workers = 1;
  return options;
}

// Expects that the run does what the plan says, and returns the plan.
WorkPlan CheckedPlan(const std::vector<CellBlock>& blocks, const RunOptions& options) {
  const WorkPlan plan = PlanRun(blocks, options);
  std::map<std::string, std::uint64_t> calls = CountCalls(blocks, options);
  EXPECT_EQ(plan.fits_done, calls["fit"]);
  EXPECT_EQ(plan.transform_fits, calls["transform"]);
  EXPECT_EQ(plan.passes, calls["pass"]);
  EXPECT_EQ(plan.structures.size(), calls["prepare"]);
  return plan;
}

TEST(WorkPlanTest, NothingNeedsNothing) {
  const WorkPlan plan = CheckedPlan({}, OneWorker());
  EXPECT_EQ(plan.fits_asked, 0u);
  EXPECT_THAT(plan.structures, IsEmpty());
}

TEST(WorkPlanTest, AGridBehindATransformFitsTheTransformOncePerSplit) {
  const auto splits = ModuloSplits(All(Classes(24, 2)), 4);
  std::vector<CellBlock> blocks;
  for (const double rate : {1.0, 2.0, 3.0}) {
    blocks.push_back(Block(Behind(0, "path", {{"rate", rate}}), splits));
  }
  const WorkPlan plan = CheckedPlan(blocks, OneWorker());
  EXPECT_EQ(plan.fits_asked, 12u);
  EXPECT_EQ(plan.fits_done, 12u);
  EXPECT_EQ(plan.transform_fits, 4u);
}

TEST(WorkPlanTest, TransformsAreRepeatedSoThatWorkersHaveWork) {
  const auto splits = ModuloSplits(All(Classes(24, 2)), 2);
  std::vector<CellBlock> blocks;
  for (const double rate : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0}) {
    blocks.push_back(Block(Behind(0, "path", {{"rate", rate}}), splits));
  }
  const WorkPlan one = CheckedPlan(blocks, OneWorker());
  EXPECT_EQ(one.transform_fits, 2u);
  // Four workers get eight items of two cells.
  RunOptions options = OneWorker();
  options.workers = 4;
  EXPECT_EQ(CheckedPlan(blocks, options).transform_fits, 8u);
}

TEST(WorkPlanTest, OtherSettingsOfATransformAreOtherFits) {
  const auto splits = ModuloSplits(All(Classes(24, 2)), 3);
  const WorkPlan plan = CheckedPlan(
      {Block(Behind(0, "cross"), splits), Block(Behind(1, "cross"), splits)}, OneWorker());
  EXPECT_EQ(plan.transform_fits, 6u);
  EXPECT_EQ(plan.fits_done, 6u);
}

TEST(WorkPlanTest, AFitPathIsOneFit) {
  const auto splits = ModuloSplits(All(Classes(24, 2)), 4);
  std::vector<CellBlock> blocks;
  for (const double rate : {1.0, 2.0}) {
    for (const std::int64_t size : {1, 2, 3, 4, 5}) {
      blocks.push_back(Block(Counting("path", {{"size", size}, {"rate", rate}}), splits));
    }
  }
  const WorkPlan plan = CheckedPlan(blocks, OneWorker());
  EXPECT_EQ(plan.fits_asked, 40u);
  EXPECT_EQ(plan.fits_done, 8u);
}

TEST(WorkPlanTest, AFitPathBehindATransformIsOneFit) {
  const auto splits = ModuloSplits(All(Classes(24, 2)), 4);
  std::vector<CellBlock> blocks;
  for (const std::int64_t size : {1, 2, 3}) {
    blocks.push_back(Block(Behind(0, "path", {{"size", size}}), splits));
  }
  const WorkPlan plan = CheckedPlan(blocks, OneWorker());
  EXPECT_EQ(plan.fits_done, 4u);
  EXPECT_EQ(plan.transform_fits, 4u);
}

TEST(WorkPlanTest, DuplicatesAreOneFitUnlessTheirSeedsDiffer) {
  const auto splits = ModuloSplits(All(Classes(24, 2)), 3);
  const CellBlock same = Block(Counting("path"), splits, 1);
  EXPECT_EQ(CheckedPlan({same, same}, OneWorker()).fits_done, 3u);
  EXPECT_EQ(CheckedPlan({same, Block(Counting("path"), splits, 2)}, OneWorker()).fits_done, 6u);
}

TEST(WorkPlanTest, LearnersThatPredictAcrossFoldsAreNotFitted) {
  const auto splits = ModuloSplits(All(Classes(24, 2)), 4, 3);
  std::vector<CellBlock> blocks;
  for (const std::int64_t k : {1, 2, 3}) {
    blocks.push_back(Block(Counting("cross", {{"k", k}}), splits));
  }
  const WorkPlan plan = CheckedPlan(blocks, OneWorker());
  EXPECT_EQ(plan.fits_asked, 36u);
  EXPECT_EQ(plan.fits_done, 0u);
  EXPECT_EQ(plan.passes, 3u);
}

TEST(WorkPlanTest, SettingsThatDoNotFitIntoTheMemoryTakeMorePasses) {
  const auto splits = ModuloSplits(All(Classes(24, 2)), 4);
  std::vector<CellBlock> blocks;
  for (const std::int64_t k : {1, 2, 3}) {
    blocks.push_back(Block(Counting("cross", {{"k", k}}), splits));
  }
  // Half of it is for predictions: 24 labels in 8 bytes each, two times.
  RunOptions options = OneWorker();
  options.shared = std::make_shared<SharedWork>(2 * 2 * 24 * 8);
  const WorkPlan plan = PlanRun(blocks, options);
  EXPECT_EQ(plan.passes, 2u);
  EXPECT_EQ(plan.pass_bytes, 2u * 24 * 8);
}

TEST(WorkPlanTest, EveryPrepareParameterIsAStructureOfItsOwn) {
  const auto splits = ModuloSplits(All(Classes(24, 2)), 4);
  std::vector<CellBlock> blocks;
  for (const std::int64_t metric : {1, 2}) {
    for (const double rate : {1.0, 2.0}) {
      blocks.push_back(Block(Counting("path", {{"metric", metric}, {"rate", rate}}), splits));
    }
  }
  const WorkPlan plan = CheckedPlan(blocks, OneWorker());
  EXPECT_THAT(plan.structures, SizeIs(2));
  EXPECT_EQ(plan.structures.front().learner, "counting.path");
}

// As a search inside each of three outer folds makes them, all in one batch.
TEST(WorkPlanTest, InnerFoldsOfANestedSearchShareOneStructure) {
  const auto data = Classes(36, 2);
  std::vector<CellBlock> blocks;
  for (std::int64_t outer = 0; outer < 3; ++outer) {
    std::vector<std::int64_t> rows;
    for (std::int64_t i = 0; i < 36; ++i) {
      if (i % 3 != outer) rows.push_back(i);
    }
    const auto inner = ModuloSplits(fixture::Some(data, rows), 2);
    for (const std::int64_t size : {1, 2, 3}) {
      blocks.push_back(Block(Counting("path", {{"size", size}}), inner));
    }
  }
  const WorkPlan plan = CheckedPlan(blocks, OneWorker());
  EXPECT_EQ(plan.fits_asked, 18u);
  EXPECT_EQ(plan.fits_done, 6u);
  EXPECT_THAT(plan.structures, SizeIs(1));
}

TEST(WorkPlanTest, WithoutSharingEveryCellIsAFit) {
  const auto splits = ModuloSplits(All(Classes(24, 2)), 4);
  RunOptions options = OneWorker();
  options.share = false;
  const WorkPlan plan =
      CheckedPlan({Block(Counting("cross"), splits), Block(Behind(0, "path"), splits),
                   Block(Behind(0, "path"), splits)},
                  options);
  EXPECT_EQ(plan.fits_done, 12u);
  EXPECT_EQ(plan.transform_fits, 8u);
}

TEST(WorkPlanTest, KeptPredictionsTakeTheirBytes) {
  const auto splits = ModuloSplits(All(Classes(24, 3)), 4, 2);
  CellBlock block = Block(Counting("path"), splits);
  EXPECT_EQ(PlanRun({&block, 1}, OneWorker()).prediction_bytes, 0u);
  block.keep = Keep::kLabels;  // id and class of every row, in two repeats
  EXPECT_EQ(PlanRun({&block, 1}, OneWorker()).prediction_bytes, 2u * 24 * (8 + 4));
  block.keep = Keep::kProbabilities;
  EXPECT_EQ(PlanRun({&block, 1}, OneWorker()).prediction_bytes, 2u * 24 * (8 + 4 + 3 * 8));
}

TEST(WorkPlanTest, PlansAddUpButAStructureIsMadeOnce) {
  const auto splits = ModuloSplits(All(Classes(24, 2)), 4);
  std::vector<CellBlock> blocks;
  for (const double rate : {1.0, 2.0}) {
    blocks.push_back(Block(Counting("path", {{"rate", rate}}), splits));
  }
  WorkPlan plan = PlanRun(blocks, OneWorker());
  plan.Add(PlanRun(blocks, OneWorker()));
  EXPECT_EQ(plan.fits_asked, 16u);
  EXPECT_EQ(plan.fits_done, 16u);
  EXPECT_THAT(plan.structures, SizeIs(1));
}

TEST(WorkPlanTest, FitsOnAllRowsAreCountedWithTheirTransforms) {
  const DataView view = All(Classes(24, 2));
  const std::vector<FitJob> jobs = {{Counting("path"), view, 1}, {Behind(0, "path"), view, 1}};
  const WorkPlan plan = PlanFits(jobs);
  EXPECT_EQ(plan.fits_asked, 2u);
  EXPECT_EQ(plan.fits_done, 2u);
  EXPECT_EQ(plan.transform_fits, 1u);
}

// The learner sleeps for 100 ms in each fit.
TEST(WorkProbeTest, TheTimeIsThatOfTheFitsOverTheWorkers) {
  const PluginHost host(OnlyPlugin(CROSSFOLD_TEST_PLUGINS));
  const auto sleeper = Pipeline::Make(
      {Spec::Make(host.Find(Kind::kLearner, "debug"),
                  {{"action", std::string("sleep")}, {"sleep_ms", std::int64_t{100}}})});
  const auto splits = ModuloSplits(All(Classes(40, 2)), 20, 2);
  const std::vector<CellBlock> blocks = {Block(sleeper, splits)};
  WorkProbe probe;
  const double one = probe.Seconds(blocks, OneWorker());
  EXPECT_GE(one, 4.0);
  EXPECT_LE(one, 6.0);
  EXPECT_THAT(probe.probed(), ElementsAre("crossfold.debug on 'classes' (fit by fit)"));
  RunOptions four = OneWorker();
  four.workers = 4;
  EXPECT_NEAR(probe.Seconds(blocks, four), one / 4, 1e-9);  // from what is known
  EXPECT_THAT(probe.probed(), SizeIs(1));
}

TEST(WorkProbeTest, LittleRuns) {
  const auto splits = ModuloSplits(All(Classes(4000, 2)), 4, 100);
  const std::vector<CellBlock> blocks = {Block(Counting("cross"), splits)};
  RunOptions options = OneWorker();
  std::uint64_t passes = 0;
  options.log = [&](std::int32_t, const std::string&) { ++passes; };
  WorkProbe probe;
  EXPECT_GT(probe.Seconds(blocks, options), 0);
  EXPECT_GT(passes, 0u);
  EXPECT_LT(passes, 100u);
}

TEST(WorkProbeTest, FailingLearnersAreTimedAllTheSame) {
  const auto broken = fixture::Learner("coin", {{"mode", std::string("throw_in_fit")}});
  const auto splits = ModuloSplits(All(Classes(24, 2)), 4);
  WorkProbe probe;
  EXPECT_GE(probe.Seconds(std::vector<CellBlock>{Block(broken, splits)}, OneWorker()), 0);
}

}  // namespace
}  // namespace crossfold
