// One call, as C++ code sees it: seed, thread budget, progress and cancellation, log.
#pragma once

#include <cstdint>

#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/host.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold::plugin {

// It is valid during the call only. Any thread of the call may use it.
class Context {
 public:
  explicit Context(const cf_call& call) : call_(&call) {}

  std::uint64_t seed() const { return call_->seed; }
  // Returns how many threads the call may use, itself included.
  std::uint32_t n_threads() const { return call_->n_threads == 0 ? 1 : call_->n_threads; }
  // Returns a generator that starts at the call's seed, which is the only source of randomness.
  Random MakeRandom() const { return Random(call_->seed); }

  // Reports the share done, 0 to 1. Throws Error(CF_E_CANCELLED) if the host wants the call to
  // stop. It is cheap; call it every few thousand steps.
  void Progress(double done) const {
    if (!CF_HAS(call_->host, cf_host, progress) || call_->host->progress == nullptr) return;
    if (call_->host->progress(call_, done) != 0) {
      throw Error(CF_E_CANCELLED, "cancelled by the host");
    }
  }

  // Writes one line to the host's log. `level` is CF_LOG_...
  void Log(std::int32_t level, const char* message) const {
    if (CF_HAS(call_->host, cf_host, log) && call_->host->log != nullptr) {
      call_->host->log(call_->host, level, message);
    }
  }

 private:
  const cf_call* call_;
};

}  // namespace crossfold::plugin
