#include "programs/cli/script_command.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <lua.hpp>
#include <string>
#include <system_error>

#include "crossfold/cancel_token.h"
#include "crossfold/error.h"
#include "crossfold/lua.h"
#include "crossfold/sandbox.h"
#include "crossfold/whole_file.h"
#include "programs/cli/early_end.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/interrupt.h"
#include "programs/cli/lua_state.h"
#include "programs/cli/opened_stores.h"
#include "programs/cli/running_states.h"
#include "programs/cli/script_errors.h"
#include "programs/cli/standard_output.h"

namespace crossfold::cli {
namespace {

struct ScriptCall {
  const ScriptOptions& options;
  const CancelToken& cancel;
};

// os.exit, which the watch of early_end.h allows then. Upvalue: the original function.
int Exit(lua_State* L) {
  const pid_t before = PauseEarlyEndWatch();
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  if (lua_pcall(L, lua_gettop(L) - 1, 0, 0) == LUA_OK) return 0;
  ResumeEarlyEndWatch(before);  // wrong arguments
  return lua_error(L);
}

void LetScriptExit(lua_State* L) {
  lua_getglobal(L, "os");
  lua_getfield(L, -1, "exit");
  lua_pushcclosure(L, &Exit, 1);
  lua_setfield(L, -2, "exit");
  lua_pop(L, 1);
}

void SetArguments(lua_State* L, const ScriptOptions& options) {
  lua_createtable(L, static_cast<int>(options.args.size()), 1);
  lua_pushstring(L, options.name().c_str());
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
  if (CallScript(L, n_args, n_results, call.options.traceback) == LUA_OK) return true;
  if (IsPlanned(L, -1) || IsCancelled(L, -1) || call.cancel.cancelled()) return false;
  std::fprintf(stderr, "crossfold: %s\n", lua_tostring(L, -1));
  return false;
}

// Prints the return value of the script, if there is one.
bool PrintReturned(lua_State* L, const ScriptCall& call) {
  const bool json = call.options.json;
  if (lua_isnil(L, -1) && !json) return true;
  lua_pushcfunction(L, json ? &RenderJson : &RenderText);
  lua_insert(L, -2);
  if (!Call(L, 1, 1, call)) return false;
  PrintLines(TextAt(L, -1));
  return true;
}

// Pushes the script as a function, or a message; returns Lua's status.
int Load(lua_State* L, const ScriptOptions& options) {
  if (options.is_file()) {
    std::error_code unknown;
    if (std::filesystem::status(options.script, unknown).type() ==
        std::filesystem::file_type::not_found) {
      lua_pushfstring(L, "cannot run '%s': there is no such file", options.script.c_str());
      return LUA_ERRFILE;
    }
    const std::string text = ScriptSource::FromFile(options.script).text;
    RememberScriptName(L, options.script.c_str());
    return luaL_loadbuffer(L, text.data(), text.size(), ("@" + options.script).c_str());
  }
  const std::string name = "=" + options.name();
  return luaL_loadbuffer(L, options.text.data(), options.text.size(), name.c_str());
}

// Writes the file that --shard-costs names, if it does.
bool WritePlanCosts(lua_State* L, const ScriptOptions& options) {
  const std::string& path = options.defaults.shard_costs;
  if (path.empty()) return true;
  const ShardCosts costs = GetLuaPlanCosts(L);
  if (costs.seconds.empty()) {
    std::fprintf(stderr,
                 "crossfold: cannot write '%s': the plan has no learner with timed cells; divide "
                 "without --shard-costs\n",
                 path.c_str());
    return false;
  }
  WriteWholeFile(path, ShardCostsText(costs));
  return true;
}

bool RunInState(lua_State* L, const ScriptCall& call) {
  const ScriptOptions& options = call.options;
  // The output of a shard would be based on only some of the cells.
  const bool is_shard = !options.defaults.shard.empty();
  OpenScriptLibraries(L);
  SetArguments(L, options);
  if (options.json || is_shard) {
    lua_pushcfunction(L, &PrintToStderr);
    lua_setglobal(L, "print");
  }
  if (Load(L, options) != LUA_OK) {
    RestoreScriptNames(L);
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
  const bool is_run = Call(L, n_args, 1, call);
  if (!is_run && !IsPlanned(L, -1)) return false;
  if (options.plan) return PrintPlan(L, options.json) && WritePlanCosts(L, options);
  return is_shard || PrintReturned(L, call);
}

// A script may fail because it has the results of only some of its cells: the shard is then
// complete, and the run on the merged store shows real errors.
bool HasDoneItsPart(const ScriptOptions& options, const LuaRunCounts& counts) {
  if (options.defaults.shard.empty() || counts.elsewhere == 0) return false;
  std::fprintf(stderr,
               "crossfold: shard %s ends here, without results that other shards compute; its "
               "cells are kept\n",
               options.defaults.shard.c_str());
  return true;
}

}  // namespace

void ScriptOptions::CheckScript() const {
  if (!is_file()) return;
  std::error_code unknown;
  const std::filesystem::file_status status = std::filesystem::status(script, unknown);
  const std::string attempt = "cannot run '" + script + "': ";
  if (std::filesystem::is_directory(status)) {
    throw Error(ErrorKind::kIo, attempt + "it is a folder; give the path of a script");
  }
  if (std::filesystem::exists(status)) return;
  const bool has_ending = std::filesystem::exists(script + ".lua", unknown);
  throw Error(ErrorKind::kIo, attempt + "there is no such file" +
                                  (has_ending ? "; did you mean '" + script + ".lua'?" : ""));
}

std::string ReadStandardInput() {
  std::string text;
  char block[1 << 16];
  for (;;) {
    const std::size_t size = std::fread(block, 1, sizeof block, stdin);
    text.append(block, size);
    if (size > 0) continue;
    if (std::ferror(stdin) == 0) return text;
    throw Error(ErrorKind::kIo,
                "cannot read standard input: " + std::generic_category().message(errno));
  }
}

std::string WithoutShellLine(std::string text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  if (text.starts_with('#')) text.insert(0, "--");
  return text;
}

LuaOptions MakeLuaOptions(const ScriptOptions& options, std::shared_ptr<PluginHost> plugins) {
  LuaOptions lua_options;
  lua_options.plugins = std::move(plugins);
  lua_options.workers = options.workers;
  lua_options.seed = options.seed;
  lua_options.share = options.share;
  lua_options.verify = options.verify;
  lua_options.memory = (options.memory + 1) / 2;
  lua_options.run_memory = options.memory;
  lua_options.plan = options.plan;
  lua_options.executor = options.executor;
  Apply(options.defaults, lua_options);
  lua_options.record = MakeRunRecord(options.script, options.args, options.seed);
  if (!options.is_file()) {
    lua_options.record.script = options.name();
    lua_options.record.script_text = options.text;
  }
  lua_options.cancel = std::make_shared<CancelToken>();
  Attach(options.progress, lua_options);
  return lua_options;
}

void OpenScriptLibraries(lua_State* L) {
  luaL_openlibs(L);
  LetScriptExit(L);
  NameScriptsWhole(L);
  TrackCoroutines(L);
}

bool PrintPlan(lua_State* L, bool json) {
  const std::string text = GetLuaPlan(L, json);
  if (text.empty()) {
    std::fputs("crossfold: cannot plan: the script runs no cells; plan one that does\n", stderr);
    return false;
  }
  Print(text);
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

  // A store that was named but not opened yet also continues.
  const bool has_store = !lua_options.store.empty();
  const auto save = [stores, has_store, display = options.progress] {
    const bool saved = stores->Save() || has_store;
    if (display != nullptr) display->Hide();  // it may wait for a terminal that takes nothing
    return saved;
  };
  Interrupt interrupt({.cancel = lua_options.cancel,
                       .stop = &StopRunningStates,
                       .save = save,
                       .command = options.command,
                       .message = options.interrupted});
  bool finished = false, is_stored = false;
  LuaRunCounts counts;
  {  // closing the state runs finalizers, which can hang as well
    const State state = MakeState();
    OpenLua(state.get(), lua_options);
    finished = RunInState(state.get(), {options, *lua_options.cancel});
    counts = GetLuaRunCounts(state.get());
    // A shard has not asked for all cells, so its run does not replace others (store_gc.h).
    // What was interrupted is not at its end, even if the script goes on after that.
    const bool is_ended = !lua_options.cancel->cancelled() && (finished || counts.elsewhere > 0);
    is_stored = lua_options.shard && is_ended ? stores->EndShard(*lua_options.shard)
                                              : stores->End(finished && !lua_options.shard);
    if (!options.quiet) {
      std::fflush(stdout);
      PrintStores(state.get(), options.defaults.shard);
    }
  }
  if (interrupt.Finish()) return kInterrupted;
  if (!finished && !HasDoneItsPart(options, counts)) return kError;
  const int code = ReportCounts(counts);
  return is_stored ? code : kError;
}

}  // namespace crossfold::cli
