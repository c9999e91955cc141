#include <algorithm>
#include <chrono>
#include <new>

#include "run/cell_runner.h"
#include "run/fit_predict.h"
#include "run/shared_items.h"

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

  std::vector<Outcome> TakeOutcomes() { return std::move(outcomes_); }

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

 private:
  const std::span<const Cell> cells_;
  const RunOptions& options_;
  const FinishCell& finish_;
  std::vector<Outcome> outcomes_;
};

}  // namespace

std::vector<Outcome> RunCellsAndFinish(std::span<const Cell> cells, const RunOptions& options,
                                       const FinishCell& finish) {
  Run run(cells, options, finish);
  const auto run_cell = [&](std::size_t i) noexcept { run.RunCell(i); };
  SharedItems items(cells.size(), options.cancel, run_cell);
  items.WorkOn(options.workers);
  return run.TakeOutcomes();
}

std::vector<Outcome> RunCells(std::span<const Cell> cells, const RunOptions& options) {
  return RunCellsAndFinish(cells, options, FinishCell());
}

}  // namespace crossfold
