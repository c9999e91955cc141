// The one exported function of crossfold.so, which stock Lua loads for require "crossfold".
#include <lua.hpp>

namespace crossfold::lua {
int OpenModule(lua_State* L);
}

extern "C" __attribute__((visibility("default"))) int luaopen_crossfold(lua_State* L) {
  return crossfold::lua::OpenModule(L);
}
