// Tells a host of finished cells, one call at a time, and stops the run if it throws.
#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "crossfold/cancel_token.h"
#include "crossfold/cell.h"
#include "crossfold/outcome.h"
#include "crossfold/progress.h"
#include "crossfold/run.h"
#include "experiment/time_left.h"

namespace crossfold {

// Thread-safe but for Watch and Rethrow. Does nothing if there is no sink.
class ProgressReporter {
 public:
  // `sink` (may be empty), the blocks and `stop` must outlive it. `before` has the folds of the
  // experiment that were finished before this run, and how many there are.
  ProgressReporter(const ProgressSink& sink, std::span<const CellBlock> blocks, CancelToken& stop,
                   const Progress& before = {});
  ProgressReporter(const ProgressReporter&) = delete;
  ProgressReporter& operator=(const ProgressReporter&) = delete;

  // An engine that does the same, and whose cells count as computed; what the run gets besides was
  // found in a store. The engine may serve one run at a time and not longer than this object.
  RunEngine Watch(RunEngine engine);
  void CellFinished(const CellBlock& block, OutcomeStatus status) noexcept;
  // The cell is another process's: it is no part of the run.
  void CellLeftOut(const CellBlock& block) noexcept;

  // What the host threw. To be called when the run has ended.
  void Rethrow() const;

 private:
  using Clock = std::chrono::steady_clock;

  void BeginComputing(std::span<const CellBlock> blocks);
  void Estimate();

  const ProgressSink& sink_;
  CancelToken& stop_;
  const Clock::time_point begin_ = Clock::now();
  std::mutex mutex_;
  Progress progress_;
  bool watching_ = false;  // an engine, which has not begun to compute
  std::optional<TimeLeft> time_left_;
  Clock::time_point computing_since_;
  Clock::time_point estimated_;
  std::exception_ptr thrown_;
};

}  // namespace crossfold
