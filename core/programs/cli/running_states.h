// The Lua states that run at this moment: a script's main state, and the coroutines that it and
// they have resumed. A signal handler can stop all of them.
#pragma once

#include <atomic>
#include <lua.hpp>

namespace crossfold::cli {

// Adds a state for the time of this object. The objects of a thread end in reverse order, and there
// is one thread with such objects at a time.
class RunningState {
 public:
  explicit RunningState(lua_State* L);
  ~RunningState();
  RunningState(const RunningState&) = delete;
  RunningState& operator=(const RunningState&) = delete;

 private:
  friend void StopRunningStates();
  lua_State* const state_;
  RunningState* const outer_;
};

// Makes every running state raise Crossfold's "cancelled" value at its next Lua instruction, and
// again if it caught that and went on for long. Async-signal-safe, but only on the thread that runs
// the states. States that run later are stopped after a while.
void StopRunningStates();

// Ends what StopRunningStates began: states that run from here on are not stopped. REQUIRES: none
// runs.
void AllowRunningStates();

// Replaces those functions of the global table `coroutine` that run a coroutine by ones that also
// make it a RunningState. A script notices nothing, and code that does not switch coroutines runs
// as fast as before. REQUIRES: luaL_openlibs.
void TrackCoroutines(lua_State* L);

}  // namespace crossfold::cli
