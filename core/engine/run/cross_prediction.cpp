#include "crossfold/cross_prediction.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <utility>

#include "crossfold/error.h"
#include "engine/run/cell_runner.h"
#include "engine/run/fold_rows.h"

namespace crossfold {
namespace {

// Predictions of one repeat by view position.
class PositionTable {
 public:
  explicit PositionTable(const DataView& view) : view_(view) {}

  // Thread-safe for different positions, once the arrays exist.
  void Reserve(const Prediction& like) {
    if (!seen_.empty()) return;
    const auto n = static_cast<std::size_t>(view_.num_rows());
    seen_.assign(n, 0);
    all_.n_classes = like.n_classes;
    if (!like.labels.empty()) all_.labels.resize(n);
    if (!like.values.empty()) all_.values.resize(n);
    if (!like.probabilities.empty()) {
      all_.probabilities.resize(n * static_cast<std::size_t>(like.n_classes));
    }
  }

  void Put(std::span<const std::int64_t> positions, const Prediction& p) {
    const auto k = static_cast<std::size_t>(p.n_classes);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const auto at = static_cast<std::size_t>(positions[i]);
      seen_[at] = 1;
      if (!p.labels.empty()) all_.labels[at] = p.labels[i];
      if (!p.values.empty()) all_.values[at] = p.values[i];
      if (p.probabilities.empty()) continue;
      std::copy_n(p.probabilities.data() + i * k, k, all_.probabilities.data() + at * k);
    }
  }

  // Of all rows of the view.
  void PutAll(Prediction&& p) {
    all_ = std::move(p);
    seen_.assign(static_cast<std::size_t>(view_.num_rows()), 1);
  }

  // Takes the rows that were put, in the order of the view.
  Prediction Take() {
    std::size_t n = 0;
    const auto k = static_cast<std::size_t>(all_.n_classes);
    all_.rows.resize(seen_.size());
    for (std::size_t at = 0; at < seen_.size(); ++at) {
      if (seen_[at] == 0) continue;
      all_.rows[n] = view_.row_id(static_cast<std::int64_t>(at));
      if (n != at) Move(at, n, k);
      ++n;
    }
    all_.rows.resize(n);
    if (!all_.labels.empty()) all_.labels.resize(n);
    if (!all_.values.empty()) all_.values.resize(n);
    if (!all_.probabilities.empty()) all_.probabilities.resize(n * k);
    return std::move(all_);
  }

 private:
  void Move(std::size_t from, std::size_t to, std::size_t k) {
    if (!all_.labels.empty()) all_.labels[to] = all_.labels[from];
    if (!all_.values.empty()) all_.values[to] = all_.values[from];
    if (all_.probabilities.empty()) return;
    std::copy_n(all_.probabilities.data() + from * k, k, all_.probabilities.data() + to * k);
  }

  const DataView& view_;
  std::vector<char> seen_;
  Prediction all_;
};

void Append(Prediction& to, Prediction&& from) {
  const auto append = [](auto& target, const auto& source) {
    target.insert(target.end(), source.begin(), source.end());
  };
  to.n_classes = from.n_classes;
  append(to.rows, from.rows);
  append(to.labels, from.labels);
  append(to.values, from.values);
  append(to.probabilities, from.probabilities);
}

// Collects what workers deliver.
class Pool {
 public:
  explicit Pool(const CellBlock& block)
      : block_(block), plan_(*block.splits), folds_(plan_.partitions().size()) {
    for (std::size_t r = 0; r < plan_.partitions().size(); ++r) tables_.emplace_back(plan_.view());
    if (plan_.partitions().empty()) lists_.resize(static_cast<std::size_t>(block.count));
  }

  // Without positions, they are of all rows.
  void TakeMany(std::int64_t split, std::span<const std::int64_t> positions,
                Prediction&& prediction) {
    PositionTable& table = tables_[static_cast<std::size_t>(plan_.repeat_of(split))];
    if (positions.empty()) return table.PutAll(std::move(prediction));
    {
      const std::lock_guard lock(mutex_);
      table.Reserve(prediction);
    }
    table.Put(positions, prediction);
  }

  // It must not throw, because workers could not go on; Finish() throws instead.
  void TakeOne(std::size_t i, Outcome&& outcome) {
    try {
      Keep(i, std::move(outcome));
    } catch (const std::bad_alloc&) {
      const std::lock_guard lock(mutex_);
      out_of_memory_ = true;
    }
  }

  CrossPrediction Finish() {
    if (out_of_memory_) throw std::bad_alloc();
    CrossPrediction made;
    for (PositionTable& table : tables_) made.repeats.push_back(table.Take());
    if (tables_.empty()) {
      made.repeats.emplace_back();
      for (Prediction& list : lists_) Append(made.repeats.back(), std::move(list));
    }
    std::sort(failures_.begin(), failures_.end(),
              [](const FailedSplit& a, const FailedSplit& b) { return a.split < b.split; });
    made.failures = std::move(failures_);
    made.n_elsewhere = n_elsewhere_;
    return made;
  }

 private:
  void Keep(std::size_t i, Outcome&& outcome) {
    const std::int64_t split = block_.first + static_cast<std::int64_t>(i);
    if (outcome.status != OutcomeStatus::kOk) {
      if (outcome.status == OutcomeStatus::kCancelled) return;
      const std::lock_guard lock(mutex_);
      if (outcome.status == OutcomeStatus::kElsewhere) {
        ++n_elsewhere_;
        return;
      }
      failures_.push_back({split, std::move(outcome.failure)});
      return;
    }
    if (tables_.empty()) {
      lists_[i] = std::move(outcome.prediction);
      return;
    }
    TakeMany(split, PositionsOf(split), std::move(outcome.prediction));
  }

  // Returns the test positions of a split of a partition, in the order in which cells predict them.
  std::vector<std::int64_t> PositionsOf(std::int64_t split) {
    const FoldRows& rows = FoldsOf(split);
    std::vector<std::int64_t> positions;
    for (const std::int64_t place : rows.tested(static_cast<std::size_t>(plan_.fold_of(split)))) {
      positions.push_back(rows.position(place));
    }
    return positions;
  }

  // Returns all folds of the split's repeat. They are made once, because a search through the rows
  // for each of many folds takes long.
  const FoldRows& FoldsOf(std::int64_t split) {
    const auto repeat = static_cast<std::size_t>(plan_.repeat_of(split));
    const std::lock_guard lock(mutex_);
    std::unique_ptr<const FoldRows>& folds = folds_[repeat];
    if (!folds) {
      folds = std::make_unique<const FoldRows>(plan_, split - plan_.fold_of(split),
                                               plan_.partitions()[repeat].n_folds);
    }
    return *folds;
  }

  const CellBlock& block_;
  const SplitPlan& plan_;
  std::vector<PositionTable> tables_;                   // of partitions, one per repeat
  std::vector<std::unique_ptr<const FoldRows>> folds_;  // of a repeat, once a cell came alone
  std::vector<Prediction> lists_;                       // of lists, one per cell
  std::mutex mutex_;
  std::vector<FailedSplit> failures_;
  std::int64_t n_elsewhere_ = 0;
  bool out_of_memory_ = false;
};

// Returns the block without metrics, for cells that only predict.
CellBlock WithoutMetrics(const CellBlock& block) {
  CellBlock plain = block;
  plain.metrics = nullptr;
  if (plain.keep == Keep::kNothing) plain.keep = Keep::kLabels;
  return plain;
}

CrossPrediction FinishUnlessCancelled(Pool& pool, const RunOptions& options) {
  if (options.cancel != nullptr && options.cancel->cancelled()) {
    throw Error(ErrorKind::kCancelled, "cancelled");
  }
  return pool.Finish();
}

}  // namespace

CrossPrediction CrossPredict(const CellBlock& block, const RunOptions& options) {
  const CellBlock plain = WithoutMetrics(block);
  Pool pool(plain);
  RunBlocks(
      {&plain, 1}, options, FinishCell(),
      [&](std::size_t i, Outcome&& outcome) { pool.TakeOne(i, std::move(outcome)); },
      [&](std::uint32_t, std::int64_t split, std::span<const std::int64_t> positions,
          Prediction&& prediction) { pool.TakeMany(split, positions, std::move(prediction)); });
  return FinishUnlessCancelled(pool, options);
}

CrossPrediction CrossPredict(const CellBlock& block, const RunOptions& options,
                             const RunEngine& engine) {
  const CellBlock plain = WithoutMetrics(block);
  Pool pool(plain);
  engine({&plain, 1}, options,
         [&](std::size_t i, Outcome&& outcome) { pool.TakeOne(i, std::move(outcome)); });
  return FinishUnlessCancelled(pool, options);
}

}  // namespace crossfold
