#include "bindings/lua/protect.h"

#include <cstdlib>
#include <cstring>

namespace crossfold::lua {
namespace {

char cancelled_key;  // its address is the registry key

int CancelledToString(lua_State* L) {
  lua_pushliteral(L, "cancelled");
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
  Raise(L, error.text);
}

void PushCancelled(lua_State* L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &cancelled_key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, &CancelledToString);
  lua_setfield(L, -2, "__tostring");
  lua_pushboolean(L, 0);  // so that no script changes it for the others
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &cancelled_key);
}

}  // namespace crossfold::lua
