// Runs an experiment on columns of its own with the engine alone: k nearest neighbours on iris, ten
// folds. It opens the plugins by itself, where other hosts let PluginHost find them.
//   engine_host FILE PLUGIN_FOLDER [decline]
#include <dlfcn.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/enter_plugin.h"
#include "crossfold/score.h"
#include "crossfold/spec.h"
#include "crossfold/split.h"

namespace {

using namespace crossfold;

// A plugin that cannot be used on this machine.
const cf_plugin* Decline(std::uint32_t, const cf_host* host) {
  host->log(host, CF_LOG_ERROR, "needs a graphics card");
  return nullptr;
}

std::vector<std::shared_ptr<const Component>> Open(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) throw std::runtime_error(dlerror());
  const auto entry = reinterpret_cast<cf_plugin_fn>(dlsym(library, "crossfold_plugin_v1"));
  return EnterPlugin(entry).components;
}

std::shared_ptr<const Spec> Use(const std::string& folder, const std::string& file,
                                const std::string& id, const ParamValues& values) {
  for (const auto& component : Open(folder + "/" + file + ".crossfold.so")) {
    if (ShortId(component->id) == id) return Spec::Make(component, values);
  }
  throw std::runtime_error("there is no " + id);
}

// Four columns of numbers and the species.
std::shared_ptr<const Dataset> ReadIris(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::vector<std::vector<double>> numbers(4);
  std::vector<std::int32_t> species;
  std::vector<std::string> names;
  std::getline(file, line);
  while (std::getline(file, line)) {
    const char* at = line.data();
    for (std::vector<double>& column : numbers) {
      at = std::from_chars(at, line.data() + line.size(), column.emplace_back()).ptr + 1;
    }
    if (names.empty() || names.back() != at) names.emplace_back(at);  // the file is sorted by it
    species.push_back(static_cast<std::int32_t>(names.size()) - 1);
  }
  std::vector<Column> columns;
  for (std::size_t c = 0; c < numbers.size(); ++c) {
    columns.push_back(Column::Doubles("x" + std::to_string(c), std::move(numbers[c])));
  }
  columns.push_back(Column::Categories("species", std::move(species), std::move(names)));
  Roles roles;
  roles.target = "species";
  return Dataset::Create("iris", std::move(columns), roles);
}

int Run(const std::string& file, const std::string& plugins) {
  const auto data = ReadIris(file);
  const auto knn = Pipeline::Make({Use(plugins, "knn", "knn", {{"k", std::int64_t{5}}})});
  const auto kfold =
      Use(plugins, "kfold", "kfold", {{"folds", std::int64_t{10}}, {"shuffle", false}});
  const auto splits = MakeSplits(*kfold, DataView{data, nullptr}, /*seed=*/1);
  const auto metrics =
      std::make_shared<const MetricList>(MetricList{Use(plugins, "label_metrics", "accuracy", {})});
  CheckCompatible(*knn, *data);
  const CellBlock cells{.learner = knn,
                        .splits = splits,
                        .count = splits->size(),
                        .seed = 1,
                        .metrics = metrics,
                        .keep = Keep::kNothing};
  double sum = 0, correct = 0;
  RunOptions options;
  options.workers = 1;
  RunAndScore({&cells, 1}, options, [&](std::size_t, Outcome&& outcome) {
    sum += outcome.scores.at(0).value;
    correct += outcome.scores.at(0).value * static_cast<double>(outcome.n_test);
  });
  std::printf("accuracy: %.4f, %.0f of %lld\n", sum / static_cast<double>(splits->size()),
              std::round(correct), static_cast<long long>(data->num_rows()));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc > 3) EnterPlugin(&Decline);
    return Run(argv[1], argv[2]);
  } catch (const std::exception& e) {
    std::printf("%s\n", e.what());
    return 1;
  }
}
