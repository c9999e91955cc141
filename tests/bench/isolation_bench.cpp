// What a cell costs in a process of its own, beside the same cells in this one:
// build/release/bench/ isolation_bench. Cells of featureless on iris, which take some microseconds;
// the time is of one cell. "shared": cells of naive_bayes, which one pass over all folds serves.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "crossfold/csv.h"
#include "crossfold/isolation.h"
#include "crossfold/plugin_host.h"

namespace crossfold {
namespace {

constexpr std::int64_t kRepeats = 500;
constexpr std::int64_t kFolds = 10;

const PluginHost& Plugins() {
  static const PluginHost host({.paths = {CROSSFOLD_BENCH_PLUGINS},
                                .use_environment = false,
                                .use_user_folder = false,
                                .use_installation = false,
                                .log = {}});
  return host;
}

std::shared_ptr<const Spec> MakeSpec(Kind kind, const char* id, const ParamValues& values = {}) {
  return Spec::Make(Plugins().Find(kind, id), values);
}

CellBlock Cells(const char* learner, std::int64_t repeats, Isolation isolation) {
  CsvOptions options;
  options.roles.target = "class";
  const auto iris = ReadCsv(CROSSFOLD_BENCH_DATA "/iris.csv", options);
  CellBlock block;
  block.learner = Pipeline::Make({MakeSpec(Kind::kLearner, learner)});
  block.splits =
      MakeSplits(*MakeSpec(Kind::kSplitter, "kfold", {{"folds", kFolds}, {"repeats", repeats}}),
                 {iris, nullptr}, 1);
  block.count = block.splits->size();
  block.metrics =
      std::make_shared<const MetricList>(MetricList{MakeSpec(Kind::kMetric, "accuracy")});
  block.keep = Keep::kLabels;
  block.isolation = isolation;
  return block;
}

IsolationOptions Options() { return {CROSSFOLD_BENCH_WORKER, {}}; }

void Run(benchmark::State& state, const char* learner, std::int64_t repeats, Isolation isolation) {
  const std::vector<CellBlock> blocks = {Cells(learner, repeats, isolation)};
  WorkerProcesses workers(Options());
  RunOptions options;
  options.workers = static_cast<int>(state.range(0));
  const auto run = [&] { RunIsolated(workers, blocks, options, [](std::size_t, Outcome&&) {}); };
  run();  // starts the processes
  for (auto _ : state) run();
  state.counters["per_cell"] = benchmark::Counter(
      static_cast<double>(blocks[0].count),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

#define CROSSFOLD_BENCH_MODES(name, learner, repeats)                         \
  BENCHMARK_CAPTURE(Run, name##_none, learner, repeats, Isolation::kNone)     \
      ->Arg(1)                                                                \
      ->Arg(2)                                                                \
      ->UseRealTime()                                                         \
      ->Unit(benchmark::kMillisecond);                                        \
  BENCHMARK_CAPTURE(Run, name##_worker, learner, repeats, Isolation::kWorker) \
      ->Arg(1)                                                                \
      ->Arg(2)                                                                \
      ->UseRealTime()                                                         \
      ->Unit(benchmark::kMillisecond)

CROSSFOLD_BENCH_MODES(alone, "featureless", kRepeats);
// Few enough for an item each.
CROSSFOLD_BENCH_MODES(alone_few, "featureless", 20);
CROSSFOLD_BENCH_MODES(shared, "naive_bayes", kRepeats);

// A process for every cell.
BENCHMARK_CAPTURE(Run, fresh, "featureless", 5, Isolation::kFresh)
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace crossfold
