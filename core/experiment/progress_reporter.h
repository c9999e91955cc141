// Reports finished cells to a host, one call at a time, and stops the run if the host throws.
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

// Does nothing if there is no sink. Thread-safe except for Watch and Rethrow.
class ProgressReporter {
 public:
  // `sink` (may be empty), the blocks and `stop` must outlive it. `before` has the number of folds
  // of the experiment, and how many were finished before this run.
  ProgressReporter(const ProgressSink& sink, std::span<const CellBlock> blocks, CancelToken& stop,
                   const Progress& before = {});
  ProgressReporter(const ProgressReporter&) = delete;
  ProgressReporter& operator=(const ProgressReporter&) = delete;

  // Returns an engine that does the same and whose cells count as computed. Other cells that the
  // run gets were found in a store. The engine serves one run at a time, and must not outlive this
  // object.
  RunEngine Watch(RunEngine engine);
  void CellFinished(const CellBlock& block, OutcomeStatus status) noexcept;
  // Reports a cell that another process computes, so that it is not part of the run.
  void CellLeftOut(const CellBlock& block) noexcept;

  // Throws what the host threw. It must be called when the run has ended.
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
  bool watching_ = false;  // whether an engine is watched that has not begun to compute
  std::optional<TimeLeft> time_left_;
  Clock::time_point computing_since_;
  Clock::time_point estimated_;
  std::exception_ptr thrown_;
};

}  // namespace crossfold
