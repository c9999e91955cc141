// A grid over the rounds of AdaBoost with stumps, 10 folds, one thread: columns sorted once, then
// one path of 50, 100, 200 and 400 rounds and four predictions a fold, through the C tables of the
// plugin as the engine calls them. "fits" are separate fits of every setting, for comparison. The
// counters "correct_<rounds>" are the rows that were predicted right, of all folds.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "crossfold/plugin_host.h"
#include "crossfold/read_data.h"
#include "crossfold/spec.h"
#include "engine/plugin/plugin_call.h"
#include "engine/run/fit_predict.h"

namespace crossfold {
namespace {

constexpr std::int64_t kFolds = 10;
constexpr std::array<std::int64_t, 4> kRounds = {50, 100, 200, 400};

PluginHostOptions BundledPlugins() {
  PluginHostOptions options;
  options.paths = {CROSSFOLD_BENCH_PLUGINS};
  options.use_environment = options.use_user_folder = options.use_installation = false;
  return options;
}

// Row i is in fold i modulo 10, as in adaboost_speed.py.
struct Folds {
  explicit Folds(const Dataset& data) {
    for (std::int64_t i = 0; i < data.num_rows(); ++i) {
      for (std::int64_t f = 0; f < kFolds; ++f) {
        (i % kFolds == f ? test : train)[static_cast<std::size_t>(f)].push_back(i);
      }
    }
  }
  std::array<std::vector<std::int64_t>, kFolds> train, test;
};

class Experiment {
 public:
  Experiment(const std::string& file, const std::string& target)
      : plugins_(BundledPlugins()), data_(Read(file, target)), folds_(*data_) {
    for (const std::int64_t rounds : kRounds) {
      specs_.push_back(
          Spec::Make(plugins_.Find(Kind::kLearner, "adaboost"), {{"rounds", Value(rounds)}}));
      values_.push_back(specs_.back()->args()[0].value);
    }
    labels_.resize(static_cast<std::size_t>(data_->num_rows()));
  }

  void RunByPath() {
    Clear();
    const auto* prepare = component().capability<cf_cap_prepare>(CF_CAP_PREPARE);
    const auto* path = component().capability<cf_cap_fit_path>(CF_CAP_FIT_PATH);
    cf_prepared* prepared = nullptr;
    const RowTable all = RowTable::ForPrediction(*data_, nullptr);
    const Spec& spec = *specs_[0];
    Call([&](const cf_call* c) {
      return prepare->prepare(c, spec.args().data(), spec.args().size(), &all.get(), &prepared);
    });
    for (std::size_t f = 0; f < kFolds; ++f) {
      const RowTable train = RowTable::ForTraining(*data_, &folds_.train[f]);
      cf_model* model = nullptr;
      Call([&](const cf_call* c) {
        return prepare->fit_path_prepared(c, spec.args().data(), spec.args().size(), "rounds",
                                          values_.data(), values_.size(), prepared, &train.get(),
                                          &model);
      });
      for (std::size_t v = 0; v < values_.size(); ++v) {
        Predict(f, v, [&](const cf_call* c, const cf_table* rows, cf_prediction* out) {
          return path->predict_at(c, model, v, rows, out);
        });
      }
      DestroyModel(component(), model);
    }
    prepare->destroy(component().info(), prepared);
  }

  void RunByFits() {
    Clear();
    for (std::size_t f = 0; f < kFolds; ++f) {
      const RowTable train = RowTable::ForTraining(*data_, &folds_.train[f]);
      for (std::size_t v = 0; v < specs_.size(); ++v) {
        const Spec& spec = *specs_[v];
        cf_model* model = nullptr;
        Call([&](const cf_call* c) {
          return component().learner->fit(c, spec.args().data(), spec.args().size(), &train.get(),
                                          &model);
        });
        Predict(f, v, [&](const cf_call* c, const cf_table* rows, cf_prediction* out) {
          return component().learner->predict(c, model, rows, out);
        });
        DestroyModel(component(), model);
      }
    }
  }

  void Report(benchmark::State& state) const {
    if (!failure_.empty()) state.SkipWithError(failure_.c_str());
    for (std::size_t v = 0; v < kRounds.size(); ++v) {
      state.counters["correct_" + std::to_string(kRounds[v])] = static_cast<double>(correct_[v]);
    }
  }

 private:
  std::shared_ptr<const Dataset> Read(const std::string& file, const std::string& target) const {
    ReadRequest request;
    request.roles.target = target;
    return ReadData(plugins_, file, request);
  }

  const Component& component() const { return specs_[0]->component(); }

  void Clear() { correct_.fill(0); }

  void Call(const std::function<cf_status(const cf_call*)>& body) {
    const CallResult result = CallPlugin(component(), {}, body);
    if (!result.ok()) failure_ = result.message;
  }

  template <class Body>
  void Predict(std::size_t fold, std::size_t value, const Body& body) {
    const std::vector<std::int64_t>& ids = folds_.test[fold];
    const RowTable rows = RowTable::ForPrediction(*data_, &ids);
    cf_prediction out{};
    out.struct_size = sizeof out;
    out.n_rows = static_cast<std::int64_t>(ids.size());
    out.n_classes = data_->num_classes();
    out.labels = labels_.data();
    Call([&](const cf_call* c) { return body(c, &rows.get(), &out); });
    for (std::size_t i = 0; i < ids.size(); ++i) {
      correct_[value] += labels_[i] == data_->labels()[static_cast<std::size_t>(ids[i])] ? 1 : 0;
    }
  }

  PluginHost plugins_;
  std::shared_ptr<const Dataset> data_;
  Folds folds_;
  std::vector<std::shared_ptr<const Spec>> specs_;
  std::vector<cf_value> values_;
  std::vector<std::int32_t> labels_;
  std::array<std::int64_t, kRounds.size()> correct_{};
  std::string failure_;
};

void Register(const std::string& name, const std::string& file, const std::string& target) {
  const auto add = [&](const std::string& route, void (Experiment::*run)()) {
    const auto body = [=](benchmark::State& state) {
      Experiment experiment(file, target);
      for (auto _ : state) (experiment.*run)();
      experiment.Report(state);
    };
    benchmark::RegisterBenchmark((route + "/" + name).c_str(), body)->Unit(benchmark::kMillisecond);
  };
  add("path", &Experiment::RunByPath);
  add("fits", &Experiment::RunByFits);
}

}  // namespace
}  // namespace crossfold

// usage: adaboost_bench [--benchmark_...] [FOLDER with spam.csv]
int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  crossfold::Register("breast_cancer", CROSSFOLD_BENCH_DATA "/breast_cancer.csv", "class");
  if (argc > 1) crossfold::Register("spam", std::string(argv[1]) + "/spam.csv", "type");
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
