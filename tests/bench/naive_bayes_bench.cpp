// Naive Bayes across folds, one thread, labels alone, through the plugin's boundary: the cases that
// naive_bayes_speed.py also times with scikit-learn, and leave-one-out with scikit-learn's
// smoothing.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/plugin_host.h"
#include "crossfold/read_data.h"
#include "crossfold/spec.h"
#include "crossfold_plugin/capability.h"
#include "crossfold_plugin/metric.h"
#include "crossfold_plugin/random.hpp"
#include "engine/plugin/plugin_call.h"
#include "engine/run/fit_predict.h"

namespace crossfold {
namespace {

using DataPtr = std::shared_ptr<const Dataset>;
using Folds = std::vector<std::int32_t>;

PluginHostOptions BundledPlugins() {
  PluginHostOptions options;
  options.paths = {CROSSFOLD_BENCH_PLUGINS};
  options.use_environment = options.use_user_folder = options.use_installation = false;
  return options;
}

DataPtr Read(const std::string& file, const std::string& target) {
  ReadRequest request;
  request.roles.target = target;
  return ReadData(PluginHost(BundledPlugins()), CROSSFOLD_BENCH_TABLES "/" + file, request);
}

// 100,000 x 20 normal numbers, those of class 1 with mean 0.1.
DataPtr ManyNumbers() {
  constexpr std::size_t kRows = 100'000, kColumns = 20;
  plugin::Random random(1);
  std::vector<std::int32_t> labels(kRows);
  for (std::int32_t& label : labels) label = static_cast<std::int32_t>(random.Below(2));
  std::vector<Column> columns;
  for (std::size_t j = 0; j < kColumns; ++j) {
    std::vector<double> x(kRows);
    for (std::size_t i = 0; i < kRows; ++i) x[i] = random.Normal() + 0.1 * labels[i];
    columns.push_back(Column::Doubles("x" + std::to_string(j), std::move(x)));
  }
  columns.push_back(Column::Categories("class", labels, {"a", "b"}));
  Roles roles;
  roles.target = "class";
  return Dataset::Create("numbers", std::move(columns), roles);
}

// So many repeats of ten folds of random rows.
std::vector<Folds> TenFolds(std::int64_t n_rows, int repeats) {
  std::vector<Folds> partitions;
  plugin::Random random(2);
  for (int repeat = 0; repeat < repeats; ++repeat) {
    Folds folds(static_cast<std::size_t>(n_rows));
    for (std::size_t i = 0; i < folds.size(); ++i) folds[i] = static_cast<std::int32_t>(i % 10);
    random.Shuffle(std::span<std::int32_t>(folds));
    partitions.push_back(std::move(folds));
  }
  return partitions;
}

std::vector<Folds> EachRowAlone(std::int64_t n_rows) {
  Folds folds(static_cast<std::size_t>(n_rows));
  std::iota(folds.begin(), folds.end(), 0);
  return {folds};
}

// Keeps labels, as a host does that scores them.
struct Labels {
  explicit Labels(std::int64_t n_rows) : labels(static_cast<std::size_t>(n_rows), -1) {
    sink.struct_size = sizeof(cf_cross_sink);
    sink.wanted = CF_NEEDS_LABELS;
    sink.sink_data = this;
    sink.seed = [](const cf_cross_sink*, std::size_t, std::int32_t) { return std::uint64_t{1}; };
    sink.emit = [](const cf_cross_sink* to, std::size_t, const std::int64_t* positions,
                   std::int64_t n, const cf_prediction_view* p) -> cf_status {
      auto& kept = static_cast<Labels*>(to->sink_data)->labels;
      for (std::int64_t i = 0; i < n; ++i) {
        kept[static_cast<std::size_t>(positions[i])] = p->labels[i];
      }
      return CF_OK;
    };
    sink.fail = [](const cf_cross_sink*, std::size_t, std::int32_t, cf_status, const char*) {};
  }
  cf_cross_sink sink{};
  std::vector<std::int32_t> labels;
};

// What the learner prepares of a dataset, as a host has it made once for several calls.
class Prepared {
 public:
  Prepared(const Spec& spec, const DataPtr& data)
      : self_(spec.component().info()),
        table_(spec.component().capability<cf_cap_prepare>(CF_CAP_PREPARE)) {
    const RowTable rows = RowTable::ForPrediction(*data, nullptr);
    const CallResult result = CallPlugin(spec.component(), {}, [&](const cf_call* call) {
      return table_->prepare(call, spec.args().data(), spec.args().size(), &rows.get(), &prepared_);
    });
    if (!result.message.empty()) throw std::runtime_error(result.message);
  }
  Prepared(const Prepared&) = delete;
  ~Prepared() { table_->destroy(self_, prepared_); }

  const cf_prepared* get() const { return prepared_; }

 private:
  const cf_info* self_;
  const cf_cap_prepare* table_;
  cf_prepared* prepared_ = nullptr;
};

void CrossPredict(const Spec& spec, const cf_table& rows, const Folds& folds,
                  const cf_prepared* prepared, Labels* labels) {
  const auto* table = spec.component().capability<cf_cap_cross_predict>(CF_CAP_CROSS_PREDICT);
  const cf_setting setting{spec.args().data(), spec.args().size()};
  const std::int32_t n_folds = *std::max_element(folds.begin(), folds.end()) + 1;
  const CallResult result = CallPlugin(spec.component(), {}, [&](const cf_call* call) {
    return table->cross_predict(call, &setting, 1, &rows, folds.data(), n_folds, prepared,
                                &labels->sink);
  });
  if (!result.message.empty()) throw std::runtime_error(result.message);
}

void Time(benchmark::State& state, const DataPtr& data, const std::vector<Folds>& partitions,
          const ParamValues& params = {}) {
  const PluginHost plugins(BundledPlugins());
  const auto spec = Spec::Make(plugins.Find(Kind::kLearner, "naive_bayes"), params);
  const RowTable rows = RowTable::ForTraining(*data, nullptr);
  Labels labels(data->num_rows());
  for (auto _ : state) {
    // As the host does: from the second call on it pays to prepare.
    std::optional<Prepared> prepared;
    if (partitions.size() > 1) prepared.emplace(*spec, data);
    for (const Folds& folds : partitions) {
      CrossPredict(*spec, rows.get(), folds, prepared.has_value() ? prepared->get() : nullptr,
                   &labels);
    }
  }
  std::int64_t right = 0;
  for (std::size_t i = 0; i < labels.labels.size(); ++i) {
    right += labels.labels[i] == data->labels()[i] ? 1 : 0;
  }
  state.counters["accuracy"] = static_cast<double>(right) / static_cast<double>(data->num_rows());
}

bool HasTable(benchmark::State& state, const std::string& file) {
  const auto path = std::filesystem::path(CROSSFOLD_BENCH_TABLES) / file;
  const bool there = std::filesystem::exists(path);
  if (!there) state.SkipWithError((path.string() + " is not there").c_str());
  return there;
}

void LetterTenTimesTenFolds(benchmark::State& state) {
  if (!HasTable(state, "letter.csv")) return;
  const DataPtr letter = Read("letter.csv", "lettr");
  Time(state, letter, TenFolds(letter->num_rows(), 10));
}
void NumbersTenTimesTenFolds(benchmark::State& state) {
  const DataPtr numbers = ManyNumbers();
  Time(state, numbers, TenFolds(numbers->num_rows(), 10));
}
void SpamLeaveOneOut(benchmark::State& state, const ParamValues& params) {
  if (!HasTable(state, "spam.csv")) return;
  const DataPtr spam = Read("spam.csv", "type");
  Time(state, spam, EachRowAlone(spam->num_rows()), params);
}
void NumbersLeaveOneOut(benchmark::State& state, const ParamValues& params) {
  const DataPtr numbers = ManyNumbers();
  Time(state, numbers, EachRowAlone(numbers->num_rows()), params);
}
// What scikit-learn's GaussianNB does.
ParamValues Smoothed() { return {{"var_smoothing", 1e-9}, {"min_sd", 0.0}}; }

BENCHMARK(LetterTenTimesTenFolds)->Unit(benchmark::kMillisecond);
BENCHMARK(NumbersTenTimesTenFolds)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(SpamLeaveOneOut, defaults, ParamValues{})
    ->Name("SpamLeaveOneOut")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(SpamLeaveOneOut, smoothed, Smoothed())
    ->Name("SpamLeaveOneOutSmoothed")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(NumbersLeaveOneOut, defaults, ParamValues{})
    ->Name("NumbersLeaveOneOut")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(NumbersLeaveOneOut, smoothed, Smoothed())
    ->Name("NumbersLeaveOneOutSmoothed")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace crossfold
