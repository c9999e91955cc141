// The sharing plugin, batches of cells, and every bit of what comes of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/outcome.h"
#include "crossfold/run.h"
#include "crossfold/score.h"
#include "unit/engine/run/fixture.h"

namespace crossfold::fixture {

inline const PluginHost& SharingHost() {
  static const PluginHost host([] {
    PluginHostOptions options;
    options.paths = {CROSSFOLD_SHARING_PLUGIN};
    options.use_environment = options.use_user_folder = options.use_installation = false;
    return options;
  }());
  return host;
}

inline std::shared_ptr<const Spec> SharingSpec(Kind kind, const std::string& name,
                                               const ParamValues& values = {}) {
  return Spec::Make(SharingHost().Find(kind, "sharing." + name), values);
}
// A learner, after transforms (names alone) if there are any.
inline std::shared_ptr<const Pipeline> Sharing(const std::string& name,
                                               const ParamValues& values = {},
                                               const std::vector<std::string>& transforms = {}) {
  std::vector<std::shared_ptr<const Spec>> steps;
  for (const std::string& one : transforms) steps.push_back(SharingSpec(Kind::kTransform, one));
  steps.push_back(SharingSpec(Kind::kLearner, name, values));
  return Pipeline::Make(std::move(steps));
}
inline ParamValues K(std::int64_t k) { return {{"k", k}}; }
inline ParamValues Misbehaving(const std::string& mode, std::int64_t k = 1) {
  return {{"mode", mode}, {"k", k}};
}

inline const std::vector<std::string>& SharingLearners() {
  static const std::vector<std::string> names = {
      "plain", "seeded", "path", "preparing", "crossing", "near", "removable", "nearly_removable"};
  return names;
}
inline bool HasTolerance(std::string_view name) { return name.starts_with("near"); }

// All cells of these learners on these splits.
inline std::vector<Cell> CellsOfAll(const std::vector<std::shared_ptr<const Pipeline>>& learners,
                                    const std::shared_ptr<const SplitPlan>& splits,
                                    Keep keep = Keep::kLabels, std::uint64_t seed = 7) {
  std::vector<Cell> cells;
  for (const auto& learner : learners) {
    for (std::int64_t s = 0; s < splits->size(); ++s) {
      cells.push_back({learner, splits, s, seed, nullptr, keep});
    }
  }
  return cells;
}

// How often each line was logged. Thread-safe.
class LineCounts {
 public:
  LogSink sink() {
    return [this](std::int32_t, const std::string& line) {
      const std::lock_guard lock(mutex_);
      ++counts_[line];
    };
  }
  std::map<std::string, int> counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, int> counts_;
};

template <class T>
void AppendBytes(std::string& bytes, const std::vector<T>& entries) {
  const std::size_t n = entries.size();
  bytes.append(reinterpret_cast<const char*>(&n), sizeof n);
  bytes.append(reinterpret_cast<const char*>(entries.data()), n * sizeof(T));
}

// Every bit of an outcome but the times.
inline std::string BytesOf(const Outcome& outcome) {
  std::string bytes = std::to_string(static_cast<int>(outcome.status)) + "|" +
                      outcome.failure.stage + "|" + outcome.failure.message + "|" +
                      std::to_string(outcome.failure.code) + "|" + std::to_string(outcome.n_train) +
                      "|" + std::to_string(outcome.n_test) + "|";
  for (const std::string& warning : outcome.warnings) bytes += warning + "\n";
  AppendBytes(bytes, outcome.prediction.rows);
  AppendBytes(bytes, outcome.prediction.labels);
  AppendBytes(bytes, outcome.prediction.values);
  AppendBytes(bytes, outcome.prediction.probabilities);
  bytes += std::to_string(outcome.prediction.n_classes);
  std::vector<double> values;
  for (const Score& score : outcome.scores) {
    values.push_back(score.value);
    bytes += score.defined ? "defined" : score.undefined;
  }
  AppendBytes(bytes, values);
  return bytes;
}

// Expects the same bits with and without sharing, for several numbers of workers; returns them.
inline std::vector<Outcome> ExpectSharingChangesNothing(const std::vector<Cell>& cells) {
  std::vector<Outcome> alone = RunAndScore(cells, Workers(1, false));
  EXPECT_EQ(alone.size(), cells.size());
  for (const int workers : {1, 2, 7}) {
    const std::vector<Outcome> shared = RunAndScore(cells, Workers(workers));
    for (std::size_t i = 0; i < cells.size() && i < shared.size(); ++i) {
      EXPECT_TRUE(BytesOf(shared[i]) == BytesOf(alone[i]))
          << cells[i].learner->ToString() << ", split " << cells[i].split << ", " << workers
          << " workers: '" << shared[i].failure.message << "' beside '" << alone[i].failure.message
          << "', " << shared[i].warnings.size() << " warnings beside " << alone[i].warnings.size();
    }
  }
  return alone;
}

inline std::map<std::string, int> CountCalls(const std::vector<Cell>& cells, RunOptions options) {
  LineCounts lines;
  options.log = lines.sink();
  for (const Outcome& outcome : RunCells(cells, options)) {
    EXPECT_EQ(outcome.status, OutcomeStatus::kOk) << outcome.failure.message;
  }
  return lines.counts();
}

}  // namespace crossfold::fixture
