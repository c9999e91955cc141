// Counts what is in a store, and what a run still lacks.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "crossfold/failure_cause.h"

namespace crossfold {

// The cells that runs asked for under one learner's name. done + failed + stopped + missing =
// wanted.
struct LearnerStatus {
  std::string learner, dataset;  // names in the experiment
  bool inner = false;            // cells that made a choice inside training rows
  bool imported = false;         // folds that another tool predicted, instead of cells
  bool in_lua = false;           // folds of a learner in Lua, which every run computes again
  std::int64_t wanted = 0;
  std::int64_t done = 0;
  std::int64_t failed = 0;   // by themselves
  std::int64_t stopped = 0;  // by a limit, a signal or no memory; the next run tries them again
  std::int64_t missing = 0;
  std::int64_t predictions = 0;  // cells whose predictions are kept
  // Of failed and stopped cells, by FailureCause; folds that are not cells have none.
  std::array<std::int64_t, kNumFailureCauses> causes{};
  std::int64_t retried = 0;  // cells with earlier tries that failed because of the machine
};

struct RunStatus {
  std::int64_t id = 0;
  std::string started;  // UTC, ISO 8601
  std::string script;   // "" = none
};

struct StoreStatus {
  std::vector<LearnerStatus> learners;  // by dataset, learner, outer first; then what is not cells
  std::vector<RunStatus> runs;          // oldest first
  // Of the whole store.
  std::int64_t cells = 0, predictions = 0, datasets = 0;
  std::int64_t prediction_bytes = 0, file_bytes = 0;
  std::vector<std::string> damaged;  // names of damaged rows; counts may be wrong
};

// The status of one run, or of all runs. Adds what a killed process left in the log, if the file
// can be written. Throws Error if there is no store, or no such run.
StoreStatus ReadStoreStatus(const std::filesystem::path& path,
                            std::optional<std::int64_t> run = std::nullopt);

}  // namespace crossfold
