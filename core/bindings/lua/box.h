// C++ objects owned by Lua. Every object that a binding needs while it may still raise lives in a
// userdata made by NewOwned, so that the collector destroys it whatever happens (with the C build
// of Lua an error is a longjmp, which skips destructors).
#pragma once

#include <cstddef>
#include <lua.hpp>
#include <new>

namespace crossfold::lua {

// Its address identifies T's metatable in the registry; two copies of this library in one process
// have different addresses and do not mix.
template <class T>
inline char kTypeKey = 0;

// Without its metatable a destroyed object is not a T any more: finalizers of scripts may still
// hold it.
template <class T>
int DestroyOwned(lua_State* L) {
  T* object = static_cast<T*>(lua_touserdata(L, 1));
  lua_pushnil(L);
  lua_setmetatable(L, 1);
  object->~T();
  return 0;
}

// Pushes the metatable of T, made at the first use. Scripts cannot reach it.
template <class T>
void PushMetatable(lua_State* L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &kTypeKey<T>) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_createtable(L, 0, 6);
  lua_pushcfunction(L, &DestroyOwned<T>);
  lua_setfield(L, -2, "__gc");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &kTypeKey<T>);
}

// Pushes a new default-constructed T and returns it. Raises only for lack of memory.
template <class T>
T* NewOwned(lua_State* L) {
  static_assert(noexcept(T()), "construction must not throw: nothing would catch it");
  void* memory = lua_newuserdatauv(L, sizeof(T), 0);
  PushMetatable<T>(L);
  T* object = new (memory) T();
  lua_setmetatable(L, -2);
  return object;
}

// The T at `index`, or null if there is another value.
template <class T>
T* ToOwned(lua_State* L, int index) {
  void* memory = lua_touserdata(L, index);
  if (memory == nullptr || lua_getmetatable(L, index) == 0) return nullptr;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &kTypeKey<T>);
  const bool same = lua_rawequal(L, -1, -2) != 0;
  lua_pop(L, 2);
  return same ? static_cast<T*>(memory) : nullptr;
}

// Adds functions to the table on top of the stack.
template <std::size_t n>
void AddFunctions(lua_State* L, const luaL_Reg (&functions)[n]) {
  for (const luaL_Reg& function : functions) {
    lua_pushcfunction(L, function.func);
    lua_setfield(L, -2, function.name);
  }
}

// Gives T its name, T::kName, and methods; those that begin with "__" are metamethods. Called once
// for each state, when the module opens.
template <class T, std::size_t n>
void RegisterType(lua_State* L, const luaL_Reg (&methods)[n]) {
  PushMetatable<T>(L);
  lua_pushstring(L, T::kName);
  lua_setfield(L, -2, "__name");
  lua_newtable(L);
  for (const luaL_Reg& method : methods) {
    const bool is_metamethod = method.name[0] == '_';
    lua_pushcfunction(L, method.func);
    lua_setfield(L, is_metamethod ? -3 : -2, method.name);
  }
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}

// The T at argument `arg`; raises Lua's own message for a wrong type.
template <class T>
T& CheckOwned(lua_State* L, int arg) {
  T* object = ToOwned<T>(L, arg);
  if (object == nullptr) luaL_typeerror(L, arg, T::kName);
  return *object;
}

}  // namespace crossfold::lua
