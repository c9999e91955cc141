#include "data/worker_threads.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <system_error>

#include "crossfold/error.h"

namespace crossfold {

int DefaultWorkers() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

std::vector<std::jthread> StartThreads(std::size_t most, const std::function<void()>& work) {
  constexpr std::size_t kUndecided = ~std::size_t{0};
  std::vector<std::jthread> threads;
  if (most == 0) return threads;
  // How many work. None begins before, or those that are started first take what the others need.
  const auto n_working = std::make_shared<std::atomic<std::size_t>>(kUndecided);
  const auto decide = [&](std::size_t n) {
    n_working->store(n);
    n_working->notify_all();
    threads.resize(n);
  };
  try {
    for (std::size_t i = 0; i < most; ++i) {
      threads.emplace_back([n_working, work, i] {
        n_working->wait(kUndecided);
        if (i < n_working->load()) work();
      });
    }
    decide(most);
  } catch (const std::exception&) {  // no thread, or no memory for one
    decide((threads.size() + 1) / 2);
  }
  return threads;
}

std::thread StartThread(const std::string& attempt, const std::function<void()>& work) {
  try {
    return std::thread(work);
  } catch (const std::system_error& e) {
    throw Error(ErrorKind::kIo, "cannot " + attempt + ": the system gives no thread for it (" +
                                    e.code().message() +
                                    "); raise its limits (ulimit -u, ulimit -v)");
  }
}

int CallOnThreads(int threads, const std::function<void()>& work) {
  const auto others = StartThreads(static_cast<std::size_t>(std::max(threads - 1, 0)), work);
  work();
  return 1 + static_cast<int>(others.size());
}

}  // namespace crossfold
