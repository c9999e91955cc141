#include "cli/script_command.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <lua.hpp>
#include <string>

#include "cli/exit_code.h"
#include "cli/lua_state.h"
#include "crossfold/cancel_token.h"
#include "crossfold/lua.h"

namespace crossfold::cli {
namespace {

// What the signal handler may touch: it runs at any moment and can be given no argument.
std::atomic<CancelToken*> interrupt_token{nullptr};
std::atomic<lua_State*> interrupt_state{nullptr};

// Stops Lua code that runs no cells at its next instruction.
void RaiseInterrupted(lua_State* L, lua_Debug*) {
  lua_sethook(L, nullptr, 0, 0);
  luaL_error(L, "interrupted");
}

void OnInterrupt(int) {
  if (CancelToken* token = interrupt_token.load()) token->Cancel();
  if (lua_State* L = interrupt_state.load()) {
    lua_sethook(L, RaiseInterrupted, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
  }
  std::signal(SIGINT, SIG_DFL);  // a second Ctrl-C leaves at once
}

// Whether the error value means that the work of the script was planned.
bool IsPlanned(lua_State* L, int index) {
  if (luaL_getmetafield(L, index, "__name") == LUA_TNIL) return false;
  const char* name = lua_tostring(L, -1);
  const bool planned = name != nullptr && std::strcmp(name, "crossfold.Planned") == 0;
  lua_pop(L, 1);
  return planned;
}

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

// Runs the function at the top of the stack with n arguments; prints an error.
bool Call(lua_State* L, int n_args, int n_results, bool traceback) {
  const int handler = lua_gettop(L) - n_args;
  lua_pushboolean(L, traceback ? 1 : 0);
  lua_pushcclosure(L, &Explain, 1);
  lua_insert(L, handler);
  const int status = lua_pcall(L, n_args, n_results, handler);
  lua_remove(L, handler);
  if (status == LUA_OK) return true;
  if (IsPlanned(L, -1)) return false;
  const CancelToken* token = interrupt_token.load();
  const bool interrupted = token != nullptr && token->cancelled();
  std::fprintf(stderr, "crossfold: %s\n", interrupted ? "interrupted" : lua_tostring(L, -1));
  return false;
}

// A script that returns something has it printed.
bool PrintResult(lua_State* L, const ScriptOptions& options) {
  if (lua_isnil(L, -1) && !options.json) return true;
  lua_pushcfunction(L, options.json ? &RenderJson : &RenderText);
  lua_insert(L, -2);
  if (!Call(L, 1, 1, options.traceback)) return false;
  std::size_t size = 0;
  const char* text = lua_tolstring(L, -1, &size);
  std::fwrite(text, 1, size, stdout);
  if (size == 0 || text[size - 1] != '\n') std::fputc('\n', stdout);
  return true;
}

// In place of the results, which would be made up.
bool PrintPlan(lua_State* L, const ScriptOptions& options) {
  const std::string text = GetLuaPlan(L, options.json);
  if (text.empty()) {
    std::fputs("crossfold: cannot plan: the script runs no cells; plan one that does\n", stderr);
    return false;
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  return true;
}

bool RunInState(lua_State* L, const ScriptOptions& options) {
  luaL_openlibs(L);
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
  if (!Call(L, n_args, 1, options.traceback)) return IsPlanned(L, -1) && PrintPlan(L, options);
  if (options.plan) return PrintPlan(L, options);
  return PrintResult(L, options);
}

}  // namespace

int RunScript(const ScriptOptions& options, std::shared_ptr<PluginHost> plugins) {
  const State state(luaL_newstate());
  if (state == nullptr) {
    std::fputs("crossfold: out of memory\n", stderr);
    return kError;
  }
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
  OpenLua(state.get(), lua_options);

  interrupt_token = lua_options.cancel.get();
  interrupt_state = state.get();
  std::signal(SIGINT, OnInterrupt);
  const bool finished = RunInState(state.get(), options);
  std::signal(SIGINT, SIG_DFL);
  interrupt_state = nullptr;
  interrupt_token = nullptr;

  if (!options.quiet) {
    std::fflush(stdout);
    PrintStores(state.get());
  }
  if (lua_options.cancel->cancelled()) return kInterrupted;
  if (!finished) return kError;
  const LuaRunCounts counts = GetLuaRunCounts(state.get());
  if (counts.failed == 0) return kOk;
  std::fflush(stdout);
  std::fprintf(stderr, "crossfold: %llu of %llu cells failed\n",
               static_cast<unsigned long long>(counts.failed),
               static_cast<unsigned long long>(counts.cells));
  return kFailedCells;
}

}  // namespace crossfold::cli
