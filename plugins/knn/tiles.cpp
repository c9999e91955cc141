#include "tiles.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace crossfold::knn {
namespace {

class Tiles {
 public:
  Tiles(std::size_t n, const plugin::Context& context, const std::function<void(std::size_t)>& body)
      : n_(n), context_(&context), body_(&body) {}

  // What each thread does. Tiles are begun in ascending order, so when one fails, all before it
  // have begun; those after it need not.
  void Work() {
    for (std::size_t t = next_++; t < n_ && t < failed_; t = next_++) {
      try {
        context_->Progress(static_cast<double>(t) / static_cast<double>(n_));
        (*body_)(t);
      } catch (...) {
        Fail(t, std::current_exception());
      }
    }
  }
  void Rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void Fail(std::size_t tile, std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (tile >= failed_) return;
    failed_ = tile;
    failure_ = std::move(failure);
  }

  std::size_t n_;
  const plugin::Context* context_;
  const std::function<void(std::size_t)>* body_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> failed_{std::numeric_limits<std::size_t>::max()};  // the smallest
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

void ForEachTile(std::size_t n, const plugin::Context& context,
                 const std::function<void(std::size_t)>& body) {
  Tiles tiles(n, context, body);
  {
    const std::size_t n_threads = std::min<std::size_t>(context.n_threads(), n);
    std::vector<std::jthread> others;
    try {
      for (std::size_t i = 1; i < n_threads; ++i) others.emplace_back([&] { tiles.Work(); });
    } catch (const std::system_error&) {  // no more threads: the running ones do all of the work
    }
    tiles.Work();
  }
  tiles.Rethrow();
}

}  // namespace crossfold::knn
