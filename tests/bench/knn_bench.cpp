// k nearest neighbours for whole experiments, straight through the plugin boundary with one thread:
// 10 settings (k = 1, 3, 5, 7, 9, both weights) in stratified ten-fold cross-validation, and the
// same within five outer folds. Counters: processor seconds of prepare() and of all cross_predict()
// calls (the least of the rounds), and correct answers of the best setting, which knn_speed.py
// prints too. `plain` does without prepare(). Letter is read from the file that
// CROSSFOLD_BENCH_LETTER names: it is not part of the repository. See KNN_SPEED.md.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/plugin_host.h"
#include "crossfold/read_data.h"
#include "crossfold/spec.h"
#include "crossfold_plugin.h"

namespace crossfold {
namespace {

using DataPtr = std::shared_ptr<const Dataset>;
using Ids = std::vector<std::int64_t>;
using Folds = std::vector<std::int32_t>;

PluginHostOptions BundledPlugins() {
  PluginHostOptions options;
  options.paths = {CROSSFOLD_BENCH_PLUGINS};
  options.use_environment = options.use_user_folder = options.use_installation = false;
  return options;
}

DataPtr ReadClasses(const std::filesystem::path& file, const std::string& target) {
  ReadRequest request;
  request.roles.target = target;
  request.types[target] = ColumnType::kCategorical;
  return ReadData(PluginHost(BundledPlugins()), file.string(), request);
}

// The rows of each class are dealt to the folds in turn.
Folds Stratified(const Dataset& data, const Ids& rows, std::int32_t n_folds) {
  std::vector<std::int32_t> dealt(static_cast<std::size_t>(data.num_classes()));
  Folds folds;
  for (const std::int64_t row : rows) {
    const auto label = static_cast<std::size_t>(data.labels()[static_cast<std::size_t>(row)]);
    folds.push_back(dealt[label]++ % n_folds);
  }
  return folds;
}

// Processor time: that of the clock on a machine with nothing else to do.
double Seconds(const std::function<void()>& body) {
  const std::clock_t start = std::clock();
  body();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// The plugin as a host calls it.
class Knn {
 public:
  explicit Knn(DataPtr data) : data_(std::move(data)), plugins_(BundledPlugins()) {
    for (const char* weights : {"uniform", "distance"}) {
      for (const std::int64_t k : {1, 3, 5, 7, 9}) {
        const ParamValues values = {{"k", k}, {"weights", std::string(weights)}};
        specs_.push_back(Spec::Make(plugins_.Find(Kind::kLearner, "knn"), values));
        settings_.push_back({specs_.back()->args().data(), specs_.back()->args().size()});
      }
    }
    host_.struct_size = sizeof(host_);
    call_.struct_size = sizeof(call_);
    call_.host = &host_;
    call_.n_threads = 1;
    call_.self = specs_[0]->component().info();
    sink_.struct_size = sizeof(sink_);
    sink_.wanted = CF_NEEDS_LABELS;
    sink_.sink_data = this;
    sink_.seed = [](const cf_cross_sink*, std::size_t, std::int32_t) { return std::uint64_t{0}; };
    sink_.emit = &Count;
    sink_.fail = [](const cf_cross_sink*, std::size_t, std::int32_t, cf_status, const char*) {
      std::abort();
    };
  }
  Knn(const Knn&) = delete;
  ~Knn() { Forget(); }

  void Prepare() {
    Forget();
    const cf_table all = Table(nullptr);
    Require(prepare()->prepare(&call_, settings_[0].args, settings_[0].n_args, &all, &prepared_));
  }
  void Forget() {
    if (prepared_ != nullptr) prepare()->destroy(call_.self, prepared_);
    prepared_ = nullptr;
  }
  // The first n settings.
  void CrossPredict(const Ids& rows, const Folds& folds, std::int32_t n_folds,
                    std::size_t n_settings) {
    rows_ = &rows;
    correct_.assign(n_settings, 0);
    cf_table table = Table(rows.data());
    table.n_rows = static_cast<std::int64_t>(rows.size());
    table.target = data_->target();
    const auto* cross =
        specs_[0]->component().capability<cf_cap_cross_predict>(CF_CAP_CROSS_PREDICT);
    Require(cross->cross_predict(&call_, settings_.data(), n_settings, &table, folds.data(),
                                 n_folds, prepared_, &sink_));
  }
  std::int64_t best_correct() const { return *std::max_element(correct_.begin(), correct_.end()); }
  std::size_t num_settings() const { return settings_.size(); }
  const Dataset& data() const { return *data_; }

 private:
  const cf_cap_prepare* prepare() const {
    return specs_[0]->component().capability<cf_cap_prepare>(CF_CAP_PREPARE);
  }
  cf_table Table(const std::int64_t* rows) const {
    cf_table table{};
    table.struct_size = sizeof(table);
    table.n_rows_total = table.n_rows = data_->num_rows();
    table.rows = rows;
    table.n_features = data_->num_features();
    table.features = data_->features().data();
    return table;
  }
  static void Require(cf_status status) {
    if (status != CF_OK) std::abort();
  }
  static cf_status CF_CALL Count(const cf_cross_sink* sink, std::size_t setting,
                                 const std::int64_t* positions, std::int64_t n,
                                 const cf_prediction_view* p) {
    Knn& self = *static_cast<Knn*>(sink->sink_data);
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t row = (*self.rows_)[static_cast<std::size_t>(positions[i])];
      const bool hit = self.data_->labels()[static_cast<std::size_t>(row)] == p->labels[i];
      self.correct_[setting] += hit ? 1 : 0;
    }
    return CF_OK;
  }

  DataPtr data_;
  PluginHost plugins_;
  std::vector<std::shared_ptr<const Spec>> specs_;
  std::vector<cf_setting> settings_;
  cf_host host_{};
  cf_call call_{};
  cf_cross_sink sink_{};
  cf_prepared* prepared_ = nullptr;
  const Ids* rows_ = nullptr;
  std::vector<std::int64_t> correct_;
};

Ids AllRows(const Dataset& data) {
  Ids rows;
  for (std::int64_t i = 0; i < data.num_rows(); ++i) rows.push_back(i);
  return rows;
}

void TenFolds(Knn& knn) {
  const Ids rows = AllRows(knn.data());
  knn.CrossPredict(rows, Stratified(knn.data(), rows, 10), 10, knn.num_settings());
}

// All settings in ten folds of the training rows of each of five folds, and one of them outside.
void FiveTimesTenFolds(Knn& knn) {
  const Ids all = AllRows(knn.data());
  const Folds outer = Stratified(knn.data(), all, 5);
  for (std::int32_t fold = 0; fold < 5; ++fold) {
    Ids train;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (outer[i] != fold) train.push_back(all[i]);
    }
    knn.CrossPredict(train, Stratified(knn.data(), train, 10), 10, knn.num_settings());
  }
  knn.CrossPredict(all, outer, 5, 1);
}

void Time(benchmark::State& state, const std::string& dataset, bool prepares,
          void (*experiment)(Knn&)) {
  const char* letter = std::getenv("CROSSFOLD_BENCH_LETTER");
  if (dataset == "letter" && letter == nullptr) {
    return state.SkipWithError("CROSSFOLD_BENCH_LETTER names no file");
  }
  Knn knn(dataset == "letter"
              ? ReadClasses(letter, "lettr")
              : ReadClasses(std::filesystem::path(CROSSFOLD_BENCH_DATA) / "digits.csv", "class"));
  double prepare = std::numeric_limits<double>::infinity(), predict = prepare;
  for (auto _ : state) {
    knn.Forget();
    const double made = prepares ? Seconds([&] { knn.Prepare(); }) : 0;
    const double predicted = Seconds([&] { experiment(knn); });
    prepare = std::min(prepare, made);
    predict = std::min(predict, predicted);
    state.SetIterationTime(made + predicted);
  }
  state.counters["prepare_s"] = prepare;
  state.counters["predict_s"] = predict;
  state.counters["correct"] = static_cast<double>(knn.best_correct());
}

void Register(const char* name, const std::string& dataset, bool prepares,
              void (*experiment)(Knn&)) {
  benchmark::RegisterBenchmark(name, Time, dataset, prepares, experiment)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(5);
}

const bool kRegistered = [] {
  Register("digits/plain", "digits", false, &TenFolds);
  Register("digits/prepared", "digits", true, &TenFolds);
  Register("digits/nested", "digits", true, &FiveTimesTenFolds);
  Register("letter/plain", "letter", false, &TenFolds);
  Register("letter/prepared", "letter", true, &TenFolds);
  Register("letter/nested", "letter", true, &FiveTimesTenFolds);
  return true;
}();

}  // namespace
}  // namespace crossfold
