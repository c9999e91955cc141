#include "bindings/lua/protect.h"

#include <cstdlib>
#include <cstring>
#include <string_view>

#include "crossfold/lua.h"

namespace crossfold::lua {
namespace {

char cancelled_key;  // its address is the registry key

int PushUpvalue(lua_State* L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  return 1;
}

}  // namespace

void PushWhere(lua_State* L) {
  lua_Debug frame;
  for (int level = 0; lua_getstack(L, level, &frame) != 0; ++level) {
    lua_getinfo(L, "Sl", &frame);
    const bool ours = std::strncmp(frame.source, "@[crossfold]/", 13) == 0;
    if (frame.currentline > 0 && !ours) {
      // The name of a file is whole.
      const char* name = *frame.source == '@' ? frame.source + 1 : frame.short_src;
      lua_pushfstring(L, "%s:%d: ", name, frame.currentline);
      return;
    }
  }
  lua_pushliteral(L, "");
}

void Raise(lua_State* L, const char* message) {
  PushWhere(L);
  lua_pushstring(L, message);
  lua_concat(L, 2);
  lua_error(L);
  std::abort();  // lua_error does not return
}

void Raise(lua_State* L, const ErrorText& error) {
  if (error.cancelled) {
    PushCancelled(L);
    lua_error(L);
  }
  if (error.argument > 0) luaL_argerror(L, error.argument, error.text);
  Raise(L, error.text);
}

void PushErrorValue(lua_State* L, const void* key, const char* text, const char* name) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_createtable(L, 0, 3);
  lua_pushstring(L, text);
  lua_pushcclosure(L, &PushUpvalue, 1);
  lua_setfield(L, -2, "__tostring");
  lua_pushstring(L, name);
  lua_setfield(L, -2, "__name");
  lua_pushboolean(L, 0);  // so that no script changes it for the others
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, key);
}

void PushCancelled(lua_State* L) { PushErrorValue(L, &cancelled_key, "cancelled", nullptr); }

}  // namespace crossfold::lua

namespace crossfold {

// In the registry, a table: what Lua shows of a name -> the whole name, both with the colon before
// the line.
constexpr char kScriptNames[] = "crossfold.script_names";

void RememberScriptName(lua_State* L, const char* name) {
  constexpr std::size_t kDots = 3;
  const std::size_t size = std::strlen(name);
  if (size < LUA_IDSIZE) return;
  luaL_getsubtable(L, LUA_REGISTRYINDEX, kScriptNames);
  lua_pushfstring(L, "...%s:", name + size - (LUA_IDSIZE - 1 - kDots));
  lua_pushfstring(L, "%s:", name);
  lua_settable(L, -3);
  lua_pop(L, 1);
}

void RestoreScriptNames(lua_State* L) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, kScriptNames);
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
