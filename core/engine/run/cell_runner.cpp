#include "engine/run/cell_runner.h"

#include <chrono>
#include <exception>
#include <memory>
#include <new>
#include <utility>

namespace crossfold {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsBetween(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double>(end - start).count();
}

PredictionRequest RequestOf(const CellRef& cell) {
  return {cell.block->splits->view().data->num_classes(), WantsProbabilities(*cell.block)};
}

void FitAndPredict(const CellRef& cell, CallSite& site, Outcome& outcome) {
  const std::shared_ptr<const Dataset>& data = cell.block->splits->view().data;
  const StepSeeds seeds = cell.seeds();
  SplitRows rows = cell.block->splits->Rows(cell.split);
  outcome.n_train = static_cast<std::int64_t>(rows.train.size());
  outcome.n_test = static_cast<std::int64_t>(rows.test.size());
  DataView train{data, std::make_shared<const std::vector<std::int64_t>>(std::move(rows.train))};
  const RowTable test = RowTable::ForPrediction(*data, &rows.test);

  const Clock::time_point start = Clock::now();
  FittedSteps steps = FittedSteps::Fit(*cell.block->learner, train, seeds, site);
  train.rows.reset();  // they may take much of the memory that predictions need
  const Clock::time_point fitted = Clock::now();
  outcome.fit_s = SecondsBetween(start, fitted);
  outcome.prediction = steps.Predict(test.get(), RequestOf(cell), seeds, site);
  outcome.predict_s = SecondsBetween(fitted, Clock::now());
  steps.Destroy(site);
  outcome.prediction.rows = std::move(rows.test);
}

// Runs `body` and turns whatever it throws into the outcome. `stage` is for failures that no plugin
// reported.
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

}  // namespace

void DropUnwanted(Keep keep, Prediction& prediction) {
  if (keep == Keep::kNothing) prediction = Prediction();
  if (keep == Keep::kLabels) DropProbabilities(prediction);
}

void DropProbabilities(Prediction& prediction) {
  prediction.probabilities = {};
  if (!prediction.labels.empty()) prediction.values = {};
}

void CallOnFinished(const RunOptions& options, std::size_t index, Outcome& outcome) {
  if (outcome.status == OutcomeStatus::kCancelled || !options.on_finished) return;
  KeepFailure("on_finished", outcome, [&] { options.on_finished(index, outcome); });
}

CellRunner::CellRunner(std::span<const CellBlock> blocks, const RunOptions& options,
                       const FinishCell& finish, const TakeOutcome& take,
                       const TakeFolds& take_folds)
    : blocks_(blocks), options_(options), finish_(finish), take_(take), take_folds_(take_folds) {
  std::size_t cells = 0;
  for (const CellBlock& block : blocks) {
    first_cell_.push_back(cells);
    cells += static_cast<std::size_t>(block.count);
  }
}

bool CellRunner::Claim(const WorkItem& item, std::span<const std::uint32_t> blocks) const {
  if (!options_.claim) return true;
  std::vector<std::size_t> cells;
  for (const std::uint32_t b : blocks) {
    for (std::int64_t i = 0; i < item.n_splits; ++i) cells.push_back(IndexOf(b, item.split + i));
  }
  return options_.claim(cells);
}

void CellRunner::RunAlone(std::uint32_t b, std::int64_t split) const {
  const CellRef ref = cell(b, split);
  CallSite site = MakeSite();
  Outcome outcome;
  outcome.status = OutcomeStatus::kOk;
  KeepFailure("run", outcome, [&] {
    FitAndPredict(ref, site, outcome);
    if (finish_) finish_(ref, site, outcome);
    DropUnwanted(ref.block->keep, outcome.prediction);
  });
  Close(IndexOf(b, split), site, outcome);
}

void CellRunner::Finish(std::uint32_t b, std::int64_t split, SharedResult&& result) const {
  const CellRef ref = cell(b, split);
  CallSite site = MakeSite();
  site.warnings = std::move(result.warnings);
  Outcome outcome;
  outcome.status = OutcomeStatus::kOk;
  outcome.n_train = result.n_train;
  outcome.n_test = static_cast<std::int64_t>(result.prediction.rows.size());
  outcome.fit_s = result.fit_s;
  outcome.predict_s = result.predict_s;
  outcome.prediction = std::move(result.prediction);
  KeepFailure("run", outcome, [&] {
    if (!WantsProbabilities(*ref.block)) DropProbabilities(outcome.prediction);
    if (finish_) finish_(ref, site, outcome);
    DropUnwanted(ref.block->keep, outcome.prediction);
  });
  Close(IndexOf(b, split), site, outcome);
}

void CellRunner::Fail(std::uint32_t b, std::int64_t split, Failure failure) const {
  const CellRef ref = cell(b, split);
  CallSite site = MakeSite();
  Outcome outcome;
  outcome.status = OutcomeStatus::kFailed;
  outcome.failure = std::move(failure);
  KeepFailure("run", outcome, [&] {
    const SplitRows rows = ref.block->splits->Rows(split);
    outcome.n_train = static_cast<std::int64_t>(rows.train.size());
    outcome.n_test = static_cast<std::int64_t>(rows.test.size());
  });
  Close(IndexOf(b, split), site, outcome);
}

Prediction CellRunner::PredictAlone(const CellRef& ref) const {
  CallSite site = MakeSite();
  Outcome outcome;
  FitAndPredict(ref, site, outcome);
  return std::move(outcome.prediction);
}

void CellRunner::Close(std::size_t index, CallSite& site, Outcome& outcome) const {
  outcome.warnings = std::move(site.warnings);
  CallOnFinished(options_, index, outcome);
  take_(index, std::move(outcome));
}

}  // namespace crossfold
