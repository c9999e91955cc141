// Metrics of 1,000,000 rows and 10 classes: all in one call, where those that can share one pass
// over the probabilities, against one call a metric. `ratio` is the time of the single calls by
// that of the common one, each the median of the rounds, which take turns.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/plugin_host.h"
#include "crossfold/score.h"
#include "crossfold/spec.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold {
namespace {

constexpr std::size_t kRows = 1'000'000;
constexpr std::size_t kClasses = 10;

PluginHostOptions BundledPlugins() {
  PluginHostOptions options;
  options.paths = {CROSSFOLD_BENCH_PLUGINS};
  options.use_environment = options.use_user_folder = options.use_installation = false;
  return options;
}

struct Matrix {
  std::shared_ptr<const Dataset> truth;
  Prediction prediction;
};

// Random probabilities; the true class has more of them.
Matrix MakeMatrix() {
  plugin::Random random(1);
  Matrix made;
  std::vector<std::int32_t> truth(kRows);
  Prediction& p = made.prediction;
  p.n_classes = kClasses;
  p.rows.resize(kRows);
  std::iota(p.rows.begin(), p.rows.end(), std::int64_t{0});
  p.probabilities.resize(kRows * kClasses);
  for (std::size_t i = 0; i < kRows; ++i) {
    truth[i] = static_cast<std::int32_t>(random.Below(kClasses));
    const auto row = p.probabilities.begin() + static_cast<std::ptrdiff_t>(i * kClasses);
    const auto end = row + kClasses;
    std::generate(row, end, [&] { return random.Uniform(); });
    row[truth[i]] += 1;
    const double sum = std::accumulate(row, end, 0.0);
    std::transform(row, end, row, [sum](double x) { return x / sum; });
    p.labels.push_back(static_cast<std::int32_t>(std::max_element(row, end) - row));
  }
  std::vector<std::string> names;
  for (std::size_t c = 0; c < kClasses; ++c) names.push_back("class " + std::to_string(c));
  Roles roles;
  roles.target = "class";
  made.truth = Dataset::Create("bench", {Column::Categories("class", truth, names)}, roles);
  return made;
}

double Seconds(const auto& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double Median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

void TogetherAndOneByOne(benchmark::State& state, const std::vector<std::string>& ids) {
  const PluginHost plugins(BundledPlugins());
  static const Matrix matrix = MakeMatrix();
  MetricList metrics;
  for (const std::string& id : ids) {
    metrics.push_back(Spec::Make(plugins.Find(Kind::kMetric, id), {}));
  }
  std::vector<double> together, single, ratios;
  for (auto _ : state) {
    together.push_back(Seconds([&] {
      benchmark::DoNotOptimize(ScorePredictions(metrics, *matrix.truth, matrix.prediction));
    }));
    single.push_back(Seconds([&] {
      for (const auto& metric : metrics) {
        benchmark::DoNotOptimize(ScorePrediction(*metric, *matrix.truth, matrix.prediction));
      }
    }));
    ratios.push_back(single.back() / together.back());
    state.SetIterationTime(together.back());
  }
  state.counters["together_s"] = Median(together);
  state.counters["single_s"] = Median(single);
  state.counters["ratio"] = Median(ratios);
}

BENCHMARK_CAPTURE(TogetherAndOneByOne, cheap,
                  {"accuracy", "error_rate", "brier", "top_k_accuracy", "spherical_score",
                   "expected_calibration_error", "max_calibration_error"})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(15);
BENCHMARK_CAPTURE(TogetherAndOneByOne, with_log_loss,
                  {"accuracy", "error_rate", "log_loss", "brier", "top_k_accuracy",
                   "spherical_score", "expected_calibration_error", "max_calibration_error"})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(15);
// For comparison: the same five as metrics_speed.py.
BENCHMARK_CAPTURE(TogetherAndOneByOne, as_scikit_learn,
                  {"accuracy", "error_rate", "log_loss", "brier", "top_k_accuracy"})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(15);

}  // namespace
}  // namespace crossfold
