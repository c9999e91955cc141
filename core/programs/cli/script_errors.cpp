#include "programs/cli/script_errors.h"

#include <cstring>

#include "crossfold/lua.h"

namespace crossfold::cli {
namespace {

// The error value as text, with the call stack if that was asked for.
int ExplainShort(lua_State* L) {
  const bool traceback = lua_toboolean(L, lua_upvalueindex(1)) != 0;
  if (lua_type(L, 1) != LUA_TSTRING && lua_type(L, 1) != LUA_TNUMBER &&
      luaL_getmetafield(L, 1, "__tostring") == LUA_TNIL) {
    lua_pushfstring(L, "(the error is a %s value)",
                    luaL_typename(L, 1));  // its address says nothing
    lua_replace(L, 1);
  }
  lua_settop(L, 1);
  const char* text = luaL_tolstring(L, 1, nullptr);
  if (!traceback) return 1;
  // A failure inside cf.parallel happened on another stack, which the library remembers.
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, -1, "crossfold.run") == LUA_TTABLE &&
      lua_getfield(L, -1, "last_failure") == LUA_TTABLE) {
    lua_getfield(L, -1, "problem");
    const char* problem = lua_tostring(L, -1);
    lua_getfield(L, -2, "traceback");
    if (problem != nullptr && std::strcmp(problem, text) == 0) return 1;
  }
  luaL_traceback(L, L, text, 1);
  return 1;
}

int Explain(lua_State* L) {
  if (IsPlanned(L, 1) || IsCancelled(L, 1)) return 1;
  ExplainShort(L);
  RestoreScriptNames(L);
  return 1;
}

// Upvalue: the original function, whose first argument is the path of a script.
int LoadNamed(lua_State* L) {
  if (lua_type(L, 1) == LUA_TSTRING) RememberScriptName(L, lua_tostring(L, 1));
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// package.searchers[2]. Upvalues: the table `package`, which the original needs there, and the original.
int SearchNamed(lua_State* L) {
  lua_getfield(L, lua_upvalueindex(1), "searchpath");
  lua_pushvalue(L, 1);
  lua_getfield(L, lua_upvalueindex(1), "path");
  if (lua_pcall(L, 2, 1, 0) == LUA_OK && lua_type(L, -1) == LUA_TSTRING) {
    RememberScriptName(L, lua_tostring(L, -1));
  }
  lua_settop(L, 1);
  return lua_tocfunction(L, lua_upvalueindex(2))(L);
}

}  // namespace

bool IsPlanned(lua_State* L, int index) {
  if (luaL_getmetafield(L, index, "__name") == LUA_TNIL) return false;
  const char* name = lua_tostring(L, -1);
  const bool planned = name != nullptr && std::strcmp(name, "crossfold.Planned") == 0;
  lua_pop(L, 1);
  return planned;
}

bool IsCancelled(lua_State* L, int index) {
  index = lua_absindex(L, index);
  const int top = lua_gettop(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  const bool cancelled = lua_getfield(L, -1, "crossfold.native") == LUA_TTABLE &&
                         lua_getfield(L, -1, "cancelled") == LUA_TTABLE &&
                         lua_rawequal(L, -1, index) != 0;
  lua_settop(L, top);
  return cancelled;
}

void NameScriptsWhole(lua_State* L) {
  for (const char* name : {"dofile", "loadfile"}) {
    lua_getglobal(L, name);
    lua_pushcclosure(L, &LoadNamed, 1);
    lua_setglobal(L, name);
  }
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "searchers");
  lua_pushvalue(L, -2);
  lua_rawgeti(L, -2, 2);
  lua_pushcclosure(L, &SearchNamed, 2);
  lua_rawseti(L, -2, 2);
  lua_pop(L, 2);
}

int CallScript(lua_State* L, int n_args, int n_results, bool traceback) {
  const int handler = lua_gettop(L) - n_args;
  lua_pushboolean(L, traceback ? 1 : 0);
  lua_pushcclosure(L, &Explain, 1);
  lua_insert(L, handler);
  const int status = lua_pcall(L, n_args, n_results, handler);
  lua_remove(L, handler);
  return status;
}

}  // namespace crossfold::cli
