// What a store costs: cells of a learner that does nothing, and of one that sleeps for 1 ms, each
// without a store, with a new one, and with one that has all of them. "per_cell" is the wall-clock
// time divided by the cells; the budgets are 15 microseconds more than without, and 5 % at 1 ms.
#include <benchmark/benchmark.h>

#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "crossfold/cell_store.h"
#include "crossfold/plugin_host.h"
#include "crossfold/read_data.h"
#include "crossfold/score.h"

namespace crossfold {
namespace {

PluginHostOptions BundledPlugins() {
  PluginHostOptions options;
  options.paths = {CROSSFOLD_BENCH_PLUGINS};
  options.use_environment = options.use_user_folder = options.use_installation = false;
  return options;
}

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "store-bench-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path store() const { return path_ / "store.cfdb"; }

 private:
  std::filesystem::path path_;
};

// `candidates` x 10 folds on iris, with one metric.
std::vector<CellBlock> BlocksOf(const PluginHost& plugins, const std::string& learner,
                                const ParamValues& values, int candidates) {
  ReadRequest request;
  request.roles.target = "class";
  const DataView iris{ReadData(plugins, CROSSFOLD_BENCH_DATA "/iris.csv", request), nullptr};
  const auto kfold =
      Spec::Make(plugins.Find(Kind::kSplitter, "kfold"), {{"folds", Value(std::int64_t{10})}});
  CellBlock block;
  block.splits = MakeSplits(*kfold, iris, 1);
  block.count = block.splits->size();
  auto metrics = std::make_shared<MetricList>();
  metrics->push_back(Spec::Make(plugins.Find(Kind::kMetric, "accuracy"), {}));
  block.metrics = metrics;
  block.learner = Pipeline::Make({Spec::Make(plugins.Find(Kind::kLearner, learner), values)});
  std::vector<CellBlock> blocks;
  for (int c = 0; c < candidates; ++c) {
    block.seed = static_cast<std::uint64_t>(c);
    blocks.push_back(block);
  }
  return blocks;
}

const RunEngine kPlain = [](std::span<const CellBlock> blocks, const RunOptions& options,
                            const TakeOutcome& take) { RunAndScore(blocks, options, take); };

enum Way { kWithout, kNew, kFull };

void Measure(benchmark::State& state, const std::string& learner, const ParamValues& values,
             int candidates) {
  const PluginHost plugins(BundledPlugins());
  const std::vector<CellBlock> blocks = BlocksOf(plugins, learner, values, candidates);
  RunOptions options;
  options.workers = static_cast<int>(state.range(1));
  const TakeOutcome take = [](std::size_t, Outcome&&) {};
  const Folder full;
  if (state.range(0) == kFull) {
    RunStored(*CellStore::Open(full.store()), blocks, options, kPlain, take);
  }
  for (auto _ : state) {
    if (state.range(0) == kWithout) {
      RunAndScore(blocks, options, take);
    } else if (state.range(0) == kNew) {
      const Folder fresh;  // removing it is part of the time
      RunStored(*CellStore::Open(fresh.store()), blocks, options, kPlain, take);
    } else {
      RunStored(*CellStore::Open(full.store()), blocks, options, kPlain, take);
    }
  }
  state.counters["per_cell"] = benchmark::Counter(
      static_cast<double>(candidates) * 10,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void NothingToDo(benchmark::State& state) { Measure(state, "featureless", {}, 1000); }
void OneMillisecond(benchmark::State& state) {
  Measure(state, "debug",
          {{"action", Value(std::string("sleep"))}, {"sleep_ms", Value(std::int64_t{1})}}, 1000);
}
BENCHMARK(NothingToDo)
    ->ArgsProduct({{kWithout, kNew, kFull}, {1, 2}})
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(OneMillisecond)
    ->ArgsProduct({{kWithout, kNew, kFull}, {1, 2}})
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace crossfold
