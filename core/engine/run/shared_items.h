// Items 0 .. n-1, which several threads take one by one.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "crossfold/cancel_token.h"
#include "engine/data/worker_threads.h"

namespace crossfold {

// `work(i)` writes only data of item i, and must not throw.
template <class Work>
class SharedItems {
 public:
  SharedItems(std::size_t n, const CancelToken* cancel, const Work& work)
      : n_(n), cancel_(cancel), work_(work) {}
  SharedItems(const SharedItems&) = delete;
  SharedItems& operator=(const SharedItems&) = delete;

  // Returns the number of threads, which may be fewer, when all items are done or a cancellation
  // was seen. One worker is the calling thread; `workers` = 0 means one per core.
  int WorkOn(int workers) {
    if (workers <= 0) workers = DefaultWorkers();
    workers = static_cast<int>(std::min(static_cast<std::size_t>(workers), n_));
    return CallOnThreads(workers, [this] { TakeAll(); });
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
};

}  // namespace crossfold
