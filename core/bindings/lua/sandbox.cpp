#include "crossfold/sandbox.h"

#include <algorithm>
#include <cstring>
#include <lua.hpp>
#include <utility>

#include "bindings/lua/protect.h"
#include "bindings/lua/sandbox_libraries.h"
#include "bindings/lua/sandbox_state.h"
#include "bindings/lua/session.h"
#include "crossfold/error.h"
#include "engine/text/format_number.h"
#include "files/file_bytes.h"

namespace crossfold {
namespace lua {

struct StateCloser {
  void operator()(lua_State* L) const { lua_close(L); }
};
using OwnState = std::unique_ptr<lua_State, StateCloser>;

namespace {

// One run of a script, as the functions below get it: a light userdata.
struct Job {
  const ScriptSource& source;
  std::uint64_t seed;
  ScriptResult result;
  int status = LUA_OK;
};

Job& JobAt(lua_State* L, int index) { return *static_cast<Job*>(lua_touserdata(L, index)); }

bool IsPlannedError(lua_State* L, int index) {
  if (luaL_getmetafield(L, index, "__name") == LUA_TNIL) return false;
  const char* name = lua_tostring(L, -1);
  const bool planned = name != nullptr && std::strcmp(name, "crossfold.Planned") == 0;
  lua_pop(L, 1);
  return planned;
}

// The message handler: the error value as text. Upvalue: the job.
int Explain(lua_State* L) {
  Job& job = JobAt(L, lua_upvalueindex(1));
  if (IsPlannedError(L, 1)) {
    job.result.end = ScriptEnd::kPlanned;
    lua_pushliteral(L, "");
    return 1;
  }
  const SandboxState* guard = SandboxState::Find(L);
  // A stopped script runs no more code, and so no __tostring either.
  const bool readable = guard == nullptr || !guard->stopped();
  if (readable) {
    luaL_tolstring(L, 1, nullptr);
    RestoreScriptNames(L);
  } else {
    lua_pushliteral(L, "stopped");
  }
  luaL_traceback(L, L, lua_tostring(L, -1), 1);
  RestoreScriptNames(L);
  const char* trace = lua_tostring(L, -1);
  ErrorText ignored;
  Protect(ignored, [&] { job.result.traceback = trace; });
  lua_pop(L, 1);
  return 1;
}

void SetArguments(lua_State* L, const ScriptSource& source, int environment) {
  lua_createtable(L, static_cast<int>(source.args.size()), 1);
  lua_pushlstring(L, source.name.data(), source.name.size());
  lua_rawseti(L, -2, 0);
  for (std::size_t i = 0; i < source.args.size(); ++i) {
    lua_pushlstring(L, source.args[i].data(), source.args[i].size());
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  lua_setfield(L, environment, "arg");
}

// Lua seeds its generator by time and address.
void SeedRandom(lua_State* L, std::uint64_t seed) {
  lua_getglobal(L, "math");
  lua_getfield(L, -1, "randomseed");
  lua_pushinteger(L, static_cast<lua_Integer>(seed));
  lua_call(L, 1, 0);
  lua_pop(L, 1);
}

void LoadSource(lua_State* L, const ScriptSource& source, int environment) {
  RememberScriptName(L, source.name.c_str());
  const char* name = lua_pushfstring(L, "@%s", source.name.c_str());
  if (luaL_loadbufferx(L, source.text.data(), source.text.size(), name, "t") != LUA_OK) {
    lua_error(L);
  }
  lua_pushvalue(L, environment);
  lua_setupvalue(L, -2, 1);
}

// Pushes the value on top as JSON.
void PushJsonText(lua_State* L) {
  lua_getglobal(L, "require");
  lua_pushliteral(L, "crossfold.text.value_json");
  lua_call(L, 1, 1);
  lua_pushvalue(L, -2);
  lua_call(L, 1, 1);
}

// Runs the script of the job; returns the text of its value, and its JSON or nil.
int CallScript(lua_State* L) {
  Job& job = JobAt(L, 1);
  const ScriptSource& source = job.source;
  if (SandboxState::Find(L) != nullptr) {
    PushScriptEnvironment(L);
    SeedRandom(L, job.seed);
  } else {
    lua_pushglobaltable(L);
  }
  SetArguments(L, source, 2);
  LoadSource(L, source, 2);
  const auto n = static_cast<int>(source.args.size());
  luaL_checkstack(L, n + 8, "the script has too many arguments");
  for (const std::string& arg : source.args) lua_pushlstring(L, arg.data(), arg.size());
  lua_call(L, n, 1);
  const int value = lua_gettop(L);
  if (lua_isnil(L, value)) {
    lua_pushliteral(L, "");
  } else {
    luaL_tolstring(L, value, nullptr);
  }
  if (!source.json) return 1;
  lua_pushvalue(L, value);
  PushJsonText(L);
  lua_replace(L, -2);
  return 2;
}

// Owns nothing: what is copied out is copied without a Lua call.
int RunJob(lua_State* L) {
  Job& job = JobAt(L, 1);
  lua_pushvalue(L, 1);
  lua_pushcclosure(L, &Explain, 1);
  lua_pushcfunction(L, &CallScript);
  lua_pushvalue(L, 1);
  if (SandboxState::Find(L) != nullptr) ArmSandbox(L);
  job.status = lua_pcall(L, 1, LUA_MULTRET, 2);
  if (SandboxState::Find(L) != nullptr) DisarmSandbox(L);
  const int n = lua_gettop(L) - 2;
  std::size_t size = 0, json_size = 0;
  const char* text = lua_type(L, 3) == LUA_TSTRING ? lua_tolstring(L, 3, &size) : "";
  const char* json = n == 2 ? lua_tolstring(L, 4, &json_size) : "";
  Try(L, [&] {
    (job.status == LUA_OK ? job.result.text : job.result.error).assign(text, size);
    job.result.json.assign(json, json_size);
  });
  return 0;
}

// For lua_pcall of RunJob; false if even that failed, for lack of memory.
void RunProtected(lua_State* L, Job& job) {
  lua_pushcfunction(L, &RunJob);
  lua_pushlightuserdata(L, &job);
  const int status = lua_pcall(L, 1, 0, 0);
  if (status != LUA_OK) {
    job.status = status;
    job.result.error = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "it failed";
  }
  lua_settop(L, 0);
}

std::string Quoted(const std::string& name) { return "'" + name + "'"; }

// Why the script ended, and a message that says what to do.
void Conclude(const SandboxState& guard, Job& job) {
  ScriptResult& result = job.result;
  if (job.status == LUA_OK) {
    result.end = ScriptEnd::kFinished;
    result.traceback.clear();
    return;
  }
  const SandboxLimits& limits = guard.limits();
  const std::string name = Quoted(job.source.name);
  if (guard.expired()) {
    result.end = ScriptEnd::kTime;
    result.error = "stopped " + name + ": it ran for " + FormatShortest(limits.seconds) +
                   " s, the time of this sandbox; give it more (--sandbox-seconds, "
                   "SandboxLimits.seconds)";
  } else if (guard.stopped()) {
    result.end = ScriptEnd::kCancelled;
    result.error = "stopped " + name + ": cancelled";
  } else if (guard.memory_refused() &&
             result.error.find("not enough memory") != std::string::npos) {
    result.end = ScriptEnd::kMemory;
    result.error = "stopped " + name + ": its values need more than " +
                   std::to_string(limits.memory) +
                   " bytes, the memory of this sandbox; keep less at a time, or give it more "
                   "(--sandbox-memory, SandboxLimits.memory)";
  } else if (result.end != ScriptEnd::kPlanned) {
    result.end = ScriptEnd::kFailed;
  }
}

int OpenAll(lua_State* L) {
  luaL_checkversion(L);
  OpenSandboxLibraries(L);
  const auto& options = *static_cast<const LuaOptions*>(lua_touserdata(L, 1));
  OpenLua(L, options);
  return 0;
}

int OpenTrusted(lua_State* L) {
  luaL_openlibs(L);
  const auto& options = *static_cast<const LuaOptions*>(lua_touserdata(L, 1));
  OpenLua(L, options);
  return 0;
}

// Throws if the state has no memory for its libraries.
void Open(lua_State* L, lua_CFunction open, LuaOptions& options) {
  lua_pushcfunction(L, open);
  lua_pushlightuserdata(L, &options);
  if (lua_pcall(L, 1, 0, 0) == LUA_OK) return;
  throw Error(ErrorKind::kFailed,
              "cannot make a state for scripts: " + std::string(lua_tostring(L, -1)) +
                  "; give it more (SandboxLimits.memory)");
}

void CheckLimits(const SandboxLimits& limits) {
  if (limits.seconds >= 0 && limits.seconds <= 1e9) return;
  throw Error(ErrorKind::kInvalidArgument,
              "cannot make a sandbox: seconds = " + FormatShortest(limits.seconds) +
                  " is out of range; use 0 for no limit, or up to 1e9");
}

}  // namespace
}  // namespace lua

ScriptSource ScriptSource::FromFile(const std::filesystem::path& path) {
  ScriptSource source;
  source.name = path.string();
  source.text = ReadFileBytes(path, "cannot read script '" + source.name + "'");
  if (source.text.starts_with("\xEF\xBB\xBF")) source.text.erase(0, 3);
  // A first line for the shell becomes a comment, and lines keep their numbers.
  if (source.text.starts_with('#')) source.text.insert(0, "--");
  return source;
}

struct Sandbox::Impl {
  Impl(const LuaOptions& options, const SandboxLimits& limits, ScriptOutput output)
      : guard(limits, options.cancel, std::move(output)), seed(options.seed) {
    lua::CheckLimits(limits);
    state.reset(lua_newstate(&lua::SandboxState::Allocate, &guard));
    if (state == nullptr) {
      throw Error(ErrorKind::kFailed,
                  "cannot make a sandbox: there is not enough memory for its state; give it more "
                  "(SandboxLimits.memory)");
    }
    LuaOptions own = options;
    own.cancel = guard.cancel();
    if (limits.memory > 0) {  // shared work that does not fit is dropped
      const std::uint64_t most = std::max<std::uint64_t>(limits.memory / 4, 1);
      own.memory = own.memory == 0 ? most : std::min(own.memory, most);
    }
    own.workers = guard.budget()->BoundWorkers(options.workers);
    lua::Open(state.get(), &lua::OpenAll, own);
    lua::Session& session = *lua::FindSession(state.get());
    session.files.Restrict(limits.root, limits.output);
    session.budget = guard.budget();
    session.engines = lua::RunEngines(guard.budget().get());
  }

  void Prepare() {
    lua_gc(state.get(), LUA_GCCOLLECT);
    guard.Reset();
    lua::Session& session = *lua::FindSession(state.get());
    session.counts = {};
    session.plans.clear();
    if (session.options.plan) session.BeginPlan();
  }

  lua::SandboxState guard;  // outlives the state
  std::uint64_t seed;
  lua::OwnState state;
};

Sandbox::Sandbox(const LuaOptions& options, const SandboxLimits& limits, ScriptOutput output)
    : impl_(std::make_unique<Impl>(options, limits, std::move(output))) {}

Sandbox::~Sandbox() = default;

lua_State* Sandbox::state() const { return impl_->state.get(); }

ScriptResult Sandbox::Run(const ScriptSource& source) {
  impl_->Prepare();
  lua::Job job{source, impl_->seed, {}};
  {
    const lua::Deadline deadline(impl_->guard);
    lua::RunProtected(state(), job);
  }
  lua::Conclude(impl_->guard, job);
  job.result.counts = GetLuaRunCounts(state());
  return std::move(job.result);
}

ScriptResult RunLuaScript(const ScriptSource& source, const LuaOptions& options,
                          const SandboxLimits& limits, ScriptOutput output) {
  return Sandbox(options, limits, std::move(output)).Run(source);
}

ScriptResult RunTrustedLuaScript(const ScriptSource& source, const LuaOptions& options) {
  const lua::OwnState state(luaL_newstate());
  if (state == nullptr) {
    throw Error(ErrorKind::kFailed, "cannot run a script: there is no memory for a Lua state");
  }
  LuaOptions own = options;
  lua::Open(state.get(), &lua::OpenTrusted, own);
  lua::Job job{source, options.seed, {}};
  lua::RunProtected(state.get(), job);
  if (job.status == LUA_OK) job.result.end = ScriptEnd::kFinished;
  const bool cancelled = options.cancel != nullptr && options.cancel->cancelled();
  if (job.status != LUA_OK && cancelled) job.result.end = ScriptEnd::kCancelled;
  job.result.counts = GetLuaRunCounts(state.get());
  return std::move(job.result);
}

}  // namespace crossfold
