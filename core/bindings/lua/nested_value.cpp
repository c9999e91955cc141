// Nested tables of a script as JSON.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "bindings/lua/arguments.h"
#include "bindings/lua/protect.h"
#include "crossfold/json_value.h"
#include "engine/plugin/foreign_text.h"

namespace crossfold::lua {
namespace {

constexpr int kMaxNesting = 64;   // as ParseJson has it
constexpr int kStackOfLevel = 8;  // entries of Lua's stack

// Where a value is. Plain memory, so that it may be alive when Lua raises.
struct Place {
  const Place* parent = nullptr;
  const char* name = nullptr;  // null = an element of a list
  lua_Integer element = 0;
  int depth = 0;
};

// Pushes "settings.trees[2]".
const char* PushPath(lua_State* L, const Place& place) {
  const char* parent = place.parent != nullptr ? PushPath(L, *place.parent) : nullptr;
  luaL_checkstack(L, kStackOfLevel, nullptr);  // the paths of all parents are on the stack
  if (parent == nullptr) return lua_pushstring(L, place.name);
  return place.name != nullptr ? lua_pushfstring(L, "%s.%s", parent, place.name)
                               : lua_pushfstring(L, "%s[%I]", parent, place.element);
}

[[noreturn]] void Refuse(lua_State* L, const Place& place, const char* finding) {
  Raise(L, lua_pushfstring(L, "cannot read '%s': %s", PushPath(L, place), finding));
}

void Append(lua_State* L, std::string& json, const char* text) {
  Try(L, [&] { json += text; });
}

void AppendString(lua_State* L, const Place& place, int index, std::string& json) {
  std::size_t size = 0;
  const char* text = lua_tolstring(L, index, &size);
  bool is_text = false;
  Try(L, [&] {
    is_text = IsUtf8Text({text, size});
    if (is_text) json += JsonText(std::string_view(text, size));
  });
  if (!is_text) Refuse(L, place, "a string is not UTF-8");
}

void AppendNumber(lua_State* L, const Place& place, bool as_float, std::string& json) {
  const lua_Number number = lua_tonumber(L, -1);
  if (!std::isfinite(number)) Refuse(L, place, "a number is not finite");
  const bool is_integer = lua_isinteger(L, -1) != 0 && !as_float;
  const lua_Integer integer = lua_tointeger(L, -1);
  Try(L, [&] { json += is_integer ? std::to_string(integer) : JsonText(number); });
}

// What the keys of a table are.
struct Keys {
  lua_Integer n = 0, n_names = 0;
  bool all_numbers = true, any_float = false;  // of the values
  bool is_sequence = true;                     // 1, 2, 3, ...
};

// Looks at the table on top of the stack.
Keys KeysOf(lua_State* L) {
  Keys keys;
  const auto length = static_cast<lua_Integer>(lua_rawlen(L, -1));
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    ++keys.n;
    if (lua_type(L, -2) == LUA_TSTRING) ++keys.n_names;
    const bool is_place =
        lua_isinteger(L, -2) != 0 && lua_tointeger(L, -2) >= 1 && lua_tointeger(L, -2) <= length;
    keys.is_sequence = keys.is_sequence && is_place;
    const bool is_number = lua_type(L, -1) == LUA_TNUMBER;
    keys.all_numbers = keys.all_numbers && is_number;
    keys.any_float = keys.any_float || (is_number && lua_isinteger(L, -1) == 0);
    lua_pop(L, 1);
  }
  keys.is_sequence = keys.is_sequence && keys.n == length;
  return keys;
}

void AppendValue(lua_State* L, const Place& place, bool as_float, std::string& json);

void AppendList(lua_State* L, const Place& place, const Keys& keys, std::string& json) {
  Append(L, json, "[");
  for (lua_Integer i = 1; i <= keys.n; ++i) {
    if (i > 1) Append(L, json, ",");
    lua_rawgeti(L, -1, i);
    AppendValue(L, {&place, nullptr, i, place.depth + 1}, keys.all_numbers && keys.any_float, json);
    lua_pop(L, 1);
  }
  Append(L, json, "]");
}

void AppendObject(lua_State* L, const Place& place, std::string& json) {
  Append(L, json, "{");
  bool is_first = true;
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    if (!is_first) Append(L, json, ",");
    is_first = false;
    const Place entry{&place, lua_tostring(L, -2), 0, place.depth + 1};
    AppendString(L, entry, -2, json);
    Append(L, json, ":");
    AppendValue(L, entry, false, json);
    lua_pop(L, 1);
  }
  Append(L, json, "}");
}

// Appends the table on top of the stack.
void AppendTable(lua_State* L, const Place& place, std::string& json) {
  if (place.depth >= kMaxNesting) {
    Refuse(L, place, "it is nested too deeply, or a table contains itself");
  }
  luaL_checkstack(L, kStackOfLevel, nullptr);
  const Keys keys = KeysOf(L);
  if (keys.n_names == keys.n) return AppendObject(L, place, json);
  if (!keys.is_sequence) {
    Refuse(L, place, "its keys are neither names nor the numbers 1, 2, 3, ... of a list");
  }
  AppendList(L, place, keys, json);
}

// Appends the value on top of the stack.
void AppendValue(lua_State* L, const Place& place, bool as_float, std::string& json) {
  switch (lua_type(L, -1)) {
    case LUA_TBOOLEAN:
      return Append(L, json, lua_toboolean(L, -1) != 0 ? "true" : "false");
    case LUA_TNUMBER:
      return AppendNumber(L, place, as_float, json);
    case LUA_TSTRING:
      return AppendString(L, place, -1, json);
    case LUA_TTABLE:
      return AppendTable(L, place, json);
    default:
      if (IsNull(L, -1)) return Append(L, json, "null");
      Refuse(L, place, lua_pushfstring(L, "a %s is not a parameter value", luaL_typename(L, -1)));
  }
}

}  // namespace

void ReadNested(lua_State* L, int index, const char* what, std::string& json) {
  luaL_checkstack(L, kStackOfLevel, nullptr);
  lua_pushvalue(L, index);
  AppendTable(L, {nullptr, what, 0, 0}, json);
  lua_pop(L, 1);
}

}  // namespace crossfold::lua
