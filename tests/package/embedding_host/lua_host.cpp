// A program with a lua_State of its own that gives its scripts Crossfold.
//   lua_host FILE PLUGIN_FOLDER
#include <cstdio>
#include <lua.hpp>
#include <memory>
#include <string>

#include "crossfold/lua.h"
#include "crossfold/plugin_host.h"

namespace {

// Gets the file as its argument and returns the mean accuracy.
constexpr const char* kScript = R"(
local cf = require "crossfold"
local result = cf.evaluate {
  data = cf.read(..., { target = "class" }),
  learners = { knn = cf.learner("knn", { k = 5 }) },
  splitter = cf.splitter("kfold", { folds = 10, shuffle = false }),
  metrics = "accuracy",
}
return result:summary()[1].mean
)";

int Run(lua_State* L, const std::string& file) {
  if (luaL_loadstring(L, kScript) != LUA_OK) {
    std::fprintf(stderr, "%s\n", lua_tostring(L, -1));
    return 1;
  }
  lua_pushstring(L, file.c_str());
  if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
    std::fprintf(stderr, "%s\n", lua_tostring(L, -1));
    return 1;
  }
  std::printf("accuracy: %.4f\n", lua_tonumber(L, -1));
  const auto counts = crossfold::GetLuaRunCounts(L);
  std::printf("cells: %llu\n", static_cast<unsigned long long>(counts.cells));
  return counts.failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: lua_host FILE PLUGIN_FOLDER\n");
    return 2;
  }
  crossfold::PluginHostOptions plugins;
  plugins.paths = {argv[2]};
  crossfold::LuaOptions options;
  options.plugins = std::make_shared<crossfold::PluginHost>(plugins);
  options.workers = 2;

  lua_State* L = luaL_newstate();
  if (L == nullptr) return 1;
  luaL_openlibs(L);
  crossfold::OpenLua(L, options);
  const int status = Run(L, argv[1]);
  lua_close(L);
  return status;
}
