// A grid of decision trees through the plugin boundary, as the engine asks for it: 6 depths x 4
// leaf sizes x 2 criteria on 10 folds, by one fit_path_prepared() a fold, leaf size and criterion
// and one predict_at() a depth; and a learning curve of 10 sizes x 20 repeats by single fits.
// tree_speed.py times the same in scikit-learn. One thread.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/plugin_host.h"
#include "crossfold/read_data.h"
#include "crossfold/spec.h"
#include "crossfold_plugin/random.hpp"
#include "engine/plugin/plugin_call.h"
#include "engine/run/fit_predict.h"

namespace crossfold {
namespace {

using RowIds = std::vector<std::int64_t>;
constexpr std::int64_t kFolds = 10;
constexpr std::int64_t kNoDepth = -1;
const std::vector<std::int64_t> kDepths = {2, 4, 6, 8, 12, kNoDepth};
const std::vector<double> kLeafSizes = {1, 2, 5, 10};
const std::vector<std::string> kCriteria = {"gini", "entropy"};

const PluginHost& Plugins() {
  static const PluginHost host({.paths = {CROSSFOLD_BENCH_PLUGINS},
                                .use_environment = false,
                                .use_user_folder = false,
                                .use_installation = false,
                                .log = {}});
  return host;
}

std::filesystem::path PathOf(const std::string& name) {
  return std::filesystem::path(CROSSFOLD_BENCH_TABLES) / (name + ".csv");
}

std::shared_ptr<const Dataset> Read(const std::string& name, const std::string& target) {
  ReadRequest request;
  request.roles.target = target;
  return ReadData(Plugins(), PathOf(name).string(), request);
}

bool HasTable(benchmark::State& state, const std::string& name) {
  const bool there = std::filesystem::exists(PathOf(name));
  if (!there) state.SkipWithError((PathOf(name).string() + " is not there").c_str());
  return there;
}

template <class Body>
void Call(const Spec& spec, const Body& body) {
  CallOptions options;
  options.seed = 1;
  const CallResult result = CallPlugin(spec.component(), options, body);
  if (!result.message.empty()) throw std::runtime_error(result.message);
}

// Row i is tested in fold i modulo 10.
RowIds RowsOfFold(std::int64_t n_rows, std::int64_t fold, bool test) {
  RowIds rows;
  for (std::int64_t i = 0; i < n_rows; ++i) {
    if ((i % kFolds == fold) == test) rows.push_back(i);
  }
  return rows;
}

class TreeGrid {
 public:
  explicit TreeGrid(std::shared_ptr<const Dataset> data) : data_(std::move(data)) {
    for (const std::int64_t depth : kDepths) {
      cf_value value{};
      value.is_null = depth == kNoDepth ? 1 : 0;
      value.u.i = depth;
      depths_.push_back(value);
    }
  }

  // Correct predictions over all settings and folds.
  std::int64_t Run() {
    const auto spec = SpecOf(1, "gini");
    const auto* table = spec->component().capability<cf_cap_prepare>(CF_CAP_PREPARE);
    const RowTable all = RowTable::ForPrediction(*data_, nullptr);
    cf_prepared* prepared = nullptr;
    Call(*spec, [&](const cf_call* call) {
      return table->prepare(call, spec->args().data(), spec->args().size(), &all.get(), &prepared);
    });
    std::int64_t correct = 0;
    for (std::int64_t fold = 0; fold < kFolds; ++fold) correct += RunFold(fold, table, prepared);
    table->destroy(spec->component().info(), prepared);
    return correct;
  }

 private:
  static std::shared_ptr<const Spec> SpecOf(double min_leaf, const std::string& criterion) {
    return Spec::Make(Plugins().Find(Kind::kLearner, "decision_tree"),
                      {{"min_leaf", min_leaf}, {"criterion", criterion}});
  }

  std::int64_t RunFold(std::int64_t fold, const cf_cap_prepare* table,
                       const cf_prepared* prepared) const {
    const RowIds train = RowsOfFold(data_->num_rows(), fold, false);
    const RowIds test = RowsOfFold(data_->num_rows(), fold, true);
    const RowTable train_rows = RowTable::ForTraining(*data_, &train);
    std::int64_t correct = 0;
    for (const double min_leaf : kLeafSizes) {
      for (const std::string& criterion : kCriteria) {
        const auto spec = SpecOf(min_leaf, criterion);
        cf_model* model = nullptr;
        Call(*spec, [&](const cf_call* call) {
          return table->fit_path_prepared(call, spec->args().data(), spec->args().size(),
                                          "max_depth", depths_.data(), depths_.size(), prepared,
                                          &train_rows.get(), &model);
        });
        for (std::size_t d = 0; d < depths_.size(); ++d) {
          correct += CountCorrect(*spec, model, d, test);
        }
        spec->component().learner->destroy(spec->component().info(), model);
      }
    }
    return correct;
  }

  std::int64_t CountCorrect(const Spec& spec, const cf_model* model, std::size_t depth,
                            const RowIds& test) const {
    const auto* path = spec.component().capability<cf_cap_fit_path>(CF_CAP_FIT_PATH);
    const RowTable rows = RowTable::ForPrediction(*data_, &test);
    std::vector<std::int32_t> labels(test.size());
    cf_prediction out{};
    out.struct_size = sizeof(out);
    out.n_rows = static_cast<std::int64_t>(test.size());
    out.n_classes = data_->num_classes();
    out.labels = labels.data();
    Call(spec, [&](const cf_call* call) {
      return path->predict_at(call, model, depth, &rows.get(), &out);
    });
    std::int64_t correct = 0;
    for (std::size_t i = 0; i < test.size(); ++i) {
      correct += labels[i] == data_->labels()[static_cast<std::size_t>(test[i])] ? 1 : 0;
    }
    return correct;
  }

  std::shared_ptr<const Dataset> data_;
  std::vector<cf_value> depths_;
};

void Grid(benchmark::State& state, const std::string& name, const std::string& target) {
  if (!HasTable(state, name)) return;
  TreeGrid grid(Read(name, target));
  std::int64_t correct = 0;
  for (auto _ : state) correct = grid.Run();
  state.counters["correct"] = static_cast<double>(correct);
}

// A tenth, two tenths, ... of nine tenths of the rows, drawn again for every repeat.
std::vector<RowIds> Subsets(std::int64_t n_rows) {
  plugin::Random random(1);
  std::vector<RowIds> subsets;
  for (int repeat = 0; repeat < 20; ++repeat) {
    RowIds rows(static_cast<std::size_t>(n_rows));
    std::iota(rows.begin(), rows.end(), std::int64_t{0});
    random.Shuffle(std::span<std::int64_t>(rows));
    for (std::int64_t size = 1; size <= 10; ++size) {
      subsets.emplace_back(rows.begin(), rows.begin() + size * n_rows * 9 / 100);
      std::sort(subsets.back().begin(), subsets.back().end());
    }
  }
  return subsets;
}

void LearningCurve(benchmark::State& state) {
  if (!HasTable(state, "letter")) return;
  const auto data = Read("letter", "lettr");
  const auto spec = Spec::Make(Plugins().Find(Kind::kLearner, "decision_tree"), ParamValues{});
  const std::vector<RowIds> subsets = Subsets(data->num_rows());
  for (auto _ : state) {
    for (const RowIds& train : subsets) {
      const RowTable table = RowTable::ForTraining(*data, &train);
      cf_model* model = nullptr;
      Call(*spec, [&](const cf_call* call) {
        return spec->component().learner->fit(call, spec->args().data(), spec->args().size(),
                                              &table.get(), &model);
      });
      spec->component().learner->destroy(spec->component().info(), model);
    }
  }
}

BENCHMARK_CAPTURE(Grid, letter, "letter", "lettr")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Grid, spam, "spam", "type")->Unit(benchmark::kMillisecond);
BENCHMARK(LearningCurve)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace crossfold
