// The limits of one sandboxed lua_State: its memory, its time, and the messages when these are
// exceeded.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <lua.hpp>
#include <memory>
#include <mutex>
#include <thread>

#include "bindings/lua/memory_budget.h"
#include "crossfold/cancel_token.h"
#include "crossfold/sandbox.h"

namespace crossfold::lua {

// The user data of the state's allocator, so that every function finds it.
class SandboxState {
 public:
  SandboxState(const SandboxLimits& limits, std::shared_ptr<CancelToken> parent,
               ScriptOutput output);
  SandboxState(const SandboxState&) = delete;
  SandboxState& operator=(const SandboxState&) = delete;

  // The guard of `L`, which must be a sandbox's state.
  static SandboxState& Of(lua_State* L);
  // Null for an allocator that was not made here.
  static SandboxState* Find(lua_State* L);
  static void* Allocate(void* self, void* block, std::size_t old_size, std::size_t size);

  const SandboxLimits& limits() const { return limits_; }
  const ScriptOutput& output() const { return output_; }
  // Cancelled at the deadline and when the host's token is. Cells poll it.
  const std::shared_ptr<CancelToken>& cancel() const { return cancel_; }
  const std::shared_ptr<MemoryBudget>& budget() const { return budget_; }
  bool stopped() const { return cancel_->cancelled(); }
  bool expired() const { return expired_.load(std::memory_order_relaxed); }
  bool memory_refused() const { return memory_refused_; }

  // Instructions between two looks at the token: few while there are values so large that one
  // instruction (a comparison, a conversion) may take long.
  int instructions() const { return large_bytes_ > kLargeBlock ? 8 : 200; }

  void SetExpired() {
    expired_.store(true, std::memory_order_relaxed);
    cancel_->Cancel();
  }
  // Prepares for the next script.
  void Reset();

 private:
  static constexpr std::size_t kLargeBlock = std::size_t{1} << 20;  // bytes

  void* Resize(void* block, std::size_t old_size, std::size_t size);
  // Takes the growth of a block from the budget.
  bool Admits(std::size_t old_size, std::size_t size);

  SandboxLimits limits_;
  std::shared_ptr<CancelToken> parent_;
  std::shared_ptr<CancelToken> cancel_;
  ScriptOutput output_;
  std::atomic<bool> expired_{false};
  bool memory_refused_ = false;
  std::shared_ptr<MemoryBudget> budget_;
  std::uint64_t large_bytes_ = 0;  // in blocks of at least kLargeBlock
};

// Stops the script of `state` when its time is up, from a thread of its own.
class Deadline {
 public:
  // Throws std::system_error if there can be no more threads.
  explicit Deadline(SandboxState& state);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

// Hooks `L`, and so the coroutines that it makes: looks at the token every few instructions.
void ArmSandbox(lua_State* L);
void DisarmSandbox(lua_State* L);
// Raises if the script must stop.
void PollSandbox(lua_State* L);

}  // namespace crossfold::lua
