#include "cli/script_command.h"

#include <cstdio>
#include <cstring>
#include <lua.hpp>
#include <string>

#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/lua_state.h"
#include "cli/opened_stores.h"
#include "cli/running_states.h"
#include "crossfold/cancel_token.h"
#include "crossfold/lua.h"

namespace crossfold::cli {
namespace {

// Whether the error value means that the work of the script was planned.
bool IsPlanned(lua_State* L, int index) {
  if (luaL_getmetafield(L, index, "__name") == LUA_TNIL) return false;
  const char* name = lua_tostring(L, -1);
  const bool planned = name != nullptr && std::strcmp(name, "crossfold.Planned") == 0;
  lua_pop(L, 1);
  return planned;
}

struct ScriptCall {
  const ScriptOptions& options;
  const CancelToken& cancel;
};

// The error value as text, with the call stack if that was asked for.
int Explain(lua_State* L) {
  if (IsPlanned(L, 1)) return 1;
  const bool traceback = lua_toboolean(L, lua_upvalueindex(1)) != 0;
  const char* text = luaL_tolstring(L, 1, nullptr);
  if (!traceback) return 1;
  // A failure inside cf.parallel happened on another stack, which the library remembers.
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, -1, "crossfold.run") == LUA_TTABLE &&
      lua_getfield(L, -1, "last_failure") == LUA_TTABLE) {
    lua_getfield(L, -1, "problem");
    const char* problem = lua_tostring(L, -1);
    lua_getfield(L, -2, "traceback");
    if (problem != nullptr && std::strcmp(problem, text) == 0) return 1;
  }
  luaL_traceback(L, L, text, 1);
  return 1;
}

void SetArguments(lua_State* L, const ScriptOptions& options) {
  lua_createtable(L, static_cast<int>(options.args.size()), 1);
  lua_pushstring(L, options.script.c_str());
  lua_rawseti(L, -2, 0);
  for (std::size_t i = 0; i < options.args.size(); ++i) {
    lua_pushstring(L, options.args[i].c_str());
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  lua_setglobal(L, "arg");
}

// print() for --json: standard output is kept for the result.
int PrintToStderr(lua_State* L) {
  const int n = lua_gettop(L);
  for (int i = 1; i <= n; ++i) {
    std::size_t size = 0;
    const char* text = luaL_tolstring(L, i, &size);
    std::fwrite(text, 1, size, stderr);
    lua_pop(L, 1);
    std::fputc(i == n ? '\n' : '\t', stderr);
  }
  if (n == 0) std::fputc('\n', stderr);
  return 0;
}

// Calls value:to{json = true} on the script's result at the top of the stack.
int RenderJson(lua_State* L) {
  const bool has_methods = luaL_getmetafield(L, 1, "__index") != LUA_TNIL;
  if (!has_methods || lua_getfield(L, 1, "to") != LUA_TFUNCTION) {
    return luaL_error(L,
                      "cannot print the script's result as JSON: it returned a %s; return the "
                      "result of cf.evaluate",
                      luaL_typename(L, 1));
  }
  lua_pushvalue(L, 1);
  lua_createtable(L, 0, 1);
  lua_pushboolean(L, 1);
  lua_setfield(L, -2, "json");
  lua_call(L, 2, 1);
  return 1;
}

int RenderText(lua_State* L) {
  luaL_tolstring(L, 1, nullptr);
  return 1;
}

// Runs the function at the top of the stack with n arguments; prints an error, unless the script
// was asked to stop.
bool Call(lua_State* L, int n_args, int n_results, const ScriptCall& call) {
  const int handler = lua_gettop(L) - n_args;
  lua_pushboolean(L, call.options.traceback ? 1 : 0);
  lua_pushcclosure(L, &Explain, 1);
  lua_insert(L, handler);
  const int status = lua_pcall(L, n_args, n_results, handler);
  lua_remove(L, handler);
  if (status == LUA_OK) return true;
  if (IsPlanned(L, -1) || call.cancel.cancelled()) return false;
  std::fprintf(stderr, "crossfold: %s\n", lua_tostring(L, -1));
  return false;
}

// A script that returns something has it printed.
bool PrintResult(lua_State* L, const ScriptCall& call) {
  const bool json = call.options.json;
  if (lua_isnil(L, -1) && !json) return true;
  lua_pushcfunction(L, json ? &RenderJson : &RenderText);
  lua_insert(L, -2);
  if (!Call(L, 1, 1, call)) return false;
  std::size_t size = 0;
  const char* text = lua_tolstring(L, -1, &size);
  std::fwrite(text, 1, size, stdout);
  if (size == 0 || text[size - 1] != '\n') std::fputc('\n', stdout);
  return true;
}

bool RunInState(lua_State* L, const ScriptCall& call) {
  const ScriptOptions& options = call.options;
  luaL_openlibs(L);
  TrackCoroutines(L);
  SetArguments(L, options);
  if (options.json) {
    lua_pushcfunction(L, &PrintToStderr);
    lua_setglobal(L, "print");
  }
  if (luaL_loadfile(L, options.script.c_str()) != LUA_OK) {
    std::fprintf(stderr, "crossfold: %s\n", lua_tostring(L, -1));
    return false;
  }
  if (options.args.size() > 100000 ||
      lua_checkstack(L, static_cast<int>(options.args.size()) + 8) == 0) {
    std::fputs("crossfold: cannot run the script: it has too many arguments\n", stderr);
    return false;
  }
  for (const std::string& arg : options.args) lua_pushstring(L, arg.c_str());
  const int n_args = static_cast<int>(options.args.size());
  const RunningState running(L);
  if (!Call(L, n_args, 1, call)) return IsPlanned(L, -1) && PrintPlan(L, options.json);
  if (options.plan) return PrintPlan(L, options.json);
  return PrintResult(L, call);
}

}  // namespace

LuaOptions MakeLuaOptions(const ScriptOptions& options, std::shared_ptr<PluginHost> plugins) {
  LuaOptions lua_options;
  lua_options.plugins = std::move(plugins);
  lua_options.workers = options.workers;
  lua_options.seed = options.seed;
  lua_options.share = options.share;
  lua_options.verify = options.verify;
  lua_options.memory = options.memory;
  lua_options.plan = options.plan;
  Apply(options.defaults, lua_options);
  lua_options.record = MakeRunRecord(options.script, options.args, options.seed);
  lua_options.cancel = std::make_shared<CancelToken>();
  return lua_options;
}

bool PrintPlan(lua_State* L, bool json) {
  const std::string text = GetLuaPlan(L, json);
  if (text.empty()) {
    std::fputs("crossfold: cannot plan: the script runs no cells; plan one that does\n", stderr);
    return false;
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  return true;
}

int ReportCounts(const LuaRunCounts& counts) {
  if (counts.failed == 0) return kOk;
  std::fflush(stdout);
  std::fprintf(stderr, "crossfold: %llu of %llu cells failed\n",
               static_cast<unsigned long long>(counts.failed),
               static_cast<unsigned long long>(counts.cells));
  return kFailedCells;
}

int RunScript(const ScriptOptions& options, std::shared_ptr<PluginHost> plugins) {
  LuaOptions lua_options = MakeLuaOptions(options, std::move(plugins));
  const auto stores = std::make_shared<OpenedStores>();
  lua_options.on_store = [stores](const std::shared_ptr<CellStore>& store) { stores->Add(store); };

  InterruptOptions interrupt_options;
  interrupt_options.cancel = lua_options.cancel;
  interrupt_options.stop = &StopRunningStates;
  // A store that was named and not opened yet goes on as well.
  const bool has_store = !lua_options.store.empty();
  interrupt_options.save = [stores, has_store] { return stores->Save() || has_store; };
  interrupt_options.command = options.command;
  Interrupt interrupt(std::move(interrupt_options));
  bool finished = false;
  LuaRunCounts counts;
  {  // closing the state runs finalizers, which can hang as well
    const State state(luaL_newstate());
    if (state == nullptr) {
      std::fputs("crossfold: out of memory\n", stderr);
      return kError;
    }
    OpenLua(state.get(), lua_options);
    finished = RunInState(state.get(), {options, *lua_options.cancel});
    if (finished) stores->Finish();
    counts = GetLuaRunCounts(state.get());
    if (!options.quiet) {
      std::fflush(stdout);
      PrintStores(state.get());
    }
  }
  if (interrupt.Finish()) return kInterrupted;
  if (!finished) return kError;
  return ReportCounts(counts);
}

}  // namespace crossfold::cli
