#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <exception>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "engine/plan/kept_predictions.h"
#include "engine/run/cell_runner.h"
#include "engine/run/memory_room.h"
#include "engine/run/missing_workers.h"
#include "engine/run/shared_items.h"

namespace crossfold {
namespace {

// Whether `got` equals the prediction of a separate fit, or is within its tolerance. Labels are
// compared only if no probabilities show how close they were.
bool KeepsLaw(const Prediction& got, const Prediction& expected, double tolerance) {
  const auto near = [&](const std::vector<double>& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](double x, double y) {
      if (tolerance == 0) return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
      return x == y || std::abs(x - y) <= tolerance * std::max(1.0, std::abs(y));
    });
  };
  const bool has_scores = tolerance > 0 && !expected.probabilities.empty();
  return (has_scores || got.labels == expected.labels) && near(got.values, expected.values) &&
         near(got.probabilities, expected.probabilities);
}

// One batch of cells, from the plan to the last outcome.
//
// PlanWork divides the cells into items: what is computed by one call of a learner, or one cell
// alone. Every cell belongs to one item, every item is run by one worker, and who runs an item
// moves its cells through these states:
//
//   planned -> claimed      Claim() asks the host (a store of several processes) for the item's
//                           cells; cells that are not granted never get an outcome here.
//   claimed -> delivered    the item's shared work gave a result for the cell
//   claimed -> left         the shared work did not serve the cell, or its learner has broken a law
//   delivered -> checked    only with RunOptions::verify: the first result of each learner and
//                           capability is compared with a separate fit; if they differ, the learner
//                           is broken for the rest of the session and its cells are left
//   left -> alone           RunAlone fits and predicts the one cell, which always ends it
//   delivered, alone -> finished
//                           Finish, RunAlone or Fail of the runner score the prediction, call
//                           on_finished and take_
//
// Only the worker that runs the item moves its cells, so cells need no lock. Workers share what
// the structures below hold: prepared rows (written before the first item runs, read afterwards),
// the checks that are done and the learners that broke a law (in SharedWork, under its mutex).
//
// Invariants: each cell that was claimed reaches `take_` once, unless the run is cancelled or
// memory gives out; and which way a cell takes never changes its outcome, apart from the tolerance
// that a capability declares. A cancellation stops between states: cells that are not finished by
// then stay kCancelled. When there is not even memory to report a failure, StopBy ends the batch
// and Run throws.
class Batch {
 public:
  Batch(const CellRunner& runner, std::span<const CellBlock> blocks, SharedWork& shared)
      : runner_(runner), shared_(shared) {
    const int cores = DefaultWorkers();
    const int wanted = runner.options().workers > 0 ? runner.options().workers : cores;
    const std::uint64_t kept = runner.options().kept_bytes.value_or(PredictionBytes(blocks));
    workers_ = MemoryRoom(blocks, shared, kept).Bound(wanted);
    cores_ = std::min(workers_, cores);
    list_ = PlanWork(blocks, {runner.options().share, workers_, cores, LargestCopy(shared)});
    prepared_.resize(list_.preparations.size());
  }

  void Run() {
    Prepare();
    std::vector<std::size_t> first, rest;
    for (std::size_t t = 0; t < list_.items.size(); ++t) (GoesFirst(t) ? first : rest).push_back(t);
    // The largest items come first, so that no long item starts last.
    const auto larger = [&](std::size_t a, std::size_t b) {
      return list_.items[a].cost > list_.items[b].cost;
    };
    std::stable_sort(rest.begin(), rest.end(), larger);
    WorkOn(first, 1);  // one by one, so that the comparisons do not depend on the workers
    WorkOn(rest, workers_);
    if (shortage_) std::rethrow_exception(shortage_);
  }

 private:
  void WorkOn(const std::vector<std::size_t>& places, int workers) {
    const auto run = [&](std::size_t i) noexcept {
      if (has_shortage_) return;
      try {
        RunItem(list_.items[places[i]]);
      } catch (...) {  // no memory to record which cells failed
        StopBy(std::current_exception());
      }
    };
    SharedItems items(places.size(), runner_.options().cancel, run);
    const auto wanted = std::min(static_cast<std::size_t>(workers), places.size());
    LogMissingWorkers(shared_, runner_.options().log, wanted, items.WorkOn(workers), "threads");
  }

  // Stops the batch; the first reason counts. Running items end, and no new item begins.
  void StopBy(std::exception_ptr shortage) {
    const std::lock_guard lock(stopping_);
    if (shortage_ == nullptr) shortage_ = std::move(shortage);
    has_shortage_ = true;
  }

  // Prepares the structures before the items run, so that no item waits for another, and with all
  // free threads.
  void Prepare() {
    const std::size_t n = list_.preparations.size();
    const auto threads = static_cast<std::uint32_t>(
        std::max<std::size_t>(static_cast<std::size_t>(cores_) / std::max<std::size_t>(n, 1), 1));
    const auto prepare = [&](std::size_t i) noexcept {
      try {
        const Preparation& wanted = list_.preparations[i];
        if (IsBroken(wanted.learner->shared_component())) return;
        CallSite site = runner_.MakeSite();
        const bool may = (wanted.learner->component().determinism & CF_DET_THREADS) != 0;
        site.n_threads = may ? threads : 1;
        Hold(i, FindOrPrepare(shared_, wanted, site));
      } catch (const std::exception&) {  // no memory: the cells run without it
      }
    };
    SharedItems items(n, runner_.options().cancel, prepare);
    items.WorkOn(workers_);
  }

  // Structures of one batch take no more memory than those that are kept; other cells run without
  // one.
  void Hold(std::size_t i, std::shared_ptr<const PreparedRows> rows) {
    if (rows == nullptr) return;
    const std::lock_guard lock(holding_);
    if (held_bytes_ + rows->bytes() > shared_.memory() / 2) return;
    held_bytes_ += rows->bytes();
    prepared_[i] = std::move(rows);
  }

  std::shared_ptr<const Component> LearnerOf(std::uint32_t b) const {
    return runner_.block(b).learner->learner().shared_component();
  }
  bool IsBroken(const std::shared_ptr<const Component>& learner) const {
    const std::lock_guard lock(shared_.impl().mutex);
    return shared_.impl().broken.contains(learner);
  }

  // Whether results are compared and no earlier item shares in the same way.
  bool GoesFirst(std::size_t t) {
    const WorkItem& item = list_.items[t];
    if (!runner_.options().verify || item.route == Route::kAlone) return false;
    bool is_new = false;
    for (const std::uint32_t b : list_.BlocksOf(item)) {
      is_new |= ways_
                    .emplace(LearnerOf(b).get(), item.route, item.preparation != kNoPreparation,
                             item.n_blocks > 1)
                    .second;
    }
    return is_new;
  }

  std::uint64_t MemoryOfWorker() const {
    return shared_.memory() / 2 / static_cast<std::uint64_t>(std::max(workers_, 1));
  }

  std::vector<LeftCell> Dispatch(const WorkItem& item, BlockList blocks,
                                 const DeliverResult& deliver) const {
    const PreparedRows* prepared =
        item.preparation == kNoPreparation ? nullptr : prepared_[item.preparation].get();
    switch (item.route) {
      case Route::kShared:
        return RunSharedFits(runner_, blocks, item, prepared, MemoryOfWorker(), deliver);
      case Route::kCross:
        return CrossPredict(item, blocks, prepared, deliver);
      case Route::kIncremental:
        return RunIncrementalFolds(runner_, blocks, item, deliver);
      default:
        return {};
    }
  }

  // If the route is part of the cells' definition, a cell that a joint call does not serve is
  // requested alone, so that its result does not depend on the others.
  std::vector<LeftCell> CrossPredict(const WorkItem& item, BlockList blocks,
                                     const PreparedRows* prepared,
                                     const DeliverResult& deliver) const {
    const std::uint64_t memory = MemoryOfWorker();
    std::vector<LeftCell> left = RunCrossFolds(runner_, blocks, item, prepared, memory, deliver);
    if (ToleranceOf(*LearnerOf(blocks.front())) == 0) return left;
    std::vector<LeftCell> failed;
    for (const LeftCell& cell : left) {
      if (runner_.cancelled()) break;
      WorkItem one = item;
      one.split = cell.split;
      one.n_splits = 1;
      for (LeftCell& again :
           RunCrossFolds(runner_, BlockList(&cell.block, 1), one, prepared, memory, deliver)) {
        failed.push_back(std::move(again));
      }
    }
    return failed;
  }

  void RunItem(const WorkItem& item) {
    if (!runner_.Claim(item, list_.BlocksOf(item))) return;
    std::vector<std::uint32_t> sound;
    for (const std::uint32_t b : list_.BlocksOf(item)) {
      if (item.route != Route::kAlone && !IsBroken(LearnerOf(b))) {
        sound.push_back(b);
        continue;
      }
      for (std::int64_t i = 0; i < item.n_splits && !runner_.cancelled(); ++i) {
        runner_.RunAlone(b, item.split + i);
      }
    }
    if (sound.empty() || runner_.cancelled()) return;
    if (runner_.options().verify) return RunAndCheck(item, sound);
    const auto finish = [this](std::uint32_t b, std::int64_t split, SharedResult&& result) {
      runner_.Finish(b, split, std::move(result));
    };
    Settle(item, Dispatch(item, sound, finish));
  }

  // Handles the cells that shared work did not serve.
  void Settle(const WorkItem& item, std::vector<LeftCell> left) const {
    for (LeftCell& cell : left) {
      if (runner_.cancelled()) return;
      const std::shared_ptr<const Component> learner = LearnerOf(cell.block);
      if (item.route == Route::kShared || ToleranceOf(*learner) == 0 || IsBroken(learner)) {
        runner_.RunAlone(cell.block, cell.split);
      } else {
        runner_.Fail(cell.block, cell.split, std::move(cell.failure));
      }
    }
  }

  // Holds back the results until it is known whether their learner keeps its law.
  void RunAndCheck(const WorkItem& item, BlockList blocks) {
    struct Waiting {
      std::uint32_t block;
      std::int64_t split;
      SharedResult result;
    };
    std::vector<Waiting> waiting;
    std::vector<LeftCell> left =
        Dispatch(item, blocks, [&](std::uint32_t b, std::int64_t split, SharedResult&& result) {
          if (!WantsProbabilities(runner_.block(b))) DropProbabilities(result.prediction);
          waiting.push_back({b, split, std::move(result)});
        });
    for (Waiting& one : waiting) {
      if (runner_.cancelled()) return;
      if (IsSound(one.block, one.split, one.result)) {
        runner_.Finish(one.block, one.split, std::move(one.result));
      } else {
        runner_.RunAlone(one.block, one.split);
      }
    }
    Settle(item, std::move(left));
  }

  // Compares the first result of a learner and capability. Other threads wait for this.
  bool IsSound(std::uint32_t b, std::int64_t split, const SharedResult& result) {
    const std::lock_guard one_by_one(checking_);
    const std::shared_ptr<const Component> learner = LearnerOf(b);
    {
      const std::lock_guard lock(shared_.impl().mutex);
      if (shared_.impl().broken.contains(learner)) return false;
      if (!shared_.impl().checked.emplace(learner, result.via).second) return true;
    }
    const std::string problem = FindBrokenLaw(runner_.cell(b, split), result);
    if (problem.empty()) return true;
    if (runner_.cancelled()) {  // a fit that was cancelled shows nothing
      const std::lock_guard lock(shared_.impl().mutex);
      shared_.impl().checked.erase({learner, result.via});
    } else {
      Report(learner, problem);
    }
    return false;
  }

  // Returns "crossfold.fit-path/1 does not give ..."; "" = the result is that of a separate fit.
  std::string FindBrokenLaw(const CellRef& cell, const SharedResult& result) const {
    try {
      if (KeepsLaw(result.prediction, runner_.PredictAlone(cell), result.tolerance)) return "";
      return std::string(result.via) + " does not give what a separate fit gives";
    } catch (const StepError& e) {
      return std::string(result.via) + " gives predictions where a separate fit fails (" +
             e.failure().message + ")";
    } catch (const std::exception&) {  // no memory for a second prediction
      return "";
    }
  }

  void Report(const std::shared_ptr<const Component>& learner, const std::string& problem) {
    {
      const std::lock_guard lock(shared_.impl().mutex);
      shared_.impl().broken.insert(learner);
    }
    if (!runner_.options().log) return;
    runner_.options().log(CF_LOG_WARN, "learner '" + learner->id + "' breaks a law: " + problem +
                                           "; its cells are run without sharing");
  }

  const CellRunner& runner_;
  SharedWork& shared_;
  WorkList list_;
  std::vector<std::shared_ptr<const PreparedRows>> prepared_;       // null = none
  std::set<std::tuple<const Component*, Route, bool, bool>> ways_;  // of sharing, met so far
  std::mutex checking_, holding_, stopping_;
  std::exception_ptr shortage_;
  std::atomic<bool> has_shortage_ = false;
  std::uint64_t held_bytes_ = 0;
  int workers_, cores_;
};

}  // namespace

void RunBlocks(std::span<const CellBlock> blocks, const RunOptions& options,
               const FinishCell& finish, const TakeOutcome& take, const TakeFolds& take_folds) {
  const std::shared_ptr<SharedWork> shared =
      options.shared ? options.shared : std::make_shared<SharedWork>();
  const CellRunner runner(blocks, options, finish, take, take_folds);
  Batch(runner, blocks, *shared).Run();
}

std::vector<Outcome> RunCellsAndFinish(std::span<const Cell> cells, const RunOptions& options,
                                       const FinishCell& finish) {
  std::vector<Outcome> outcomes(cells.size());
  RunBlocks(ToBlocks(cells), options, finish,
            [&](std::size_t i, Outcome&& outcome) { outcomes[i] = std::move(outcome); });
  return outcomes;
}

std::vector<Outcome> RunCells(std::span<const Cell> cells, const RunOptions& options) {
  return RunCellsAndFinish(cells, options, FinishCell());
}

}  // namespace crossfold
