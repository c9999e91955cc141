#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <new>

#include "run/cell_runner.h"
#include "run/fit_predict.h"
#include "run/worker_threads.h"

namespace crossfold {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsBetween(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double>(end - start).count();
}

bool WantsProbabilities(const Cell& cell) {
  if (cell.keep == Keep::kProbabilities) return true;
  if (!cell.metrics) return false;
  return std::ranges::any_of(*cell.metrics, [](const std::shared_ptr<const Spec>& metric) {
    return (metric->component().metric->needs & CF_NEEDS_PROBABILITIES) != 0;
  });
}

void DropUnwanted(Keep keep, Prediction& prediction) {
  if (keep == Keep::kNothing) prediction = Prediction();
  if (keep == Keep::kLabels) prediction.probabilities = {};
}

void FitAndPredict(const Cell& cell, const StepSeeds& seeds, CallSite& site, Outcome& outcome) {
  const Dataset& data = *cell.splits->view().data;
  SplitRows rows = cell.splits->Rows(cell.split);
  outcome.n_train = static_cast<std::int64_t>(rows.train.size());
  outcome.n_test = static_cast<std::int64_t>(rows.test.size());
  const RowTable train = RowTable::ForTraining(data, &rows.train);
  const RowTable test = RowTable::ForPrediction(data, &rows.test);

  const Clock::time_point start = Clock::now();
  FittedSteps steps = FittedSteps::Fit(*cell.learner, train.get(), seeds, site);
  const Clock::time_point fitted = Clock::now();
  outcome.fit_s = SecondsBetween(start, fitted);
  outcome.prediction =
      steps.Predict(test.get(), {data.num_classes(), WantsProbabilities(cell)}, seeds, site);
  outcome.predict_s = SecondsBetween(fitted, Clock::now());
  steps.Destroy(site);
  outcome.prediction.rows = std::move(rows.test);
}

// Runs `body` and turns whatever it throws into the outcome; `stage` is for what no plugin said.
template <class Body>
void KeepFailure(const char* stage, Outcome& outcome, const Body& body) {
  const auto fail = [&](Failure failure) {
    outcome.status = OutcomeStatus::kFailed;
    outcome.failure = std::move(failure);
    outcome.prediction = Prediction();
    outcome.scores.clear();
  };
  try {
    body();
  } catch (const StepError& e) {
    fail(e.failure());
    if (e.cancelled()) {
      outcome.status = OutcomeStatus::kCancelled;
      outcome.failure = Failure();
    }
  } catch (const std::bad_alloc&) {
    fail({stage, CF_E_OUT_OF_MEMORY, "out of memory"});
  } catch (const std::exception& e) {
    fail({stage, CF_E_INTERNAL, e.what()});
  } catch (...) {
    fail({stage, CF_E_INTERNAL, "unknown C++ exception"});
  }
}

// One run: what all workers share. Each cell is written by one worker only.
class Run {
 public:
  Run(std::span<const Cell> cells, const RunOptions& options, const FinishCell& finish)
      : cells_(cells), options_(options), finish_(finish), outcomes_(cells.size()) {}

  // Returns when all cells are done or the run is cancelled. One worker is the calling thread.
  void WorkOn(int workers) {
    const auto n_cells = static_cast<std::int64_t>(cells_.size());
    workers = static_cast<int>(std::min<std::int64_t>(workers, n_cells));
    if (workers <= 1) return Work();
    // What happens before the hand-over happens before the work, and the work before the return.
    handed_over_.store(true, std::memory_order_release);
    CallOnThreads(
        workers,
        [](void* run) {
          Run& self = *static_cast<Run*>(run);
          if (self.handed_over_.load(std::memory_order_acquire)) self.Work();
          self.returned_.fetch_add(1, std::memory_order_release);
        },
        this);
    [[maybe_unused]] const int returned = returned_.load(std::memory_order_acquire);
    assert(returned == workers);
  }

  std::vector<Outcome> TakeOutcomes() { return std::move(outcomes_); }

 private:
  // Takes cells in order. Any number of threads.
  void Work() {
    for (;;) {
      if (options_.cancel != nullptr && options_.cancel->cancelled()) return;
      const std::size_t i = next_.fetch_add(1, std::memory_order_relaxed);
      if (i >= cells_.size()) return;
      RunCell(i);
    }
  }

  void RunCell(std::size_t i) {
    const Cell& cell = cells_[i];
    Outcome& outcome = outcomes_[i];
    CallSite site(options_.cancel, options_.log);
    outcome.status = OutcomeStatus::kOk;
    KeepFailure("run", outcome, [&] {
      const StepSeeds seeds(cell.seed, cell.splits->repeat_of(cell.split),
                            cell.splits->fold_of(cell.split));
      FitAndPredict(cell, seeds, site, outcome);
      if (finish_) finish_(cell, site, outcome);
      DropUnwanted(cell.keep, outcome.prediction);
    });
    outcome.warnings = std::move(site.warnings);
    if (outcome.status == OutcomeStatus::kCancelled || !options_.on_finished) return;
    KeepFailure("on_finished", outcome, [&] { options_.on_finished(i, outcome); });
  }

  const std::span<const Cell> cells_;
  const RunOptions& options_;
  const FinishCell& finish_;
  std::vector<Outcome> outcomes_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> handed_over_{false};
  std::atomic<int> returned_{0};
};

}  // namespace

std::vector<Outcome> RunCellsAndFinish(std::span<const Cell> cells, const RunOptions& options,
                                       const FinishCell& finish) {
  Run run(cells, options, finish);
  run.WorkOn(options.workers > 0 ? options.workers : DefaultWorkers());
  return run.TakeOutcomes();
}

std::vector<Outcome> RunCells(std::span<const Cell> cells, const RunOptions& options) {
  return RunCellsAndFinish(cells, options, FinishCell());
}

}  // namespace crossfold
