#include "bindings/lua/sandbox_state.h"

#include <chrono>
#include <cstdlib>
#include <utility>

#include "bindings/lua/protect.h"
#include "engine/data/worker_threads.h"

namespace crossfold::lua {
namespace {

[[noreturn]] void RaiseStopped(lua_State* L) {
  Raise(L, SandboxState::Of(L).expired() ? "stopped: the time of this script is up"
                                         : "stopped: the host asked to");
}

void OnCount(lua_State* L, lua_Debug*) {
  const SandboxState& state = SandboxState::Of(L);
  if (!state.stopped()) {
    const int wanted = state.instructions();
    if (lua_gethookcount(L) != wanted) lua_sethook(L, &OnCount, LUA_MASKCOUNT, wanted);
    return;
  }
  // Before raising: a script that catches the error gets the next one at once.
  lua_sethook(L, &OnCount, LUA_MASKCOUNT, 1);
  RaiseStopped(L);
}

}  // namespace

SandboxState::SandboxState(const SandboxLimits& limits, std::shared_ptr<CancelToken> parent,
                           ScriptOutput output)
    : limits_(limits),
      parent_(std::move(parent)),
      cancel_(std::make_shared<CancelToken>(parent_.get())),
      output_(std::move(output)),
      budget_(std::make_shared<MemoryBudget>(limits.memory)) {}

SandboxState* SandboxState::Find(lua_State* L) {
  void* self = nullptr;
  return lua_getallocf(L, &self) == &Allocate ? static_cast<SandboxState*>(self) : nullptr;
}

SandboxState& SandboxState::Of(lua_State* L) {
  void* self = nullptr;
  lua_getallocf(L, &self);
  return *static_cast<SandboxState*>(self);
}

void SandboxState::Reset() {
  expired_ = false;
  memory_refused_ = false;
  cancel_->Reset();
}

// After the deadline there are no more large blocks either: making them takes time that the hook
// does not see.
bool SandboxState::Admits(std::size_t old_size, std::size_t size) {
  if (size <= old_size) return true;
  if (size >= kLargeBlock && stopped()) return false;
  if (budget_->Take(size - old_size)) return true;
  memory_refused_ = true;
  return false;
}

void* SandboxState::Resize(void* block, std::size_t old_size, std::size_t size) {
  if (!Admits(old_size, size)) return nullptr;
  void* made = std::realloc(block, size);
  if (made == nullptr) {
    if (size > old_size) budget_->Return(size - old_size);
    return nullptr;
  }
  if (size < old_size) budget_->Return(old_size - size);
  if (old_size >= kLargeBlock) large_bytes_ -= old_size;
  if (size >= kLargeBlock) large_bytes_ += size;
  return made;
}

void* SandboxState::Allocate(void* self, void* block, std::size_t old_size, std::size_t size) {
  auto& state = *static_cast<SandboxState*>(self);
  const std::size_t held = block == nullptr ? 0 : old_size;  // else a type of object
  if (size != 0) return state.Resize(block, held, size);
  std::free(block);
  state.budget_->Return(held);
  if (held >= kLargeBlock) state.large_bytes_ -= held;
  return nullptr;
}

Deadline::Deadline(SandboxState& state) {
  const double seconds = state.limits().seconds;
  if (seconds <= 0) return;
  const std::chrono::duration<double> length(seconds);
  thread_ = StartThread("watch the time of the script", [this, &state, length] {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, length, [this] { return done_; })) state.SetExpired();
  });
}

Deadline::~Deadline() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void ArmSandbox(lua_State* L) {
  lua_sethook(L, &OnCount, LUA_MASKCOUNT, SandboxState::Of(L).instructions());
}

void DisarmSandbox(lua_State* L) { lua_sethook(L, nullptr, 0, 0); }

void PollSandbox(lua_State* L) {
  if (SandboxState::Of(L).stopped()) RaiseStopped(L);
}

}  // namespace crossfold::lua
