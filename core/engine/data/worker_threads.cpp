#include "engine/data/worker_threads.h"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include "crossfold/error.h"
#include "crossfold/signal_stack.h"

namespace crossfold {
namespace {

// Threads that help a caller. When the caller has finished, it does not wait for threads that have
// not started yet, because that takes milliseconds on a busy machine; they find nothing to do.
class Crew {
 public:
  explicit Crew(const std::function<void()>& work) : work_(work) {}

  // Starts up to `maximum` threads and returns their number.
  static int Start(const std::shared_ptr<Crew>& crew, int maximum) {
    int started = 0;
    try {
      for (; started < maximum; ++started) {
        std::thread([crew, i = started] {
          const SignalStack stack;
          crew->Help(i);
        }).detach();
      }
    } catch (const std::exception&) {  // no thread or no memory
      started = (started + 1) / 2;
    }
    const std::lock_guard lock(crew->mutex_);
    crew->n_ = started;
    crew->changed_.notify_all();
    return started;
  }

  // Ends the help: threads that have not started do nothing.
  void Dismiss() {
    std::unique_lock lock(mutex_);
    is_dismissed_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return n_working_ == 0; });
  }

 private:
  static constexpr int kUndecided = -1;

  // No thread begins before their number is known; otherwise the first one would take resources
  // that the others need.
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

}  // namespace

int DefaultWorkers() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

int CallOnThreads(int threads, const std::function<void()>& work) {
  if (threads <= 1) return work(), 1;
  const auto crew = std::make_shared<Crew>(work);
  const int helpers = Crew::Start(crew, threads - 1);
  work();
  crew->Dismiss();
  return 1 + helpers;
}

std::thread StartThread(const std::string& attempt, const std::function<void()>& work) {
  try {
    return std::thread(work);
  } catch (const std::system_error& e) {
    throw Error(ErrorKind::kIo, "cannot " + attempt + ": the system allows no thread for it (" +
                                    e.code().message() +
                                    "); raise its limits (ulimit -u, ulimit -v)");
  }
}

}  // namespace crossfold
