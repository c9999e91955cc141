#include "bindings/lua/outcome_table.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "crossfold/error.h"
#include "engine/plan/kept_predictions.h"
#include "store/cells/stored_prediction.h"

namespace crossfold::lua {
namespace {

std::size_t MetricsOf(const CellBlock& block) { return block.metrics ? block.metrics->size() : 0; }

}  // namespace

OutcomeTable::OutcomeTable(std::vector<CellBlock> blocks) : blocks_(std::move(blocks)) {
  std::size_t n_cells = 0, n_scores = 0;
  for (const CellBlock& block : blocks_) {
    first_cell_.push_back(n_cells);
    first_score_.push_back(n_scores);
    const auto count = static_cast<std::size_t>(block.count);
    n_cells += count;
    n_scores += count * MetricsOf(block);
  }
  cells_.resize(n_cells);
  scores_.resize(n_scores);
}

void OutcomeTable::Take(std::size_t i, Outcome&& outcome) {
  const std::size_t b = BlockOf(i);
  cells_[i] = {outcome.status, outcome.n_train, outcome.n_test, outcome.fit_s, outcome.predict_s};
  bool rare = !outcome.warnings.empty() || outcome.status == OutcomeStatus::kFailed;
  const std::size_t first = ScoresOf(i, b);
  for (std::size_t m = 0; m < outcome.scores.size(); ++m) {
    scores_[first + m] = outcome.scores[m].value;
    rare = rare || !outcome.scores[m].defined;
  }
  const bool keeps =
      !planned_ && outcome.status == OutcomeStatus::kOk && blocks_[b].keep != Keep::kNothing;
  if (!rare && !keeps) return;
  Rare aside{std::move(outcome.failure), std::move(outcome.warnings), {}, {}, {}, keeps, false};
  if (rare) aside.scores = std::move(outcome.scores);
  std::vector<std::size_t> full;
  try {
    const bool packs = fetch_ || std::ssize(outcome.prediction.rows) >= kPackedRows;
    if (keeps && packs) {
      // Only their number is looked at: test rows have the order of the split.
      aside.packed = PackPrediction(outcome.prediction, outcome.prediction.rows);
      outcome.prediction = {};
    } else if (keeps) {
      aside.prediction = std::move(outcome.prediction);
    }
    const std::lock_guard lock(mutex_);
    const std::size_t size = aside.packed.size();
    rare_[i] = std::move(aside);
    if (fetch_ && keeps) {
      waiting_.push_back(i);
      bytes_ += size;
    }
    if (bytes_ > waiting_bytes_) {
      full.swap(waiting_);
      bytes_ = 0;
    }
  } catch (const std::exception&) {             // no memory
    cells_[i].status = OutcomeStatus::kFailed;  // failure() says why
  }
  DropStored(full);
}

void OutcomeTable::DropStored(const std::vector<std::size_t>& cells) {
  for (const std::size_t i : cells) {
    Rare* rare = nullptr;
    {
      const std::lock_guard lock(mutex_);
      rare = &rare_.at(i);  // stays in its place, and is only used here until the run is over
    }
    if (!IsStored(i, rare->packed)) continue;
    rare->packed = std::string();
    rare->is_fetched = true;
  }
}

bool OutcomeTable::IsStored(std::size_t i, const std::string& packed) const {
  try {
    const std::optional<Prediction> stored = fetch_(block_of(i), split_of(i));
    return stored && PackPrediction(*stored, stored->rows) == packed;
  } catch (...) {  // it is kept
    return false;
  }
}

std::size_t OutcomeTable::BlockOf(std::size_t i) const {
  const auto next = std::upper_bound(first_cell_.begin(), first_cell_.end(), i);
  return static_cast<std::size_t>(next - first_cell_.begin()) - 1;
}

std::size_t OutcomeTable::ScoresOf(std::size_t i, std::size_t b) const {
  return first_score_[b] + (i - first_cell_[b]) * MetricsOf(blocks_[b]);
}

const OutcomeTable::Rare* OutcomeTable::FindRare(std::size_t i) const {
  const auto found = rare_.find(i);
  return found == rare_.end() ? nullptr : &found->second;
}

const Failure& OutcomeTable::failure(std::size_t i) const {
  static const Failure none{"", CF_OK, ""};
  static const Failure not_kept{"run", CF_E_OUT_OF_MEMORY, "out of memory"};
  static const Failure elsewhere{"shard", CF_E_CANCELLED, "another shard computes it", true};
  if (status(i) == OutcomeStatus::kElsewhere) return elsewhere;
  const Rare* rare = FindRare(i);
  if (rare != nullptr) return rare->failure;
  return status(i) == OutcomeStatus::kFailed ? not_kept : none;
}

const std::vector<std::string>& OutcomeTable::warnings(std::size_t i) const {
  static const std::vector<std::string> none;
  const Rare* rare = FindRare(i);
  return rare != nullptr ? rare->warnings : none;
}

bool OutcomeTable::has_prediction(std::size_t i) const {
  const Rare* rare = FindRare(i);
  return rare != nullptr && rare->has_prediction;
}

const Prediction* OutcomeTable::prediction(std::size_t i) const {
  const Rare* rare = FindRare(i);
  const bool is_here =
      rare != nullptr && rare->has_prediction && rare->packed.empty() && !rare->is_fetched;
  return is_here ? &rare->prediction : nullptr;
}

Prediction OutcomeTable::Unpacked(std::size_t i) const {
  const Rare* rare = FindRare(i);
  if (rare->is_fetched) {
    std::optional<Prediction> stored = fetch_(block_of(i), split_of(i));
    if (stored) return std::move(*stored);
    const SplitPlan& plan = *block_of(i).splits;
    throw Error(ErrorKind::kFailed, "cannot read the predictions of repeat " +
                                        std::to_string(plan.repeat_of(split_of(i)) + 1) +
                                        ", fold " + std::to_string(plan.fold_of(split_of(i)) + 1) +
                                        ": the store of the run no longer has them; run it again");
  }
  if (rare->packed.empty()) return rare->prediction;
  return UnpackPrediction(rare->packed, block_of(i).splits->TestRows(split_of(i)));
}

std::size_t OutcomeTable::num_metrics(std::size_t i) const { return MetricsOf(block_of(i)); }

const std::string* OutcomeTable::undefined(std::size_t i, std::size_t m) const {
  const Rare* rare = FindRare(i);
  if (rare == nullptr || rare->scores.empty() || rare->scores[m].defined) return nullptr;
  return &rare->scores[m].undefined;
}

}  // namespace crossfold::lua
