// A program that runs an experiment from C++: k nearest neighbours on a CSV file, ten folds.
//   embedding_host FILE TARGET PLUGIN_FOLDER
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "crossfold/plugin_host.h"
#include "crossfold/read_data.h"
#include "crossfold/score.h"
#include "crossfold/split.h"
#include "crossfold/stats/proportion.h"
#include "crossfold/summary.h"

namespace {

using namespace crossfold;

std::vector<Cell> PlanCells(const PluginHost& plugins, std::shared_ptr<const Dataset> data) {
  const auto knn =
      Pipeline::Make({Spec::Make(plugins.Find(Kind::kLearner, "knn"), {{"k", std::int64_t{5}}})});
  const auto kfold = Spec::Make(plugins.Find(Kind::kSplitter, "kfold"),
                                {{"folds", std::int64_t{10}}, {"shuffle", false}});
  const auto splits = MakeSplits(*kfold, DataView{data, nullptr}, /*seed=*/1);
  const auto metrics = std::make_shared<const MetricList>(
      MetricList{Spec::Make(plugins.Find(Kind::kMetric, "accuracy"), {})});
  CheckCompatible(*knn, *data);

  std::vector<Cell> cells;
  for (std::int64_t s = 0; s < splits->size(); ++s) {
    cells.push_back({.learner = knn,
                     .splits = splits,
                     .split = s,
                     .seed = 1,
                     .metrics = metrics,
                     .keep = Keep::kNothing});
  }
  return cells;
}

int Run(const std::string& file, const std::string& target, const std::string& plugin_folder) {
  PluginHostOptions options;
  options.paths = {plugin_folder};
  const PluginHost plugins(options);
  ReadRequest request;
  request.roles.target = target;
  const auto cells = PlanCells(plugins, ReadData(plugins, file, request));

  std::vector<double> scores;
  double correct = 0;
  std::int64_t rows = 0;
  for (const Outcome& outcome : RunAndScore(cells, RunOptions{})) {
    if (outcome.status != OutcomeStatus::kOk) {
      std::fprintf(stderr, "%s: %s\n", outcome.failure.stage.c_str(),
                   outcome.failure.message.c_str());
      return 1;
    }
    scores.push_back(outcome.scores[0].value);
    correct += scores.back() * static_cast<double>(outcome.n_test);
    rows += outcome.n_test;
    std::printf("fold %zu: %.4f\n", scores.size(), scores.back());
  }
  std::printf("accuracy: %.4f\n", Summarize(scores).mean);
  // Wilson's, of all rows that were right.
  const auto interval = stats::IntervalOfProportion(std::llround(correct), rows);
  std::printf("95 %% interval: %.4f to %.4f\n", interval.low, interval.high);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: embedding_host FILE TARGET PLUGIN_FOLDER\n");
    return 2;
  }
  try {
    return Run(argv[1], argv[2], argv[3]);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
