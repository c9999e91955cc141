#include "bindings/lua/run_settings.h"

#include <algorithm>
#include <string_view>

#include "bindings/lua/arguments.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/session.h"
#include "crossfold/component.h"
#include "crossfold/pipeline.h"

namespace crossfold::lua {
namespace {

constexpr int kMaxWorkers = 4096;
constexpr lua_Integer kMaxRetries = 100;

int CheckWorkers(lua_State* L, int index) {
  int is_integer = 0;
  const lua_Integer workers = lua_tointegerx(L, index, &is_integer);
  if (is_integer == 0 || workers < 0 || workers > kMaxWorkers) {
    Raise(L, "workers must be an integer in 0 .. 4096");
  }
  return static_cast<int>(workers);
}

// Field `name` of the table at `index` as a number from 0; `out` stays as it is if it is nil.
void ReadLimit(lua_State* L, int index, const char* name, double& out) {
  if (lua_getfield(L, index, name) != LUA_TNIL) {
    const lua_Number number = lua_tonumber(L, -1);
    if (lua_type(L, -1) != LUA_TNUMBER || !(number >= 0)) {
      Raise(L, lua_pushfstring(L, "%s must be a number of seconds, 0 or more", name));
    }
    out = number;
  }
  lua_pop(L, 1);
}

bool ReadBytes(lua_State* L, int index, const char* name, std::uint64_t& out) {
  const bool given = lua_getfield(L, index, name) != LUA_TNIL;
  if (given) {
    int is_integer = 0;
    const lua_Integer bytes = lua_tointegerx(L, -1, &is_integer);
    if (is_integer == 0 || bytes < 0) {
      Raise(L, lua_pushfstring(L, "%s must be a number of bytes, 0 or more", name));
    }
    out = static_cast<std::uint64_t>(bytes);
  }
  lua_pop(L, 1);
  return given;
}

void ReadStore(lua_State* L, int index, const Session& session, RunSettings& out) {
  const int type = lua_getfield(L, index, "store");
  if (type == LUA_TBOOLEAN && lua_toboolean(L, -1) == 0) {
    out.store.clear();
  } else if (type != LUA_TNIL && type != LUA_TSTRING) {
    Raise(L, "store must be a path, or false for none");
  }
  lua_pop(L, 1);
  if (type == LUA_TSTRING) {
    ReadStringField(L, index, "store", out.store);
    Try(L, [&] { session.files.CheckStore(out.store); });
  }
  std::uint64_t bytes = 0;
  if (ReadBytes(L, index, "store_predictions", bytes)) out.prediction_bytes = bytes;
  if (lua_getfield(L, index, "on_store_error") != LUA_TNIL) {
    out.on_store_error = OnStoreErrorNamed(luaL_checkstring(L, -1));
    if (!out.on_store_error) Raise(L, "on_store_error must be continue or stop");
  }
  lua_pop(L, 1);
}

void ReadIsolation(lua_State* L, int index, RunSettings& out) {
  if (lua_getfield(L, index, "isolate") != LUA_TNIL) {
    out.isolation = ToIsolation(L, -1);
    if (!out.isolation) Raise(L, "isolate must be auto, none, worker or fresh");
  }
  lua_pop(L, 1);
}

void ReadLimits(lua_State* L, int index, RunSettings& settings) {
  CellLimits& out = settings.limits;
  if (lua_getfield(L, index, "limits") == LUA_TTABLE) {
    const int limits = lua_gettop(L);
    ReadLimit(L, limits, "seconds", out.seconds);
    ReadLimit(L, limits, "cpu_seconds", out.cpu_seconds);
    ReadBytes(L, limits, "memory", out.memory);
    if (ReadBytes(L, limits, "memory_max", settings.retry.memory_max) && out.memory == 0) {
      Raise(L, "limits.memory_max needs a limit to begin with; set limits.memory");
    }
  }
  lua_pop(L, 1);
}

void ReadRetries(lua_State* L, int index, RetryOptions& out) {
  if (lua_getfield(L, index, "retries") != LUA_TNIL) {
    int is_integer = 0;
    const lua_Integer retries = lua_tointegerx(L, -1, &is_integer);
    if (is_integer == 0 || retries < 0 || retries > kMaxRetries) {
      Raise(L, "retries must be an integer in 0 .. 100");
    }
    out.retries = static_cast<int>(retries);
  }
  lua_pop(L, 1);
}

bool AsksForProcess(const Pipeline& learner) {
  return std::any_of(learner.steps().begin(), learner.steps().end(), [](const auto& step) {
    return (step->component().process_flags & CF_WANTS_CHILD_PROCESS) != 0;
  });
}

}  // namespace

void ReadRunSettings(lua_State* L, int index, const Session& session, RunSettings& out) {
  out.workers = session.options.workers;
  out.isolation = session.options.isolation;
  out.limits = session.options.isolated.limits;
  out.retry = session.options.retry;
  Try(L, [&] { out.store = session.options.store; });
  if (lua_isnoneornil(L, index)) return;
  if (lua_isnumber(L, index)) {
    out.workers = CheckWorkers(L, index);
    return;
  }
  luaL_checktype(L, index, LUA_TTABLE);
  if (lua_getfield(L, index, "workers") != LUA_TNIL) out.workers = CheckWorkers(L, -1);
  lua_pop(L, 1);
  ReadStore(L, index, session, out);
  ReadIsolation(L, index, out);
  ReadLimits(L, index, out);
  ReadRetries(L, index, out.retry);
  lua_getfield(L, index, "stop");
  out.stop = lua_toboolean(L, -1) != 0;
  lua_pop(L, 1);
}

std::optional<Isolation> ToIsolation(lua_State* L, int index) {
  const char* name = lua_tostring(L, index);
  return IsolationNamed(name == nullptr ? "" : name);
}

Isolation ChooseIsolation(const RunSettings& settings, const Pipeline& learner,
                          std::optional<Isolation> own) {
  if (own) return *own;
  if (settings.isolation) return *settings.isolation;
  return settings.limits.any() || AsksForProcess(learner) ? Isolation::kWorker : Isolation::kNone;
}

}  // namespace crossfold::lua
