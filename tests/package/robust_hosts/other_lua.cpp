// A program with a Lua of another version than Crossfold's binding: the C API knows nothing of it.
//   other_lua PLUGIN_FOLDER FILE
#include <lua.hpp>

#include "experiment.h"

int main(int argc, char** argv) {
  return Report([&] {
    Demand(argc == 3, "two arguments are needed");
    lua_State* L = luaL_newstate();
    luaL_openlibs(L);
    const auto scores = Session(Linked(), argv[1]).Run(argv[2]);
    lua_pushinteger(L, static_cast<lua_Integer>(scores.size()));
    lua_setglobal(L, "n");
    Demand(luaL_dostring(L, "assert(n == 40) assert(_VERSION ~= 'Lua 5.4')") == 0,
           lua_tostring(L, -1) != nullptr ? lua_tostring(L, -1) : "");
    lua_close(L);
  });
}
