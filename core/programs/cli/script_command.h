// crossfold run SCRIPT: runs a Lua script with the library preloaded.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/lua.h"
#include "crossfold/plugin_host.h"
#include "programs/cli/progress_display.h"
#include "programs/cli/run_defaults.h"

namespace crossfold::cli {

// The path of a script that comes from standard input, and its name in messages.
inline constexpr std::string_view kStandardInput = "-";
inline constexpr char kStandardInputName[] = "stdin";

// Reads all of standard input. Throws Error(kIo).
std::string ReadStandardInput();
// A script's text for Lua, which reads over a first line for the shell in files only: such a line
// becomes a comment, and the others keep their numbers. A byte order mark is removed.
std::string WithoutShellLine(std::string text);

struct ScriptOptions {
  std::string script;                // path, "-" for standard input, or "": `text` was made here
  std::string text;                  // of a script without a file
  std::string made_by = "evaluate";  // the command that made `text`
  std::vector<std::string> args;     // the script gets them in the global `arg`
  std::string command;               // the whole command line, for a shell
  int workers = 0;                   // 0 = one per core
  std::uint64_t seed = 1;
  bool share = true;         // false: every cell is a fit of its own
  bool verify = false;       // compare shared results with separate fits
  std::uint64_t memory = 0;  // bytes for the run; 0 = no limit
  RunDefaults defaults;      // store, isolation, limits
  bool quiet = false;        // print nothing about stores
  bool plan = false;         // print what the first call that runs cells would do, and stop
  bool json = false;         // print what the script returns as JSON, its own output to stderr
  bool traceback = false;    // errors with the whole call stack
  std::string interrupted;   // what an interrupt says instead of how to continue
  std::shared_ptr<ProgressDisplay> progress;  // null = none
  LimitedEngine executor;                     // as LuaOptions::executor

  bool is_standard_input() const { return script == kStandardInput; }
  bool is_file() const { return !script.empty() && !is_standard_input(); }
  // Throws Error if there is no such file.
  void CheckScript() const;
  // The name in messages and in arg[0].
  std::string name() const {
    if (is_file()) return script;
    return is_standard_input() ? kStandardInputName : made_by;
  }
};

// The options of the script's Lua state, with a CancelToken of its own.
LuaOptions MakeLuaOptions(const ScriptOptions& options, std::shared_ptr<PluginHost> plugins);
// Opens the standard libraries as scripts have them: a script can exit, messages have whole names
// of scripts, and StopRunningStates stops coroutines.
void OpenScriptLibraries(lua_State* L);
// Prints the plan instead of the results, which would be placeholders. False = nothing was planned,
// as stderr says.
bool PrintPlan(lua_State* L, bool json);
// The ExitCode of a script that came to its end; stderr says how many cells failed, if any.
int ReportCounts(const LuaRunCounts& counts);

// Returns an ExitCode. Errors go to stderr.
int RunScript(const ScriptOptions& options, std::shared_ptr<PluginHost> plugins);

}  // namespace crossfold::cli
