// What the framework itself costs: cells of a learner that does nothing, 1000 candidates x 10 folds
// on iris. "per_cell" is the wall-clock time divided by the cells; the budget is 20 microseconds.
#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "crossfold/plugin_host.h"
#include "crossfold/read_data.h"
#include "crossfold/score.h"

namespace crossfold {
namespace {

constexpr int kCandidates = 1000;

PluginHostOptions BundledPlugins() {
  PluginHostOptions options;
  options.paths = {CROSSFOLD_BENCH_PLUGINS};
  options.use_environment = options.use_user_folder = options.use_installation = false;
  return options;
}

std::vector<Cell> FeaturelessCells(const PluginHost& plugins) {
  ReadRequest request;
  request.roles.target = "class";
  const DataView iris{ReadData(plugins, CROSSFOLD_BENCH_DATA "/iris.csv", request), nullptr};
  const auto kfold =
      Spec::Make(plugins.Find(Kind::kSplitter, "kfold"), {{"folds", Value(std::int64_t{10})}});
  const auto splits = MakeSplits(*kfold, iris, 1);
  auto metrics = std::make_shared<MetricList>();
  metrics->push_back(Spec::Make(plugins.Find(Kind::kMetric, "accuracy"), {}));
  std::vector<Cell> cells;
  for (int c = 0; c < kCandidates; ++c) {
    const auto learner =
        Pipeline::Make({Spec::Make(plugins.Find(Kind::kLearner, "featureless"), {})});
    for (std::int64_t f = 0; f < splits->size(); ++f) {
      cells.push_back(
          Cell{learner, splits, f, static_cast<std::uint64_t>(c), metrics, Keep::kNothing});
    }
  }
  return cells;
}

void FrameworkOverhead(benchmark::State& state) {
  const PluginHost plugins(BundledPlugins());
  const std::vector<Cell> cells = FeaturelessCells(plugins);
  RunOptions options;
  options.workers = static_cast<int>(state.range(0));
  for (auto _ : state) {
    const auto outcomes = RunAndScore(cells, options);
    if (outcomes.back().status != OutcomeStatus::kOk) state.SkipWithError("a cell failed");
  }
  state.counters["per_cell"] = benchmark::Counter(
      static_cast<double>(cells.size()),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(FrameworkOverhead)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace crossfold
