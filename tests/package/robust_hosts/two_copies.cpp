// Two plugin hosts of the static library, and two contexts of libcrossfold.so, in one process and
// at the same time: all give the same numbers.
//   two_copies LIBRARY PLUGIN_FOLDER FILE
#include <memory>
#include <thread>

#include "crossfold/experiment.h"
#include "crossfold/plugin_host.h"
#include "crossfold/read_data.h"
#include "crossfold/spec_text.h"
#include "experiment.h"

namespace {

using namespace crossfold;

std::shared_ptr<const Pipeline> Learner(const PluginHost& plugins, const char* text) {
  return Pipeline::Make({ParseSpec(Kind::kLearner, text, plugins)});
}

// kExperiment through the static library.
std::vector<double> RunStatic(const std::string& folder, const std::string& file) {
  PluginHostOptions options;
  options.paths = {folder};
  const PluginHost plugins(options);
  ReadRequest request;
  request.roles.target = "class";
  Experiment experiment;
  experiment.seed = 42;
  experiment.splits = MakeExperimentSplits(*ParseSpec(Kind::kSplitter, "kfold{folds=5}", plugins),
                                           DataView{ReadData(plugins, file, request), nullptr}, 42);
  experiment.learners = {
      {"bad", Learner(plugins, "debug{action=throw_in_fit}")},
      {"bayes", Learner(plugins, "naive_bayes")},
      {"floor", Learner(plugins, "featureless")},
      {"forest", Learner(plugins, "random_forest{trees=5}")},
      {"logistic", Pipeline::Make({ParseSpec(Kind::kTransform, "standardize", plugins),
                                   ParseSpec(Kind::kLearner, "logistic_regression", plugins)})}};
  experiment.metrics = {ParseSpec(Kind::kMetric, "accuracy", plugins),
                        ParseSpec(Kind::kMetric, "log_loss", plugins)};
  RunOptions run;
  run.workers = 3;
  std::vector<double> scores;
  for (const FoldResult& fold : RunExperiment(experiment, run).folds) {
    for (const Score& score : fold.outcome.scores) scores.push_back(score.value);
  }
  return scores;
}

}  // namespace

int main(int argc, char** argv) {
  return Report([&] {
    Demand(argc == 4, "three arguments are needed");
    const std::string plugins = argv[2], file = argv[3];
    void* handle = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    Demand(handle != nullptr, handle == nullptr ? dlerror() : "");
    const Library library = LibraryIn(handle);
    std::vector<double> found[4];
    std::thread threads[4];
    for (int i = 0; i < 4; ++i) {
      threads[i] = std::thread([&, i] {
        try {
          found[i] = i < 2 ? RunStatic(plugins, file) : Session(library, plugins).Run(file);
        } catch (const std::exception& error) {
          std::printf("thread %d: %s\n", i, error.what());
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    Demand(found[0].size() == 40, "no scores");
    for (const auto& scores : found) Demand(scores == found[0], "the numbers differ");
  });
}
