#include "programs/cli/running_states.h"

namespace crossfold::cli {
namespace {

// What a signal handler may touch: it can be given no argument.
std::atomic<RunningState*> innermost{nullptr};
std::atomic<bool> stopping{false};
static_assert(std::atomic<RunningState*>::is_always_lock_free, "a signal handler reads it");

// Lua instructions that a state may run after it was stopped, to close files and the like: a tenth
// of a second.
constexpr int kGraceInstructions = 4'000'000;

void PushCancelled(lua_State* L) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, -1, "crossfold.native") == LUA_TTABLE) {
    lua_getfield(L, -1, "cancelled");
  } else {
    lua_pushliteral(L, "interrupted");
  }
}

// From its second call on, no Lua code catches it for longer than an instruction.
void RaiseAgain(lua_State* L, lua_Debug*) {
  lua_sethook(L, &RaiseAgain, LUA_MASKCOUNT, 1);
  PushCancelled(L);
  lua_error(L);
}

void Raise(lua_State* L, lua_Debug*) {
  lua_sethook(L, &RaiseAgain, LUA_MASKCOUNT, kGraceInstructions);
  PushCancelled(L);
  lua_error(L);
}

bool IsStopped(lua_State* L) {
  const lua_Hook hook = lua_gethook(L);
  return hook == &Raise || hook == &RaiseAgain;
}

// Resumes the coroutine with the n_args values at the top of L. Then at the top of L: what it
// yielded or returned and the number of that, or an error value and -1.
int Resume(lua_State* L, lua_State* thread, int n_args) {
  if (lua_checkstack(thread, n_args) == 0) {
    lua_pushliteral(L, "too many arguments to resume");
    return -1;
  }
  lua_xmove(L, thread, n_args);
  int n_values = 0;
  int status = LUA_OK;
  {
    const RunningState running(thread);
    status = lua_resume(thread, L, n_args, &n_values);
  }
  if (status != LUA_OK && status != LUA_YIELD) {
    lua_xmove(thread, L, 1);
    return -1;
  }
  if (lua_checkstack(L, n_values + 1) == 0) {
    lua_pop(thread, n_values);
    lua_pushliteral(L, "too many results to resume");
    return -1;
  }
  lua_xmove(thread, L, n_values);
  return n_values;
}

// coroutine.resume
int ResumeInProtectedMode(lua_State* L) {
  lua_State* thread = lua_tothread(L, 1);
  luaL_argexpected(L, thread != nullptr, 1, "thread");
  const int n_values = Resume(L, thread, lua_gettop(L) - 1);
  lua_pushboolean(L, n_values >= 0 ? 1 : 0);
  lua_replace(L, 1);
  return n_values >= 0 ? lua_gettop(L) : 2;
}

// What coroutine.wrap returns. Upvalue: the coroutine. An error closes it and is raised, a text
// with the line of the call in front.
int ResumeWrapped(lua_State* L) {
  lua_State* thread = lua_tothread(L, lua_upvalueindex(1));
  const int n_values = Resume(L, thread, lua_gettop(L));
  if (n_values >= 0) return n_values;
  const int status = lua_status(thread);
  if (status != LUA_OK && status != LUA_YIELD) {  // it was running
    lua_pushvalue(L, -1);
    lua_xmove(L, thread, 1);  // closing passes the error on to its variables, which may replace it
    lua_resetthread(thread);
    lua_xmove(thread, L, 1);
  }
  if (status != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

// coroutine.wrap
int Wrap(lua_State* L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_State* thread = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, thread, 1);
  lua_pushcclosure(L, &ResumeWrapped, 1);
  return 1;
}

}  // namespace

RunningState::RunningState(lua_State* L)
    : state_(L), outer_(innermost.load(std::memory_order_relaxed)) {
  innermost.store(this, std::memory_order_relaxed);
  // From here on the signal handler stops this state; before, this does.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const bool stops = stopping.load(std::memory_order_relaxed);
  if (stops && !IsStopped(L)) lua_sethook(L, &RaiseAgain, LUA_MASKCOUNT, kGraceInstructions);
  if (!stops && IsStopped(L)) lua_sethook(L, nullptr, 0, 0);
}

RunningState::~RunningState() {
  innermost.store(outer_, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

void StopRunningStates() {
  stopping.store(true, std::memory_order_relaxed);
  const RunningState* running = innermost.load(std::memory_order_relaxed);
  for (; running != nullptr; running = running->outer_) {
    lua_sethook(running->state_, &Raise, LUA_MASKCOUNT, 1);
  }
}

void AllowRunningStates() { stopping.store(false, std::memory_order_relaxed); }

void TrackCoroutines(lua_State* L) {
  luaL_checkstack(L, 2, "cannot track coroutines");
  lua_getglobal(L, "coroutine");
  lua_pushcfunction(L, &ResumeInProtectedMode);
  lua_setfield(L, -2, "resume");
  lua_pushcfunction(L, &Wrap);
  lua_setfield(L, -2, "wrap");
  lua_pop(L, 1);
}

}  // namespace crossfold::cli
