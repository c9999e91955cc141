// A program with a lua_State and libraries of its own that gives its scripts Crossfold and its
// data.
//   lua_host FILE PLUGIN_FOLDER [SCRIPT]
// SCRIPT is the text of a script; without it the one below runs. It gets the data as its argument
// and returns rows of { learner =, mean = }.
#include <cstdio>
#include <lua.hpp>
#include <memory>
#include <string>
#include <vector>

#include "crossfold/lua.h"
#include "crossfold/plugin_host.h"
#include "measurements.h"

namespace {

//###begin script
constexpr const char* kScript = R"(
local cf = require "crossfold"
local data = ...
host.say(#data .. " flowers")
return cf.evaluate {
  data = data,
  learners = { knn = cf.learner("knn", { k = 5 }), floor = cf.learner("featureless") },
  splitter = cf.splitter("kfold", { folds = 10, shuffle = false }),
  metrics = "accuracy",
}:summary()
)";
//###end script

struct Row {
  std::string learner;
  double mean = 0;
};

// What a script may call as host.say(text).
int Say(lua_State* L) {
  std::printf("script: %s\n", luaL_checkstring(L, 1));
  return 0;
}

// A library of the host: Crossfold leaves it alone, and adds no global of its own.
void OpenHostLibrary(lua_State* L) {
  const luaL_Reg functions[] = {{"say", Say}, {nullptr, nullptr}};
  luaL_newlib(L, functions);
  lua_setglobal(L, "host");
}

// The rows that the script returned, at the top of the stack.
std::vector<Row> TakeRows(lua_State* L) {
  std::vector<Row> rows;
  const lua_Integer n = luaL_len(L, -1);
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, -1, i);
    lua_getfield(L, -1, "learner");
    lua_getfield(L, -2, "mean");
    rows.push_back({lua_tostring(L, -2), lua_tonumber(L, -1)});
    lua_pop(L, 3);
  }
  return rows;
}

int Run(lua_State* L, const std::string& file, const char* script) {
  if (luaL_loadbuffer(L, script, std::string(script).size(), "=script") != LUA_OK) {
    std::fprintf(stderr, "%s\n", lua_tostring(L, -1));
    return 1;
  }
  crossfold::PushDataset(L, ToDataset(ReadMeasurements(file)));
  if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
    std::fprintf(stderr, "%s\n", lua_tostring(L, -1));
    return 1;
  }
  for (const Row& row : TakeRows(L)) std::printf("%s: %.4f\n", row.learner.c_str(), row.mean);
  const auto counts = crossfold::GetLuaRunCounts(L);
  std::printf("cells: %llu\n", static_cast<unsigned long long>(counts.cells));
  return counts.failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    std::fprintf(stderr, "usage: lua_host FILE PLUGIN_FOLDER [SCRIPT]\n");
    return 2;
  }
  //###begin open
  crossfold::PluginHostOptions plugins;
  plugins.paths = {argv[2]};
  crossfold::LuaOptions options;
  options.plugins = std::make_shared<crossfold::PluginHost>(plugins);
  options.workers = 2;
  std::size_t told = 0;
  options.progress = [&](const crossfold::Progress& now) { told = now.finished; };

  lua_State* L = luaL_newstate();
  if (L == nullptr) return 1;
  luaL_openlibs(L);
  OpenHostLibrary(L);
  crossfold::OpenLua(L, options);
  //###end open
  const int status = Run(L, argv[1], argc == 4 ? argv[3] : kScript);
  lua_close(L);
  std::printf("progress: %zu\n", told);
  return status;
}
