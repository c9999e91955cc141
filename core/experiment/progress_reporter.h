// Reports finished cells to a host, one call at a time, and stops the run if the host throws.
#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/cell.h"
#include "crossfold/outcome.h"
#include "crossfold/progress.h"
#include "crossfold/run.h"

namespace crossfold {

// An estimate of the time that the remaining cells of a run take.
// A cell costs the entries of its rows, as in the plan; the seconds that a unit of cost takes are
// learned from the cells that finished. Not thread-safe.
class TimeLeft {
 public:
  explicit TimeLeft(std::span<const CellBlock> blocks);

  // Reports that cell i of the blocks took this number of seconds of a worker.
  void Finished(std::size_t i, double seconds);
  // Returns the wall-clock seconds that are left after `elapsed` seconds, at the pace so far;
  // nothing before a cell has finished.
  std::optional<double> Seconds(double elapsed) const;

 private:
  struct Work {
    double left = 0, done = 0, seconds = 0;
  };
  struct Setting : Work {
    std::size_t learner = 0;  // in learners_
  };

  std::vector<std::size_t> first_;    // cell of each block, ascending
  std::vector<std::size_t> setting_;  // of each block
  std::vector<double> cost_;          // of a cell of each block
  std::vector<Setting> settings_;     // a learner with its parameters on a dataset
  std::vector<Work> learners_;        // its steps, whatever their parameters, on a dataset
};

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
