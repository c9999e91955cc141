// The outcomes of one run, packed: a cell takes some forty bytes and eight a metric, so that a
// batch of a million cells is small. What is rare (failures, warnings, reasons, predictions) is
// kept aside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "crossfold/cell.h"
#include "crossfold/outcome.h"

namespace crossfold::lua {

class OutcomeTable {
 public:
  explicit OutcomeTable(std::vector<CellBlock> blocks);
  OutcomeTable(const OutcomeTable&) = delete;
  OutcomeTable& operator=(const OutcomeTable&) = delete;

  // Takes the outcome of cell i, once for each cell, on any thread. Does not throw: if there is no
  // memory for the outcome, the cell has failed.
  void Take(std::size_t i, Outcome&& outcome);

  // Returns the prediction of a split of a block that a store has; nullopt = it has none.
  using FetchPrediction =
      std::function<std::optional<Prediction>(const CellBlock& block, std::int64_t split)>;
  // Makes the table keep predictions only until about `waiting_bytes` of them wait: those that
  // `fetch` then returns, with the same content, are fetched again when they are asked for. To be
  // called before the first outcome is taken. `fetch` is called on any thread.
  void SetFetch(FetchPrediction fetch, std::uint64_t waiting_bytes) {
    fetch_ = std::move(fetch);
    waiting_bytes_ = waiting_bytes;
  }

  // Marks outcomes of cells that did not run; predictions of such are made when asked for.
  void SetPlanned() { planned_ = true; }
  bool is_planned() const { return planned_; }
  // The split of cell i.
  std::int64_t split_of(std::size_t i) const {
    const std::size_t b = BlockOf(i);
    return blocks_[b].first + static_cast<std::int64_t>(i - first_cell_[b]);
  }

  std::size_t size() const { return cells_.size(); }
  const std::vector<CellBlock>& blocks() const { return blocks_; }
  const CellBlock& block_of(std::size_t i) const { return blocks_[BlockOf(i)]; }

  // The status of cell i; read-only once the run is over.
  OutcomeStatus status(std::size_t i) const { return cells_[i].status; }
  std::int64_t n_train(std::size_t i) const { return cells_[i].n_train; }
  std::int64_t n_test(std::size_t i) const { return cells_[i].n_test; }
  double fit_s(std::size_t i) const { return cells_[i].fit_s; }
  double predict_s(std::size_t i) const { return cells_[i].predict_s; }
  const Failure& failure(std::size_t i) const;
  const std::vector<std::string>& warnings(std::size_t i) const;
  // Whether a prediction was kept.
  bool has_prediction(std::size_t i) const;
  // The prediction; null if none was kept, or if it is packed or fetched.
  const Prediction* prediction(std::size_t i) const;
  // Returns a copy of a prediction that was kept, or fetches it. Those of many rows, and those that
  // may be fetched, are packed: without row ids, with labels in as few bytes as they need. Throws
  // Error(kFailed) if the store has lost it.
  Prediction Unpacked(std::size_t i) const;
  std::size_t num_metrics(std::size_t i) const;
  // Why a score is undefined; null = it is defined. REQUIRES, and below: m < num_metrics(i), the
  // cell is kOk.
  const std::string* undefined(std::size_t i, std::size_t m) const;
  // REQUIRES: it is defined.
  double score(std::size_t i, std::size_t m) const { return scores_[ScoresOf(i, BlockOf(i)) + m]; }

 private:
  struct Cell {
    OutcomeStatus status = OutcomeStatus::kCancelled;
    std::int64_t n_train = 0, n_test = 0;
    double fit_s = 0, predict_s = 0;
  };
  struct Rare {
    Failure failure;
    std::vector<std::string> warnings;
    std::vector<Score> scores;  // if one of them is undefined: all
    Prediction prediction;
    std::string packed;  // instead of it
    bool has_prediction = false;
    bool is_fetched = false;  // the store has it
  };

  std::size_t BlockOf(std::size_t i) const;
  // The place of the cell's first score.
  std::size_t ScoresOf(std::size_t i, std::size_t b) const;
  const Rare* FindRare(std::size_t i) const;
  // Drops the waiting predictions that the store has. Does not throw.
  void DropStored(const std::vector<std::size_t>& cells);
  // Whether the store has this prediction.
  bool IsStored(std::size_t i, const std::string& packed) const;

  std::vector<CellBlock> blocks_;
  bool planned_ = false;
  FetchPrediction fetch_;
  std::uint64_t waiting_bytes_ = 0;
  std::vector<std::size_t> first_cell_, first_score_;  // of each block
  std::vector<Cell> cells_;
  std::vector<double> scores_;
  std::mutex mutex_;
  std::unordered_map<std::size_t, Rare> rare_;
  std::vector<std::size_t> waiting_;  // cells whose predictions the store may have
  std::uint64_t bytes_ = 0;           // of theirs
};

}  // namespace crossfold::lua
