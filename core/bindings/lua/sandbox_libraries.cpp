#include "bindings/lua/sandbox_libraries.h"

#include <initializer_list>
#include <string_view>

#include "bindings/lua/protect.h"
#include "bindings/lua/sandbox_state.h"
#include "bindings/lua/scripts.h"

namespace crossfold::lua {
namespace {

constexpr std::size_t kLongestChunk = std::size_t{4} << 20;  // bytes; parsing is not interrupted

void RemoveFields(lua_State* L, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    lua_pushnil(L);
    lua_setfield(L, -2, name);
  }
}

int Poll(lua_State* L) {
  PollSandbox(L);
  return CallGuarded(L);
}

// ---- base ----

// The text of a value goes to the host, followed by `after`.
void Give(lua_State* L, int index, const char* after) {
  const ScriptOutput& output = SandboxState::Of(L).output();
  std::size_t size = 0;
  const char* text = luaL_tolstring(L, index, &size);
  Try(L, [&] {
    if (!output) return;
    if (size != 0) output(std::string_view(text, size));
    if (*after != '\0') output(after);
  });
  lua_pop(L, 1);
}

int Print(lua_State* L) {
  const int n = lua_gettop(L);
  for (int i = 1; i <= n; ++i) Give(L, i, i == n ? "" : "\t");
  lua_pushliteral(L, "\n");
  Give(L, -1, "");
  PollSandbox(L);
  return 0;
}

// io.write(...)
int WriteOutput(lua_State* L) {
  const int n = lua_gettop(L);
  for (int i = 1; i <= n; ++i) {
    luaL_checkstring(L, i);
    Give(L, i, "");
  }
  PollSandbox(L);
  return 0;
}

// The script cannot control the collector; it can only ask for its count.
int CollectGarbage(lua_State* L) {
  const std::string_view option = luaL_optstring(L, 1, "collect");
  if (option != "count") {
    Raise(L, lua_pushfstring(L,
                             "cannot collectgarbage '%s': a sandbox allows \"count\" only; leave "
                             "it out",
                             option.data()));
  }
  lua_pushnumber(L, lua_gc(L, LUA_GCCOUNT) + lua_gc(L, LUA_GCCOUNTB) / 1024.0);
  return 1;
}

// Finalizers run with hooks off, where nothing stops them. One that is added to the metatable later
// has no effect.
int SetMetatable(lua_State* L) {
  if (lua_istable(L, 2)) {
    lua_pushliteral(L, "__gc");
    if (lua_rawget(L, 2) != LUA_TNIL) {
      Raise(L,
            "cannot set a metatable with '__gc': a sandbox has no finalizers; use '__close' and a "
            "variable <close>");
    }
    lua_pop(L, 1);
  }
  return CallGuarded(L);
}

// A message handler that is not called any more once the script is to stop: it would run inside the
// hook that raised the error, where no other hook runs.
int CallHandler(lua_State* L) {
  if (SandboxState::Of(L).stopped()) return 1;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

int XPcall(lua_State* L) {
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, &CallHandler, 1);
  lua_replace(L, 2);
  return CallGuarded(L);
}

// Appends the pieces that the function at index 1 gives; leaves the text on the stack.
void GatherChunk(lua_State* L) {
  luaL_Buffer text;
  luaL_buffinit(L, &text);
  std::size_t total = 0, size = 0;
  do {
    lua_pushvalue(L, 1);
    lua_call(L, 0, 1);
    if (lua_isnil(L, -1)) {
      lua_pop(L, 1);
      break;
    }
    if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "reader function must return a string");
    lua_tolstring(L, -1, &size);
    total += size;
    if (total > kLongestChunk) size = 0;
    luaL_addvalue(&text);
  } while (size != 0);
  luaL_pushresult(&text);
}

// load(chunk, name, mode, env); upvalue: the environment of the script.
int LoadChunk(lua_State* L) {
  lua_settop(L, lua_isnone(L, 4) ? 3 : 4);
  const bool own_environment = lua_gettop(L) == 4;
  const std::string_view mode = luaL_optstring(L, 3, "t");
  if (lua_type(L, 1) != LUA_TSTRING) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    GatherChunk(L);
    if (lua_isnone(L, 2) || lua_isnil(L, 2)) {
      lua_pushliteral(L, "=(load)");
      lua_replace(L, 2);
    }
    lua_replace(L, 1);
  }
  std::size_t size = 0;
  const char* text = lua_tolstring(L, 1, &size);
  const char* name = luaL_optstring(L, 2, text);
  if (size > kLongestChunk) {
    lua_pushnil(L);
    lua_pushliteral(L, "cannot load a chunk: a sandbox loads at most 4 MiB of text; split it");
    return 2;
  }
  // A mode without 't' is refused by Lua itself; bytecode is never loaded.
  const bool text_allowed = mode.find('t') != std::string_view::npos;
  if (luaL_loadbufferx(L, text, size, name, text_allowed ? "t" : "") != LUA_OK) {
    lua_pushnil(L);
    lua_insert(L, -2);
    return 2;
  }
  lua_pushvalue(L, own_environment ? 4 : lua_upvalueindex(1));
  if (lua_setupvalue(L, -2, 1) == nullptr) lua_pop(L, 1);
  return 1;
}

// ---- coroutine ----

// A coroutine that was stopped by the hook stays inside it: functions that closing it calls would
// run without hooks. So it is not closed.
int WrapStep(lua_State* L) {
  lua_State* thread = lua_tothread(L, lua_upvalueindex(1));
  const int n = lua_gettop(L);
  if (lua_checkstack(thread, n) == 0) luaL_error(L, "too many arguments to resume");
  lua_xmove(L, thread, n);
  int n_results = 0;
  int status = lua_resume(thread, L, n, &n_results);
  if (status == LUA_OK || status == LUA_YIELD) {
    luaL_checkstack(L, n_results + 1, "too many results to resume");
    lua_xmove(thread, L, n_results);
    return n_results;
  }
  PollSandbox(L);
  if (lua_status(thread) == status) status = lua_resetthread(thread);
  lua_xmove(thread, L, 1);
  if (status != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

int Wrap(lua_State* L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_State* thread = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, thread, 1);
  lua_pushcclosure(L, &WrapStep, 1);
  return 1;
}

// ---- modules ----

// require of the library's own scripts: what was preloaded.
int RequireInside(lua_State* L) {
  const char* name = luaL_checkstring(L, 1);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, -1, name) != LUA_TNIL) return 1;
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  if (lua_getfield(L, -1, name) == LUA_TNIL) luaL_error(L, "there is no module '%s'", name);
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushboolean(L, 1);
  }
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
  return 1;
}

// require of scripts; upvalue: the library's.
int RequireCrossfold(lua_State* L) {
  const std::string_view name = luaL_checkstring(L, 1);
  if (name != "crossfold") {
    Raise(L, lua_pushfstring(L,
                             "cannot require '%s': a sandbox has the module 'crossfold' only; put "
                             "what you need into the script",
                             name.data()));
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

// The modules of the last script, which may have changed them, are forgotten.
void ForgetCrossfold(lua_State* L) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_settable(L, -5);
  }
  lua_pop(L, 2);
  Preload(L);  // as loaders keep what they returned
}

void OpenBase(lua_State* L) {
  luaL_requiref(L, LUA_GNAME, luaopen_base, 1);
  RemoveFields(L, {"dofile", "loadfile", "load", "warn"});
  lua_register(L, "print", &Print);
  lua_register(L, "collectgarbage", &CollectGarbage);
  lua_register(L, "require", &RequireInside);
  Guard(L, "setmetatable", &SetMetatable);
  Guard(L, "xpcall", &XPcall);
  Guard(L, "tonumber", &Poll);
  lua_pop(L, 1);
}

void OpenStrings(lua_State* L) {
  luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 1);
  RemoveFields(L, {"dump"});
  GuardAll(L);
  BoundStrings(L);
  // Strings have their methods and their arithmetic in a metatable that scripts cannot reach.
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  GuardAll(L);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 3);
}

void OpenOs(lua_State* L) {
  lua_pushcfunction(L, &luaopen_os);  // not luaL_requiref, which would keep the whole of it
  lua_call(L, 0, 1);
  lua_createtable(L, 0, 4);
  for (const char* name : {"time", "clock", "date", "difftime"}) {
    lua_getfield(L, -2, name);
    lua_setfield(L, -2, name);
  }
  lua_setglobal(L, LUA_OSLIBNAME);
  lua_pop(L, 1);
}

// Copies all fields of the table below the top into the one on top.
void CopyFields(lua_State* L) {
  lua_pushnil(L);
  while (lua_next(L, -3) != 0) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_settable(L, -4);
  }
}

}  // namespace

int CallGuarded(lua_State* L) { return lua_tocfunction(L, lua_upvalueindex(1))(L); }

void Guard(lua_State* L, const char* name, lua_CFunction guard) {
  lua_getfield(L, -1, name);
  if (lua_iscfunction(L, -1) == 0) {
    lua_pop(L, 1);
    return;
  }
  lua_pushcclosure(L, guard, 1);
  lua_setfield(L, -2, name);
}

void GuardAll(lua_State* L) {
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    if (lua_iscfunction(L, -1) != 0) {
      lua_pushvalue(L, -2);
      lua_insert(L, -2);
      lua_pushcclosure(L, &Poll, 1);
      lua_settable(L, -4);  // of a key that is there: allowed during lua_next
    } else {
      lua_pop(L, 1);
    }
  }
}

void OpenSandboxLibraries(lua_State* L) {
  OpenBase(L);
  OpenStrings(L);
  luaL_requiref(L, LUA_TABLIBNAME, luaopen_table, 1);
  BoundTables(L);
  luaL_requiref(L, LUA_MATHLIBNAME, luaopen_math, 1);
  luaL_requiref(L, LUA_UTF8LIBNAME, luaopen_utf8, 1);
  GuardAll(L);
  luaL_requiref(L, LUA_COLIBNAME, luaopen_coroutine, 1);
  lua_pushcfunction(L, &Wrap);
  lua_setfield(L, -2, "wrap");
  Guard(L, "close", &Poll);
  lua_pop(L, 4);
  OpenOs(L);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, &WriteOutput);
  lua_setfield(L, -2, "write");
  lua_setglobal(L, LUA_IOLIBNAME);
}

void PushScriptEnvironment(lua_State* L) {
  ForgetCrossfold(L);
  lua_createtable(L, 0, 40);
  const int environment = lua_gettop(L);
  lua_pushglobaltable(L);
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    if (lua_istable(L, -1)) {
      lua_createtable(L, 0, 20);
      CopyFields(L);
      lua_remove(L, -2);
    }
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_settable(L, environment);
  }
  lua_pop(L, 1);
  lua_pushvalue(L, environment);
  lua_setfield(L, environment, LUA_GNAME);
  lua_pushvalue(L, environment);
  lua_pushcclosure(L, &LoadChunk, 1);
  lua_setfield(L, environment, "load");
  lua_getglobal(L, "require");
  lua_pushcclosure(L, &RequireCrossfold, 1);
  lua_setfield(L, environment, "require");
}

}  // namespace crossfold::lua
