#include "analysis/facts/part_threads.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "engine/data/worker_threads.h"

namespace crossfold {
namespace {

class PartQueue {
 public:
  PartQueue(std::size_t n, const std::function<void(std::size_t)>& work) : end_(n), work_(work) {}

  void Work() {
    for (;;) {
      const std::size_t part = next_.fetch_add(1);
      if (part >= end_.load()) return;
      try {
        work_(part);
      } catch (...) {
        Fail(part, std::current_exception());
      }
    }
  }

  void RethrowFirst() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  // Parts before `part` have begun already, so the earliest failure is always found.
  void Fail(std::size_t part, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (part >= end_.load()) return;
    end_ = part;
    error_ = std::move(error);
  }

  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> end_;  // no part from here on matters any more
  const std::function<void(std::size_t)>& work_;
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace

void ForEachPart(int threads, std::size_t n, const std::function<void(std::size_t)>& work) {
  const auto most = static_cast<std::size_t>(threads > 0 ? threads : DefaultWorkers());
  PartQueue queue(n, work);
  CallOnThreads(static_cast<int>(std::min(n, most)), [&queue] { queue.Work(); });
  queue.RethrowFirst();
}

}  // namespace crossfold
