// What a store has of the folds of one learner on one dataset, in little memory: predictions stay
// packed until they are requested. Ledger::Cells makes it, and it may outlive the ledger.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/cell.h"
#include "crossfold/dataset.h"
#include "crossfold/outcome.h"
#include "crossfold/split.h"

namespace crossfold {

class TestRows;

enum class CellState : std::uint8_t {
  kUnknown,  // the run did not ask for it
  kDamaged,  // it cannot be read
  kMissing,  // the run asked for it, and the store has no outcome
  kFailed,
  kOk,
};

// Thread-safe. All functions with a split REQUIRE split < size().
class StoredCells {
 public:
  // All cells are kUnknown.
  explicit StoredCells(std::size_t size = 0) : cells_(size) {}

  std::size_t size() const { return cells_.size(); }
  CellState state(std::size_t split) const { return cells_[split].state; }
  // REQUIRES: the state is kFailed.
  const Failure& failure(std::size_t split) const { return failures_.at(split); }
  // The following are empty or zero if the state is neither kFailed nor kOk.
  std::int64_t n_train(std::size_t split) const { return cells_[split].n_train; }
  std::int64_t n_test(std::size_t split) const { return cells_[split].n_test; }
  double fit_s(std::size_t split) const { return cells_[split].fit_s; }
  double predict_s(std::size_t split) const { return cells_[split].predict_s; }
  const std::vector<std::string>& warnings(std::size_t split) const;
  // The score of a metric, by its text or its StoredMetricKey. Null = the store has no readable
  // score of it.
  const Score* FindScore(std::size_t split, std::string_view metric) const;
  std::size_t num_damaged_scores(std::size_t split) const { return cells_[split].damaged_scores; }
  bool has_prediction(std::size_t split) const { return cells_[split].n_bytes > 0; }
  // The prediction, without probabilities unless `keep` asks for them. REQUIRES:
  // has_prediction(split).
  Prediction UnpackPrediction(std::size_t split, Keep keep) const;
  // The dataset whose rows are predicted. REQUIRES: has_prediction(split).
  const std::shared_ptr<const Dataset>& data(std::size_t split) const;

 private:
  friend class CellsReader;

  struct Cell {
    CellState state = CellState::kUnknown;
    std::uint32_t damaged_scores = 0;
    std::uint32_t n_scores = 0;
    std::uint32_t plan = 0;                   // in plans_
    std::size_t first_score = 0;              // in scores_
    std::size_t first_byte = 0, n_bytes = 0;  // of the packed prediction in bytes_
    std::int64_t split_in_plan = 0;
    std::int64_t n_train = 0, n_test = 0;
    double fit_s = 0, predict_s = 0;
  };
  struct Metric {
    std::int64_t id = 0;
    std::string text, key;
  };
  // The splits whose test rows the packed predictions belong to.
  struct Plan {
    std::shared_ptr<const SplitPlan> splits;
    std::shared_ptr<const Dataset> data;
    std::shared_ptr<TestRows> tests;
  };

  std::vector<Cell> cells_;
  std::vector<Metric> metrics_;
  std::vector<std::pair<std::uint32_t, Score>> scores_;  // by the metric's place in metrics_
  std::string bytes_;
  std::vector<Plan> plans_;
  // By split.
  std::map<std::size_t, Failure> failures_;
  std::map<std::size_t, std::vector<std::string>> warnings_;
};

}  // namespace crossfold
