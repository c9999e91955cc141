// The law: the three modes give equal bytes.
#include "sanitized.h"
#include "unit/isolate/isolated_cells.h"

namespace crossfold {
namespace {

std::vector<std::string> LearnerIds() {
  std::vector<std::string> ids;
  for (const PluginEntry& entry : BundledPlugins().entries()) {
    if (entry.is_folder) continue;  // tests/unit/plugins/exec
    ids.insert(ids.end(), entry.ids[Kind::kLearner].begin(), entry.ids[Kind::kLearner].end());
  }
  return ids;
}

// Numbers and categories with missing entries, for learners of classes.
DataPtr Mixed() {
  static const DataPtr data = ReadTestData("penguins.csv", "species");
  return data;
}

std::vector<DataPtr> Datasets() {
  return {ReadTestData("iris.csv", "class"), ReadTestData("weather_nominal.csv", "play"), Mixed(),
          ReadTestData("diabetes_regr.csv", "target")};
}

// Of all rows, or every tenth in descending order.
std::shared_ptr<const SplitPlan> SomeFolds(const DataPtr& data, std::int64_t n_repeats = 2) {
  RowIds rows;
  const std::int64_t step = data->num_rows() > 100 ? data->num_rows() / 40 : 1;
  for (std::int64_t i = data->num_rows() - 1; i >= 0; i -= step) rows.push_back(i);
  return MakeSplits(
      *BundledSpec(Kind::kSplitter, "kfold", {{"folds", std::int64_t{3}}, {"repeats", n_repeats}}),
      RowsOf(data, rows), 3);
}

class IsolatedModes : public ::testing::TestWithParam<std::string> {
 protected:
  static std::vector<CellBlock> BlocksOf(const std::string& id) {
    std::vector<CellBlock> blocks;
    for (const DataPtr& data : Datasets()) {
      for (const bool scaled : {false, true}) {
        std::vector<std::shared_ptr<const Spec>> steps = {BundledSpec(Kind::kLearner, id, {})};
        if (scaled) steps.insert(steps.begin(), BundledSpec(Kind::kTransform, "standardize", {}));
        const auto pipeline = Pipeline::Make(std::move(steps));
        try {
          CheckCompatible(*pipeline, *data);
        } catch (const Error&) {
          continue;
        }
        const bool classes = data->num_classes() > 0;
        blocks.push_back(
            AllSplits(pipeline, SomeFolds(data, kSanitized ? 1 : 2), Isolation::kNone,
                      classes ? Metrics({"accuracy", "log_loss"}) : Metrics({"rmse", "mae"})));
      }
    }
    return blocks;
  }
};

TEST_P(IsolatedModes, GiveEqualBytes) {
  const std::vector<CellBlock> blocks = BlocksOf(GetParam());
  WorkerProcesses workers(WithLimits({}));
  RunOptions options;
  options.workers = 2;
  const auto none = BytesOf(RunIn(workers, blocks, options));
  EXPECT_FALSE(none.empty());
  EXPECT_EQ(BytesOf(RunIn(workers, With(blocks, Isolation::kWorker), options)), none);
  EXPECT_EQ(BytesOf(RunIn(workers, With(blocks, Isolation::kFresh), options)), none);
}

INSTANTIATE_TEST_SUITE_P(Bundled, IsolatedModes, ::testing::ValuesIn(LearnerIds()),
                         [](const auto& id) { return id.param.substr(id.param.find('.') + 1); });

TEST(IsolatedRunTest, ModesMayBeMixedInOneBatch) {
  const auto splits = SomeFolds(Mixed());
  std::vector<CellBlock> blocks;
  const Isolation modes[] = {Isolation::kWorker, Isolation::kNone, Isolation::kFresh};
  for (int i = 0; i < 9; ++i) {
    blocks.push_back(AllSplits(Learner("decision_tree", {}), splits, modes[i % 3]));
    blocks.back().seed = static_cast<std::uint64_t>(i);
  }
  WorkerProcesses workers(WithLimits({}));
  EXPECT_EQ(BytesOf(RunIn(workers, blocks)),
            BytesOf(RunIn(workers, With(blocks, Isolation::kNone))));
}

// Of plugins that are bundled or not; its components are never called. The learner may be a folder.
CellBlock AutoBlock(bool learner_bundled, bool metric_bundled, std::uint32_t process_flags = 0,
                    bool learner_in_child = false) {
  const auto spec = [](const Component& like, bool bundled, std::uint32_t flags, bool in_child) {
    const auto plugin = std::make_shared<LoadedPlugin>();
    plugin->bundled = bundled;
    plugin->runs_in_child = in_child;
    auto component = std::make_shared<Component>(like);
    component->plugin = plugin;
    component->process_flags = flags;
    return Spec::Make(component, {});
  };
  const auto learner = BundledSpec(Kind::kLearner, "knn", {});
  const auto metric = BundledSpec(Kind::kMetric, "accuracy", {});
  return AllSplits(Pipeline::Make({spec(learner->component(), learner_bundled, process_flags,
                                        learner_in_child)}),
                   Folds(Mixed(), 2), Isolation::kAuto,
                   std::make_shared<const MetricList>(
                       MetricList{spec(metric->component(), metric_bundled, 0, false)}));
}

TEST(IsolationOfTest, OnlyCellsOfBundledPluginsStayInTheProcess) {
  EXPECT_EQ(IsolationOf(AutoBlock(true, true), {}), Isolation::kNone);
  EXPECT_EQ(IsolationOf(AutoBlock(false, true), {}), Isolation::kWorker);
  EXPECT_EQ(IsolationOf(AutoBlock(true, false), {}), Isolation::kWorker);
}

TEST(IsolationOfTest, TheProgramOfAFolderHasAProcessAnyway) {
  EXPECT_EQ(IsolationOf(AutoBlock(false, true, 0, true), {}), Isolation::kNone);
  EXPECT_EQ(IsolationOf(AutoBlock(false, false, 0, true), {}), Isolation::kWorker);
  EXPECT_EQ(IsolationOf(AutoBlock(false, true, 0, true), {.seconds = 1}), Isolation::kWorker);
}

TEST(IsolationOfTest, LimitsAndPluginsThatAskForAProcessGetOne) {
  EXPECT_EQ(IsolationOf(AutoBlock(true, true), {.seconds = 1}), Isolation::kWorker);
  EXPECT_EQ(IsolationOf(AutoBlock(true, true), {.memory = 1}), Isolation::kWorker);
  EXPECT_EQ(IsolationOf(AutoBlock(true, true, CF_WANTS_CHILD_PROCESS), {}), Isolation::kWorker);
}

TEST(IsolationOfTest, ABlockThatSaysMoreIsTakenAtItsWord) {
  for (const Isolation told : {Isolation::kNone, Isolation::kWorker, Isolation::kFresh}) {
    EXPECT_EQ(IsolationOf(With({AutoBlock(false, false)}, told)[0], {.seconds = 1}), told);
  }
}

TEST(IsolatedRunTest, WhatIsNotKeptIsNotSent) {
  std::vector<CellBlock> blocks = {AllSplits(Learner("featureless", {}), SomeFolds(Mixed()),
                                             Isolation::kWorker, Metrics({"accuracy"}))};
  WorkerProcesses workers(WithLimits({}));
  for (const Keep keep : {Keep::kNothing, Keep::kLabels}) {
    blocks[0].keep = keep;
    const auto got = RunIn(workers, blocks);
    EXPECT_EQ(got[0].prediction.rows.empty(), keep == Keep::kNothing);
    EXPECT_EQ(BytesOf(got), BytesOf(RunIn(workers, With(blocks, Isolation::kNone))));
  }
}

TEST(IsolatedRunTest, OnFinishedMayChangeAndFailOutcomes) {
  const std::vector<CellBlock> blocks = {
      AllSplits(Learner("featureless", {}), SomeFolds(Mixed()), Isolation::kWorker)};
  RunOptions options;
  options.on_finished = [](std::size_t i, Outcome& outcome) {
    if (i == 1) throw std::runtime_error("not this one");
    outcome.warnings.push_back("seen " + std::to_string(i));
  };
  WorkerProcesses workers(WithLimits({}));
  const auto got = RunIn(workers, blocks, options);
  EXPECT_EQ(got[1].failure.stage, "on_finished");
  EXPECT_EQ(got[1].failure.message, "not this one");
  EXPECT_EQ(BytesOf(got), BytesOf(RunIn(workers, With(blocks, Isolation::kNone), options)));
}

TEST(IsolatedRunTest, LogLinesAndWarningsComeThrough) {
  const auto splits = SomeFolds(Mixed());
  std::mutex mutex;
  std::vector<std::string> lines;
  RunOptions options;
  options.log = [&](std::int32_t, const std::string& line) {
    const std::lock_guard lock(mutex);
    lines.push_back(line);
  };
  WorkerProcesses workers(WithLimits({}));
  const auto logging =
      AllSplits(Learner("debug", {{"action", std::string("log")}}), splits, Isolation::kWorker);
  RunIn(workers, {logging}, options);
  EXPECT_EQ(lines.size(), 6u);
  for (const std::string& line : lines) EXPECT_THAT(line, ::testing::HasSubstr("fit on "));
  const auto rounding = AllSplits(Learner("debug", {{"action", std::string("change_rounding")}}),
                                  splits, Isolation::kWorker);
  EXPECT_THAT(RunIn(workers, {rounding})[0].warnings,
              ::testing::ElementsAre("fit debug: changed the rounding mode"));
}

}  // namespace
}  // namespace crossfold
