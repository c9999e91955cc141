// A Lua state with the module and the bundled plugins, for tests.
#pragma once

#include <lua.hpp>
#include <memory>
#include <string>

#include "crossfold/lua.h"

namespace crossfold {

struct LuaStateCloser {
  void operator()(lua_State* L) const { lua_close(L); }
};
using LuaState = std::unique_ptr<lua_State, LuaStateCloser>;

inline LuaOptions TestOptions() {
  PluginHostOptions plugins;
  plugins.paths = {CROSSFOLD_TEST_PLUGINS};
  plugins.use_environment = plugins.use_user_folder = plugins.use_installation = false;
  LuaOptions options;
  options.plugins = std::make_shared<PluginHost>(std::move(plugins));
  return options;
}

inline LuaState NewLuaState(const LuaOptions& options) {
  LuaState state(luaL_newstate());
  luaL_openlibs(state.get());
  OpenLua(state.get(), options);
  return state;
}

// Runs `code`; "" or the error's text.
inline std::string RunLua(lua_State* L, const std::string& code, const char* chunk = "=test") {
  const int top = lua_gettop(L);
  std::string problem;
  if (luaL_loadbuffer(L, code.data(), code.size(), chunk) != LUA_OK ||
      lua_pcall(L, 0, 0, 0) != LUA_OK) {
    problem = luaL_tolstring(L, -1, nullptr);
  }
  lua_settop(L, top);
  return problem;
}

}  // namespace crossfold
