#include "part_threads.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace crossfold::reading {
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

// Threads that help a caller. When the caller is done, it does not wait for threads that have not
// run yet, because that would cost milliseconds on a busy machine; they find nothing to do.
class Crew {
 public:
  explicit Crew(const std::function<void()>& work) : work_(work) {}

  // Starts up to `most` threads.
  static void Start(const std::shared_ptr<Crew>& crew, int most) {
    int started = 0;
    try {
      for (; started < most; ++started) {
        std::thread([crew, i = started] { crew->Help(i); }).detach();
      }
    } catch (const std::exception&) {  // no thread or no memory
      started = (started + 1) / 2;
    }
    const std::lock_guard lock(crew->mutex_);
    crew->n_ = started;
    crew->changed_.notify_all();
  }

  // Makes them do nothing from now on.
  void Dismiss() {
    std::unique_lock lock(mutex_);
    is_dismissed_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return n_working_ == 0; });
  }

 private:
  static constexpr int kUndecided = -1;

  // No thread begins before the number of threads is known, because the first ones would take the
  // memory that the others need.
  void Help(int i) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_dismissed_ || n_ != kUndecided; });
    if (is_dismissed_ || i >= n_) return;
    ++n_working_;
    lock.unlock();
    work_();
    lock.lock();
    --n_working_;
    changed_.notify_all();
  }

  const std::function<void()>& work_;  // until they are dismissed
  std::mutex mutex_;
  std::condition_variable changed_;
  int n_ = kUndecided, n_working_ = 0;
  bool is_dismissed_ = false;
};

// Calls work() on this thread and on up to `threads` - 1 others at the same time. If the system
// gives fewer threads, half of them end at once, to leave memory and threads to the work. REQUIRES:
// `work` throws nothing, and one call alone does all of the work.
void CallOnThreads(int threads, const std::function<void()>& work) {
  if (threads <= 1) return work();
  const auto crew = std::make_shared<Crew>(work);
  Crew::Start(crew, threads - 1);
  work();
  crew->Dismiss();
}

}  // namespace

void ForEachPart(int threads, std::size_t n, const std::function<void(std::size_t)>& work) {
  const auto most = static_cast<std::size_t>(std::max(threads, 1));
  PartQueue queue(n, work);
  CallOnThreads(static_cast<int>(std::min(n, most)), [&queue] { queue.Work(); });
  queue.RethrowFirst();
}

}  // namespace crossfold::reading
