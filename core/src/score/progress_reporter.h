// Tells a host of finished cells, one call at a time, and stops the run if it throws.
#pragma once

#include <cstddef>
#include <exception>
#include <mutex>

#include "crossfold/cancel_token.h"
#include "crossfold/progress.h"

namespace crossfold {

// `sink` (may be empty) and `stop` must outlive it. Thread-safe but for Rethrow.
class ProgressReporter {
 public:
  ProgressReporter(const ProgressSink& sink, std::size_t total, CancelToken& stop)
      : sink_(sink), total_(total), stop_(stop) {}
  ProgressReporter(const ProgressReporter&) = delete;
  ProgressReporter& operator=(const ProgressReporter&) = delete;

  void CellFinished() noexcept {
    if (!sink_) return;
    const std::lock_guard lock(mutex_);
    ++finished_;
    if (thrown_) return;
    try {
      sink_({finished_, total_});
    } catch (...) {
      thrown_ = std::current_exception();
      stop_.Cancel();
    }
  }

  // What the host threw. To be called when the run has ended.
  void Rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  const ProgressSink& sink_;
  const std::size_t total_;
  CancelToken& stop_;
  std::mutex mutex_;
  std::size_t finished_ = 0;
  std::exception_ptr thrown_;
};

}  // namespace crossfold
