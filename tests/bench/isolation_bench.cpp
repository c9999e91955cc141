// What a cell costs in a process of its own, beside the same cells in this one:
// build/release/bench/ isolation_bench. Cells of featureless on iris, which take some microseconds;
// the time is of one cell. "shared": cells of naive_bayes, which one pass over all folds serves.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crossfold/isolation.h"
#include "crossfold/plugin_host.h"
#include "crossfold/read_data.h"

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
  ReadRequest request;
  request.roles.target = "class";
  const auto iris = ReadData(Plugins(), CROSSFOLD_BENCH_DATA "/iris.csv", request);
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

// Processor time of this process and of those that it started and that have ended, in seconds. Says
// more than the wall clock on a machine that does other things.
double ProcessorSeconds() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
      seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    }
  }
  return seconds;
}

void Run(benchmark::State& state, const char* learner, std::int64_t repeats, Isolation isolation) {
  const std::vector<CellBlock> blocks = {Cells(learner, repeats, isolation)};
  const double start = ProcessorSeconds();
  std::optional<WorkerProcesses> workers(std::in_place, Options());
  RunOptions options;
  options.workers = static_cast<int>(state.range(0));
  const auto run = [&] { RunIsolated(*workers, blocks, options, [](std::size_t, Outcome&&) {}); };
  run();  // starts the processes
  for (auto _ : state) run();
  workers.reset();
  const double runs = static_cast<double>(state.iterations()) + 1;
  state.counters["cpu_per_cell"] =
      (ProcessorSeconds() - start) / runs / static_cast<double>(blocks[0].count);
  state.counters["per_cell"] = benchmark::Counter(
      static_cast<double>(blocks[0].count),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void WithWorkers(benchmark::internal::Benchmark* bench) {
  bench->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(Run, alone_none, "featureless", kRepeats, Isolation::kNone)->Apply(WithWorkers);
BENCHMARK_CAPTURE(Run, alone_worker, "featureless", kRepeats, Isolation::kWorker)
    ->Apply(WithWorkers);
// Few enough for an item each.
BENCHMARK_CAPTURE(Run, few_none, "featureless", 20, Isolation::kNone)->Apply(WithWorkers);
BENCHMARK_CAPTURE(Run, few_worker, "featureless", 20, Isolation::kWorker)->Apply(WithWorkers);
BENCHMARK_CAPTURE(Run, shared_none, "naive_bayes", kRepeats, Isolation::kNone)->Apply(WithWorkers);
BENCHMARK_CAPTURE(Run, shared_worker, "naive_bayes", kRepeats, Isolation::kWorker)
    ->Apply(WithWorkers);
// A process for every cell.
BENCHMARK_CAPTURE(Run, fresh, "featureless", 5, Isolation::kFresh)->Apply(WithWorkers);

}  // namespace
}  // namespace crossfold
