// The host's side of one call, which the functions of cf_host read and write.
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

// cf_call.call_data points to this object. Thread-safe except for Draw(). It allocates nothing
// until it must.
class CallState {
 public:
  CallState(std::uint64_t seed, const CancelToken* cancel) : random_(seed), cancel_(cancel) {}
  ~CallState();
  CallState(const CallState&) = delete;
  CallState& operator=(const CallState&) = delete;

  // Keeps the first message.
  void Fail(const char* message);
  bool cancelled() const { return cancel_ != nullptr && cancel_->cancelled(); }
  // Only one thread at a time may call it.
  void Draw(std::uint64_t* out, std::size_t n);
  // Returns zeroed memory, which is freed with this object. Null if there is no memory or `align`
  // is not a power of two.
  void* Allocate(std::size_t bytes, std::size_t align) noexcept;

  // Whether the plugin called fail(), and its message on one line; "" = it gave none.
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

// Makes the table that plugins see. Its log goes to `log` (may be null or empty), whose exceptions
// do not reach the plugin. The other functions need a call whose call_data is a CallState.
cf_host MakeHostTable(const LogSink* log);

}  // namespace crossfold
