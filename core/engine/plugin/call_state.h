// The host's side of one call: what cf_host's functions read and write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

#include "crossfold/cancel_token.h"
#include "crossfold/log_sink.h"
#include "crossfold_plugin.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold {

// cf_call.call_data points to it. Thread-safe but for Draw(). Allocates nothing until it must.
class CallState {
 public:
  CallState(std::uint64_t seed, const CancelToken* cancel) : random_(seed), cancel_(cancel) {}
  ~CallState();
  CallState(const CallState&) = delete;
  CallState& operator=(const CallState&) = delete;

  // The first text wins.
  void Fail(const char* message);
  bool cancelled() const { return cancel_ != nullptr && cancel_->cancelled(); }
  // One thread at a time.
  void Draw(std::uint64_t* out, std::size_t n);
  // Zeroed, freed with this object. Null if there is no memory or `align` is no power of two.
  void* Allocate(std::size_t bytes, std::size_t align) noexcept;

  // Whether the plugin called fail(), and the text it gave, on one line; "" = it gave none.
  bool has_failed() const { return has_failed_; }
  const std::string& message() const { return message_; }

 private:
  struct Block {
    Block* next;
  };

  std::mutex mutex_;
  bool has_failed_ = false;
  std::string message_;
  Block* blocks_ = nullptr;
  plugin::Random random_;
  const CancelToken* cancel_;
};

// The table that plugins see. Its log goes to `log` (may be null or empty), whose exceptions stay
// on this side. The other functions need a call whose call_data is a CallState.
cf_host MakeHostTable(const LogSink* log);

}  // namespace crossfold
