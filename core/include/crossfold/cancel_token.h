// A flag that asks a run to stop. One side sets it (a signal handler may), the other side polls.
#pragma once

#include <atomic>

#include "crossfold/error.h"

namespace crossfold {

class CancelToken {
 public:
  CancelToken() = default;
  // The token is also cancelled when `parent` is. `parent` must outlive it.
  explicit CancelToken(const CancelToken* parent) : parent_(parent) {}
  CancelToken(const CancelToken&) = delete;
  CancelToken& operator=(const CancelToken&) = delete;

  // Is async-signal-safe and may be called from any thread.
  void Cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const noexcept {
    return cancelled_.load(std::memory_order_relaxed) ||
           (parent_ != nullptr && parent_->cancelled());
  }
  // Prepares the token for the next run; the parent stays as it is.
  void Reset() noexcept { cancelled_.store(false, std::memory_order_relaxed); }

 private:
  const CancelToken* parent_ = nullptr;
  std::atomic<bool> cancelled_{false};
  static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");
};

// Throws Error(kCancelled) if there is a token and it was cancelled. Every loop whose length
// depends on the arguments of a call calls it.
inline void StopIfCancelled(const CancelToken* token) {
  if (token != nullptr && token->cancelled()) throw Error(ErrorKind::kCancelled, "cancelled");
}

}  // namespace crossfold
