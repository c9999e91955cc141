// Deadlines of functions of scripts: a learner, transform or metric in Lua may take as long as a
// cell of a plugin.
//
// One deadline counts at a time, that of the innermost function that runs. While a function waits
// for cells it has none: what it has left is put aside and given back (see run.lua).
#include <chrono>
#include <limits>
#include <lua.hpp>

#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/session.h"

namespace crossfold::lua {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr int kInstructions = 1000;  // between two looks at the clock
// What a script may do that has caught the error, to close files and the like.
constexpr int kGraceInstructions = 100'000;
constexpr char kDeadlineKey = 0, kTimeIsUpKey = 0;  // addresses

double Now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double& DeadlineOf(lua_State* L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &kDeadlineKey);
  auto* deadline = static_cast<double*>(lua_touserdata(L, -1));
  lua_pop(L, 1);
  return *deadline;
}

// Sets the deadline; returns the seconds that were left of the one before.
double Exchange(lua_State* L, double seconds) {
  double& deadline = DeadlineOf(L);
  const double now = Now(), left = deadline - now;
  deadline = now + seconds;
  return left;
}

void PushTimeIsUp(lua_State* L) {
  PushErrorValue(L, &kTimeIsUpKey, "the time of a function is up", nullptr);
}

bool MustStop(lua_State* L) {
  const Session* session = FindSession(L);
  const CancelToken* cancel = session != nullptr ? session->cancel() : nullptr;
  const bool cancelled = cancel != nullptr && cancel->cancelled();
  if (!cancelled && Now() < DeadlineOf(L)) return false;
  cancelled ? PushCancelled(L) : PushTimeIsUp(L);
  return true;
}

void LookAtClock(lua_State* L, lua_Debug* debug);

// Of a script that has caught the error once; from then on it runs no instruction more.
void StopAgain(lua_State* L, lua_Debug* /*debug*/) {
  const bool stops = MustStop(L);
  lua_sethook(L, stops ? &StopAgain : &LookAtClock, LUA_MASKCOUNT, stops ? 1 : kInstructions);
  if (stops) lua_error(L);
}

void LookAtClock(lua_State* L, lua_Debug* /*debug*/) {
  if (!MustStop(L)) return;
  lua_sethook(L, &StopAgain, LUA_MASKCOUNT, kGraceInstructions);
  lua_error(L);
}

// The hook of a sandbox, and that of an interrupt, stay.
bool MayHook(lua_State* L) {
  const lua_Hook hook = lua_gethook(L);
  return hook == nullptr || hook == &LookAtClock || hook == &StopAgain;
}

int FinishLimited(lua_State* L, int status, lua_KContext /*context*/) {
  const bool is_up = Exchange(L, lua_tonumber(L, 1)) <= 0;
  if (MayHook(L)) {
    const bool has_outer = DeadlineOf(L) < kNever;
    lua_sethook(L, has_outer ? &LookAtClock : nullptr, has_outer ? LUA_MASKCOUNT : 0, kInstructions);
  }
  const bool is_ok = !is_up && (status == LUA_OK || status == LUA_YIELD);
  lua_pushboolean(L, is_ok ? 1 : 0);
  lua_replace(L, 1);
  if (is_ok) return lua_gettop(L);
  if (is_up) {
    lua_settop(L, 1);
    PushTimeIsUp(L);
  }
  return 2;  // else with the error, which took the place of f
}

// native.limited(seconds, f, ...): pcall(f, ...); after `seconds` the error is native.time_is_up,
// whatever f does with it.
int Limited(lua_State* L) {
  const double seconds = luaL_checknumber(L, 1);
  luaL_checkany(L, 2);
  lua_pushnumber(L, Exchange(L, seconds));
  lua_replace(L, 1);
  if (MayHook(L)) lua_sethook(L, &LookAtClock, LUA_MASKCOUNT, kInstructions);
  const int status =
      lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, lua_KContext{0}, &FinishLimited);
  return FinishLimited(L, status, 0);
}

// native.exchange_limit(seconds): the function that runs has these seconds from now on; returns
// what was left. Without an argument: no limit.
int ExchangeLimit(lua_State* L) {
  lua_pushnumber(L, Exchange(L, luaL_optnumber(L, 1, kNever)));
  return 1;
}

}  // namespace

void OpenTimeLimits(lua_State* L) {
  *static_cast<double*>(lua_newuserdatauv(L, sizeof(double), 0)) = kNever;
  lua_rawsetp(L, LUA_REGISTRYINDEX, &kDeadlineKey);
  PushTimeIsUp(L);
  lua_setfield(L, -2, "time_is_up");
  AddFunctions(L, {{"limited", Limited}, {"exchange_limit", ExchangeLimit}});
}

}  // namespace crossfold::lua
