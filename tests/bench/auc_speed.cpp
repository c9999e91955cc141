// Times the area under the ROC curve as the host computes it: ScorePrediction on rows in memory.
//
// usage: auc_speed SCORES LABELS     float64 and uint8 in native byte order, as many of both
//
// For each line on standard input it scores once and prints: value, wall-clock seconds, seconds of
// processor time. tests/bench/auc_speed.py runs it in turns with scikit-learn.
#include <time.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/plugin_host.h"
#include "crossfold/score.h"
#include "crossfold/spec.h"

namespace crossfold {
namespace {

template <class T>
std::vector<T> ReadAll(const char* path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<T> entries(static_cast<std::size_t>(file.tellg()) / sizeof(T));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(entries.data()),
            static_cast<std::streamsize>(entries.size() * sizeof(T)));
  return entries;
}

double ProcessorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

Prediction PredictionOf(const std::vector<double>& scores) {
  Prediction prediction;
  prediction.rows.resize(scores.size());
  std::iota(prediction.rows.begin(), prediction.rows.end(), std::int64_t{0});
  prediction.n_classes = 2;
  for (const double s : scores) {
    prediction.probabilities.push_back(1 - s);
    prediction.probabilities.push_back(s);
  }
  return prediction;
}

std::shared_ptr<const Dataset> TruthOf(const std::vector<std::uint8_t>& labels) {
  Roles roles;
  roles.target = "class";
  std::vector<Column> columns = {Column::Categories(
      "class", std::vector<std::int32_t>(labels.begin(), labels.end()), {"no", "yes"})};
  return Dataset::Create("bench", std::move(columns), roles);
}

void Serve(const char* scores, const char* labels) {
  PluginHostOptions options;
  options.paths = {CROSSFOLD_BENCH_PLUGINS};
  options.use_environment = options.use_user_folder = options.use_installation = false;
  const PluginHost plugins(options);
  const auto metric = Spec::Make(plugins.Find(Kind::kMetric, "roc_auc"), {});
  const auto truth = TruthOf(ReadAll<std::uint8_t>(labels));
  const Prediction prediction = PredictionOf(ReadAll<double>(scores));
  std::cout.precision(17);
  for (std::string line; std::getline(std::cin, line);) {
    const double processor = ProcessorSeconds();
    const auto start = std::chrono::steady_clock::now();
    const Score score = ScorePrediction(*metric, *truth, prediction);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    std::cout << score.value << " " << wall.count() << " " << ProcessorSeconds() - processor
              << std::endl;
  }
}

}  // namespace
}  // namespace crossfold

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: auc_speed SCORES LABELS\n";
    return 2;
  }
  crossfold::Serve(argv[1], argv[2]);
  return 0;
}
