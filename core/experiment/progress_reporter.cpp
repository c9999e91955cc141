#include "experiment/progress_reporter.h"

#include <utility>

namespace crossfold {
namespace {

// An estimate takes a loop over all settings of a run, so it is not made after every cell.
constexpr std::chrono::milliseconds kEstimateEvery{100};

double SecondsBetween(std::chrono::steady_clock::time_point from,
                      std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

bool IsInner(const CellBlock& block) { return block.purpose != nullptr && block.purpose->inner; }

// Whether the cells are folds of an experiment.
bool IsFold(const CellBlock& block) { return block.purpose != nullptr && !block.purpose->inner; }

}  // namespace

ProgressReporter::ProgressReporter(const ProgressSink& sink, std::span<const CellBlock> blocks,
                                   CancelToken& stop, const Progress& before)
    : sink_(sink), stop_(stop) {
  progress_.folds_finished = before.folds_finished;
  progress_.folds_total = before.folds_total;
  for (const CellBlock& block : blocks) {
    progress_.total += static_cast<std::size_t>(block.count);
    if (IsInner(block)) progress_.inner_total += static_cast<std::size_t>(block.count);
  }
}

RunEngine ProgressReporter::Watch(RunEngine engine) {
  if (!sink_) return engine;
  watching_ = true;
  return [this, engine = std::move(engine)](std::span<const CellBlock> blocks,
                                            const RunOptions& options, const TakeOutcome& take) {
    BeginComputing(blocks);
    engine(blocks, options, [&](std::size_t i, Outcome&& outcome) {
      if (outcome.status != OutcomeStatus::kCancelled) {
        const std::lock_guard lock(mutex_);
        time_left_->Finished(i, outcome.fit_s + outcome.predict_s);
      }
      take(i, std::move(outcome));
    });
  };
}

void ProgressReporter::BeginComputing(std::span<const CellBlock> blocks) {
  const std::lock_guard lock(mutex_);
  watching_ = false;  // cells of a store were delivered before
  time_left_.emplace(blocks);
  computing_since_ = Clock::now();
}

void ProgressReporter::Estimate() {
  const Clock::time_point now = Clock::now();
  progress_.seconds = SecondsBetween(begin_, now);
  const bool is_last = progress_.finished == progress_.total;
  if (!time_left_ || (!is_last && now - estimated_ < kEstimateEvery)) return;
  estimated_ = now;
  progress_.seconds_left = time_left_->Seconds(SecondsBetween(computing_since_, now));
}

void ProgressReporter::CellFinished(const CellBlock& block, OutcomeStatus status) noexcept {
  if (!sink_ || status == OutcomeStatus::kCancelled) return;
  const std::lock_guard lock(mutex_);
  ++progress_.finished;
  if (status == OutcomeStatus::kFailed) ++progress_.failed;
  if (IsInner(block)) ++progress_.inner_finished;
  if (IsFold(block) && progress_.folds_finished < progress_.folds_total) ++progress_.folds_finished;
  if (watching_) ++progress_.found;
  if (thrown_) return;
  try {
    Estimate();
    sink_(progress_);
  } catch (...) {
    thrown_ = std::current_exception();
    stop_.Cancel();
  }
}

void ProgressReporter::CellLeftOut(const CellBlock& block) noexcept {
  const std::lock_guard lock(mutex_);
  --progress_.total;
  if (IsInner(block)) --progress_.inner_total;
}

void ProgressReporter::Rethrow() const {
  if (thrown_) std::rethrow_exception(thrown_);
}

}  // namespace crossfold
