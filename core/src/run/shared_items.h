// Items 0 .. n-1 that several threads take one by one.
#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstddef>

#include "crossfold/cancel_token.h"
#include "run/worker_threads.h"

namespace crossfold {

// `work(i)` writes what belongs to item i only, and throws nothing.
template <class Work>
class SharedItems {
 public:
  SharedItems(std::size_t n, const CancelToken* cancel, const Work& work)
      : n_(n), cancel_(cancel), work_(work) {}
  SharedItems(const SharedItems&) = delete;
  SharedItems& operator=(const SharedItems&) = delete;

  // Returns when all items are done or a cancellation was seen. One worker is the calling thread;
  // `workers` = 0 means one a core.
  void WorkOn(int workers) {
    if (workers <= 0) workers = DefaultWorkers();
    workers = static_cast<int>(std::min(static_cast<std::size_t>(workers), n_));
    if (workers <= 1) return TakeAll();
    // What happens before the hand-over happens before the work, and the work before the return.
    handed_over_.store(true, std::memory_order_release);
    CallOnThreads(
        workers,
        [](void* items) {
          SharedItems& self = *static_cast<SharedItems*>(items);
          if (self.handed_over_.load(std::memory_order_acquire)) self.TakeAll();
          self.returned_.fetch_add(1, std::memory_order_release);
        },
        this);
    [[maybe_unused]] const int returned = returned_.load(std::memory_order_acquire);
    assert(returned == workers);
  }

 private:
  void TakeAll() {
    for (;;) {
      if (cancel_ != nullptr && cancel_->cancelled()) return;
      const std::size_t i = next_.fetch_add(1, std::memory_order_relaxed);
      if (i >= n_) return;
      work_(i);
    }
  }

  const std::size_t n_;
  const CancelToken* cancel_;
  const Work& work_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> handed_over_{false};
  std::atomic<int> returned_{0};
};

}  // namespace crossfold
