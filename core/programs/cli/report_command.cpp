#include "programs/cli/commands.h"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <lua.hpp>
#include <string_view>
#include <system_error>
#include <utility>

#include "crossfold/cancel_token.h"
#include "crossfold/error.h"
#include "crossfold/lua.h"
#include "crossfold/whole_file.h"
#include "programs/cli/command.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/interrupt.h"
#include "programs/cli/lua_state.h"
#include "programs/cli/running_states.h"

namespace crossfold::cli {
namespace {

// Leaves cf.report{ store =, run =, title =, metric = }, the text of the page, on the stack.
int MakePage(lua_State* L) {
  const auto& options = *static_cast<const ReportOptions*>(lua_touserdata(L, 1));
  lua_getglobal(L, "require");
  lua_pushliteral(L, "crossfold");
  lua_call(L, 1, 1);
  lua_getfield(L, -1, "report");
  lua_createtable(L, 0, 4);
  if (!options.store.empty()) SetText(L, "store", options.store);
  if (!options.title.empty()) SetText(L, "title", options.title);
  if (!options.metric.empty()) SetText(L, "metric", options.metric);
  if (options.run != 0) {
    lua_pushinteger(L, options.run);
    lua_setfield(L, -2, "run");
  }
  lua_call(L, 1, 1);
  return 1;
}

// The error value as text.
int ErrorText(lua_State* L) {
  luaL_tolstring(L, 1, nullptr);
  return 1;
}

// The store's name with the ending ".html" in place of its own.
std::string DefaultOutput(const std::string& store) {
  return std::filesystem::path(store).replace_extension(".html").string();
}

// The path of the page. It must not overwrite its store, whatever the name by which the store is
// reached. Throws Error(kIo).
std::string OutputOf(const ReportOptions& options) {
  const std::string path = options.output.empty() ? DefaultOutput(options.store) : options.output;
  std::error_code none;  // neither file need exist
  if (path != "-" && std::filesystem::equivalent(path, options.store, none)) {
    throw Error(ErrorKind::kIo, "cannot write '" + path +
                                    "': it is the store that the page is about; choose another "
                                    "file with -o");
  }
  return path;
}

// Writes the page at the top of the stack. Throws Error(kIo).
void WritePage(lua_State* L, const std::string& path) {
  std::size_t size = 0;
  const char* text = lua_tolstring(L, -1, &size);
  if (path == "-") {
    if (std::fwrite(text, 1, size, stdout) != size || std::fflush(stdout) != 0) {
      throw Error(ErrorKind::kIo,
                  "cannot write to standard output: the page is not complete there");
    }
    return;
  }
  WriteWholeFile(path, {text, size});
  std::printf("%s\n", path.c_str());
}

}  // namespace

void DeclareReport(Command& app, ReportOptions& options) {
  Command& command = app.AddCommand("report", "Write an HTML report about a run of a store");
  command.AddOption("store", options.store, "Store file").Required();
  command.AddOption(
      "-o,--output", options.output,
      "Write to this file, - is standard output; default the store's name with .html");
  command.AddOption("--run", options.run, "Number of the run; default the last one")
      .Range(std::int64_t{1}, std::numeric_limits<std::int64_t>::max());
  command.AddOption("--title", options.title, "Title of the page; default the store's name");
  command.AddOption("--metric", options.metric,
                    "Metric that ranks the learners; default the first one");
}

int WriteReport(const ReportOptions& options, std::shared_ptr<PluginHost> plugins,
                const std::string& command) {
  const std::string output = OutputOf(options);  // before the work
  LuaOptions lua_options;
  lua_options.plugins = std::move(plugins);
  lua_options.cancel = std::make_shared<CancelToken>();
  Interrupt interrupt({.cancel = lua_options.cancel,
                       .stop = &StopRunningStates,
                       .message = "interrupted; no report was written; to write it: " + command});
  const State state = MakeState();
  lua_State* L = state.get();
  OpenLua(L, lua_options);
  luaL_openlibs(L);
  TrackCoroutines(L);
  lua_pushcfunction(L, &ErrorText);
  lua_pushcfunction(L, &MakePage);
  lua_pushlightuserdata(L, const_cast<ReportOptions*>(&options));
  int status = LUA_OK;
  {
    const RunningState running(L);
    status = lua_pcall(L, 1, 1, 1);
  }
  if (interrupt.Finish()) return kInterrupted;
  if (status != LUA_OK) {
    std::fprintf(stderr, "crossfold: %s\n", lua_tostring(L, -1));
    return kError;
  }
  WritePage(L, output);
  return kOk;
}

}  // namespace crossfold::cli
