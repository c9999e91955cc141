// Fields of the tables that the bindings of stats read and write.
#pragma once

#include <cstdint>
#include <lua.hpp>
#include <string>
#include <vector>

#include "bindings/lua/arguments.h"
#include "bindings/lua/box.h"
#include "bindings/lua/protect.h"

namespace crossfold::lua {

// Field `name` of the table at `index`, which the script's own module has checked to be there.
inline double NumberField(lua_State* L, int index, const char* name) {
  lua_getfield(L, index, name);
  const double number = luaL_checknumber(L, -1);
  lua_pop(L, 1);
  return number;
}

inline std::int64_t IntegerField(lua_State* L, int index, const char* name) {
  lua_getfield(L, index, name);
  const std::int64_t number = luaL_checkinteger(L, -1);
  lua_pop(L, 1);
  return number;
}

// Whether the string field `name` is `value`.
inline bool FieldIs(lua_State* L, int index, const char* name, const char* value) {
  lua_getfield(L, index, name);
  lua_pushstring(L, value);
  const bool same = lua_rawequal(L, -1, -2) != 0;
  lua_pop(L, 2);
  return same;
}

// Sets `undefined` of the table on top of the stack, the reason why numbers are left out; does
// nothing for "".
inline void SetReason(lua_State* L, const std::string& reason) {
  if (!reason.empty()) SetText(L, "undefined", reason);
}

// Reads a list of lists of numbers; `what` names one of them in messages, as in "dataset" of
// "dataset 2".
inline void ReadNumberLists(lua_State* L, int index, const char* what,
                            std::vector<std::vector<double>>& out) {
  const lua_Integer n = luaL_len(L, index);
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, index, i);
    const char* name = lua_pushfstring(L, "%s %I", what, static_cast<LUAI_UACINT>(i));
    Try(L, [&] { out.emplace_back(); });
    ReadNumbers(L, -2, name, out.back());
    lua_pop(L, 2);
  }
}

}  // namespace crossfold::lua
