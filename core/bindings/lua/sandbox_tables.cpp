// The functions of `table`: they loop in C over as many elements as a number or a metamethod says,
// so these are bounded, and a comparison looks whether the script is to stop.
#include "bindings/lua/protect.h"
#include "bindings/lua/sandbox_libraries.h"
#include "bindings/lua/sandbox_state.h"

namespace crossfold::lua {
namespace {

constexpr lua_Integer kMaxElements = 10'000'000;  // of plain tables
constexpr lua_Integer kMaxIndirect = 1'000'000;   // of tables with a metatable

[[noreturn]] void RaiseTooMany(lua_State* L, const char* name) {
  Raise(L,
        lua_pushfstring(L,
                        "cannot call table.%s on that many elements: a sandbox allows 10 million, "
                        "1 million if there is a metatable; take fewer at a time",
                        name));
}

// A length that a function makes up may be any number, another one each time.
void RefuseLength(lua_State* L, const char* name) {
  PollSandbox(L);
  if (lua_istable(L, 1) && luaL_getmetafield(L, 1, "__len") != LUA_TNIL) {
    Raise(L, lua_pushfstring(L,
                             "cannot call table.%s on a table with '__len': a sandbox takes plain "
                             "tables; copy it into one",
                             name));
  }
}

bool HasMetatable(lua_State* L, int index) {
  if (lua_getmetatable(L, index) == 0) return false;
  lua_pop(L, 1);
  return true;
}

// Raises if first .. last are too many for tables with or without a metatable.
void CheckElementRange(lua_State* L, const char* name, lua_Integer first, lua_Integer last,
                       bool indirect) {
  if (last < first) return;
  const auto distance = static_cast<lua_Unsigned>(last) - static_cast<lua_Unsigned>(first);
  const auto most = static_cast<lua_Unsigned>(indirect ? kMaxIndirect : kMaxElements);
  if (distance >= most) RaiseTooMany(L, name);
}

int Insert(lua_State* L) {
  RefuseLength(L, "insert");
  return CallGuarded(L);
}

int Remove(lua_State* L) {
  RefuseLength(L, "remove");
  return CallGuarded(L);
}

int Unpack(lua_State* L) {
  RefuseLength(L, "unpack");
  return CallGuarded(L);
}

int Concat(lua_State* L) {
  RefuseLength(L, "concat");
  luaL_checktype(L, 1, LUA_TTABLE);
  const lua_Integer last = luaL_opt(L, luaL_checkinteger, 4, luaL_len(L, 1));
  CheckElementRange(L, "concat", luaL_optinteger(L, 3, 1), last, HasMetatable(L, 1));
  return CallGuarded(L);
}

int Move(lua_State* L) {
  PollSandbox(L);
  luaL_checkany(L, 1);
  const int to = lua_isnoneornil(L, 5) ? 1 : 5;
  CheckElementRange(L, "move", luaL_checkinteger(L, 2), luaL_checkinteger(L, 3),
                    HasMetatable(L, 1) || HasMetatable(L, to));
  return CallGuarded(L);
}

// Upvalue: the comparison of the script, or nil for <.
int IsLess(lua_State* L) {
  PollSandbox(L);
  lua_settop(L, 2);
  if (lua_isnil(L, lua_upvalueindex(1))) {
    lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPLT));
    return 1;
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 2, 1);
  return 1;
}

int Sort(lua_State* L) {
  RefuseLength(L, "sort");
  luaL_checktype(L, 1, LUA_TTABLE);
  if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  lua_pushcclosure(L, &IsLess, 1);
  return CallGuarded(L);
}

}  // namespace

void BoundTables(lua_State* L) {
  Guard(L, "insert", &Insert);
  Guard(L, "remove", &Remove);
  Guard(L, "unpack", &Unpack);
  Guard(L, "concat", &Concat);
  Guard(L, "move", &Move);
  Guard(L, "sort", &Sort);
}

}  // namespace crossfold::lua
