// A program that compares learners on columns that it has in memory.
//   columns_host FILE PLUGIN_FOLDER [STOP_AFTER]
// With STOP_AFTER it cancels the run after so many cells.
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>

#include "crossfold/experiment.h"
#include "crossfold/plugin_host.h"
#include "crossfold/spec_text.h"
#include "measurements.h"

namespace {

using namespace crossfold;

// The shortest text that reads back as the same number, whatever the locale.
std::string Shortest(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

//###begin plugins
std::unique_ptr<PluginHost> FindPlugins(const std::string& folder) {
  PluginHostOptions options;
  options.paths = {folder};
  options.log = [](std::int32_t level, const std::string& line) {
    if (level >= CF_LOG_WARN) std::fprintf(stderr, "columns_host: %s\n", line.c_str());
  };
  return std::make_unique<PluginHost>(std::move(options));
}
//###end plugins

//###begin experiment
Experiment PlanExperiment(const PluginHost& plugins, std::shared_ptr<const Dataset> data) {
  const auto learner = [&](const char* text) { return ParseSpec(Kind::kLearner, text, plugins); };
  const auto standardize = ParseSpec(Kind::kTransform, "standardize", plugins);
  Experiment experiment;
  experiment.learners = {{"bayes", Pipeline::Make({learner("naive_bayes")})},
                         {"floor", Pipeline::Make({learner("featureless")})},
                         {"knn", Pipeline::Make({standardize, learner("knn{k=5}")})}};
  experiment.metrics = {ParseSpec(Kind::kMetric, "accuracy", plugins),
                        ParseSpec(Kind::kMetric, "log_loss", plugins)};
  experiment.seed = 42;
  const auto kfold = ParseSpec(Kind::kSplitter, "kfold{folds=10}", plugins);
  experiment.splits = MakeExperimentSplits(*kfold, DataView{data, nullptr}, experiment.seed);
  return experiment;
}
//###end experiment

void Print(const ExperimentResult& result) {
  for (const ScoreSummary& row : SummarizeScores(result)) {
    std::printf("%s %s mean %s sd %s\n", result.learners[row.learner].c_str(),
                result.metrics[row.metric].c_str(), Shortest(row.scores.mean).c_str(),
                Shortest(row.scores.sd).c_str());
  }
  for (const FoldResult& fold : result.folds) {
    if (fold.outcome.status != OutcomeStatus::kFailed) continue;
    std::printf("%s, fold %lld: %s: %s\n", result.learners[fold.learner].c_str(),
                static_cast<long long>(fold.fold), fold.outcome.failure.stage.c_str(),
                fold.outcome.failure.message.c_str());
  }
}

int Run(const std::string& file, const std::string& folder, std::size_t stop_after) {
  const auto plugins = FindPlugins(folder);
  auto flowers = ReadMeasurements(file);
  auto data = ToDataset(flowers);
  const bool lent = data->columns()[0].data == flowers->numbers[0].data();
  //###begin run
  CancelToken cancel;
  RunOptions options;
  options.workers = 2;
  options.cancel = &cancel;  // any thread may call cancel.Cancel()
  options.log = plugins->log();
  std::size_t finished = 0;
  const auto progress = [&](const Progress& now) {
    finished = now.finished;
    if (now.finished == stop_after) cancel.Cancel();
  };
  const ExperimentResult result = RunExperiment(PlanExperiment(*plugins, data), options, progress);
  //###end run
  if (cancel.cancelled()) {
    std::printf("cancelled after %s\n",
                finished < result.folds.size() ? "some cells" : "all cells");
    return 0;
  }
  Print(result);
  std::printf("cells: %zu, columns copied: %s\n", finished, lent ? "none" : "some");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    std::fprintf(stderr, "usage: columns_host FILE PLUGIN_FOLDER [STOP_AFTER]\n");
    return 2;
  }
  try {
    return Run(argv[1], argv[2], argc == 4 ? std::strtoul(argv[3], nullptr, 10) : 0);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
