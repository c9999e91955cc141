// Whole names of scripts in messages.
#include <cstring>
#include <lua.hpp>
#include <string_view>

#include "crossfold/lua.h"

namespace crossfold {
namespace {

// In the registry, a table: what Lua shows of a name -> the whole name, both with the colon before the line.
constexpr char kNames[] = "crossfold.script_names";

}  // namespace

void RememberScriptName(lua_State* L, const char* name) {
  constexpr std::size_t kDots = 3;
  const std::size_t size = std::strlen(name);
  if (size < LUA_IDSIZE) return;
  luaL_getsubtable(L, LUA_REGISTRYINDEX, kNames);
  lua_pushfstring(L, "...%s:", name + size - (LUA_IDSIZE - 1 - kDots));
  lua_pushfstring(L, "%s:", name);
  lua_settable(L, -3);
  lua_pop(L, 1);
}

void RestoreScriptNames(lua_State* L) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, kNames);
  lua_insert(L, -2);
  lua_pushnil(L);
  while (lua_next(L, -3) != 0) {
    const char* text = lua_tostring(L, -3);
    const char* shown = lua_tostring(L, -2);
    if (std::string_view(text).find(shown) != std::string_view::npos) {
      luaL_gsub(L, text, shown, lua_tostring(L, -1));
      lua_replace(L, -4);
    }
    lua_pop(L, 1);
  }
  lua_remove(L, -2);
}

}  // namespace crossfold
