#include "bindings/lua/arguments.h"

#include <cmath>

#include <algorithm>
#include <cstddef>

#include "bindings/lua/box.h"
#include "bindings/lua/nested_value.h"
#include "bindings/lua/protect.h"
#include "crossfold/column_choice.h"
#include "crossfold/failure_cause.h"

namespace crossfold::lua {
namespace {

// The list at `index` into an integer list if all its elements are integers, else a double list.
void ReadNumberList(lua_State* L, int index, const char* what, Value& out) {
  index = lua_absindex(L, index);
  const lua_Integer n = std::max<lua_Integer>(luaL_len(L, index), 0);
  bool integers = true;
  for (lua_Integer i = 1; i <= n; ++i) {
    if (lua_geti(L, index, i) != LUA_TNUMBER) {
      Raise(L, lua_pushfstring(L, "cannot read '%s': element %d of the list is a %s, not a number",
                               what, static_cast<int>(i), luaL_typename(L, -1)));
    }
    integers = integers && lua_isinteger(L, -1);
    lua_pop(L, 1);
  }
  if (integers) {
    Try(L, [&] { out.emplace<std::vector<std::int64_t>>(static_cast<std::size_t>(n)); });
  } else {
    Try(L, [&] { out.emplace<std::vector<double>>(static_cast<std::size_t>(n)); });
  }
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, index, i);
    const auto at = static_cast<std::size_t>(i - 1);
    if (integers) {
      std::get<std::vector<std::int64_t>>(out)[at] = lua_tointeger(L, -1);
    } else {
      std::get<std::vector<double>>(out)[at] = lua_tonumber(L, -1);
    }
    lua_pop(L, 1);
  }
}

bool HoldsText(lua_State* L, int index) {
  const bool holds = lua_geti(L, index, 1) == LUA_TSTRING;
  lua_pop(L, 1);
  return holds;
}

// Whether the table is neither a list of numbers nor one of strings. A table with a metatable is
// taken as what its metamethods make of it.
bool IsNested(lua_State* L, int index) {
  if (lua_getmetatable(L, index) != 0) {
    lua_pop(L, 1);
    return false;
  }
  index = lua_absindex(L, index);
  const auto length = static_cast<lua_Integer>(lua_rawlen(L, index));
  const int type = HoldsText(L, index) ? LUA_TSTRING : LUA_TNUMBER;
  lua_Integer n = 0;
  lua_pushnil(L);
  while (lua_next(L, index) != 0) {
    ++n;
    if (lua_isinteger(L, -2) == 0 || lua_type(L, -1) != type) {
      lua_pop(L, 2);
      return true;
    }
    lua_pop(L, 1);
  }
  return n != length;
}

}  // namespace

void ReadValue(lua_State* L, int index, const char* what, Value& out) {
  switch (lua_type(L, index)) {
    case LUA_TBOOLEAN:
      out = lua_toboolean(L, index) != 0;
      return;
    case LUA_TNUMBER:
      if (lua_isinteger(L, index)) {
        out = static_cast<std::int64_t>(lua_tointeger(L, index));
      } else {
        out = static_cast<double>(lua_tonumber(L, index));
      }
      return;
    case LUA_TSTRING: {
      std::size_t n = 0;
      const char* text = lua_tolstring(L, index, &n);
      Try(L, [&] { out.emplace<std::string>(text, n); });
      return;
    }
    case LUA_TTABLE:
      if (IsNested(L, index)) {
        Try(L, [&] { out.emplace<Nested>(); });
        ReadNested(L, index, what, std::get<Nested>(out).json);
      } else if (HoldsText(L, index)) {
        Try(L, [&] { out.emplace<std::vector<std::string>>(); });
        ReadStrings(L, index, what, std::get<std::vector<std::string>>(out));
      } else {
        ReadNumberList(L, index, what, out);
      }
      return;
    default:
      if (IsNull(L, index)) {
        out = Null{};
        return;
      }
      Raise(L, lua_pushfstring(L, "cannot read '%s': a %s is not a parameter value", what,
                               luaL_typename(L, index)));
  }
}

void ReadParams(lua_State* L, int index, ParamValues& out) {
  if (lua_isnoneornil(L, index)) return;
  luaL_checktype(L, index, LUA_TTABLE);
  index = lua_absindex(L, index);
  lua_pushnil(L);
  while (lua_next(L, index) != 0) {
    if (lua_type(L, -2) != LUA_TSTRING) {
      Raise(L,
            "cannot read the parameters: they are named, as in { k = 5 }, but an unnamed value "
            "was found");
    }
    std::size_t size = 0;
    const char* name = lua_tolstring(L, -2, &size);
    Value* slot = nullptr;
    Try(L, [&] { slot = &out[std::string(name, size)]; });
    ReadValue(L, -1, name, *slot);
    lua_pop(L, 1);
  }
}

void PushValue(lua_State* L, const Value& value) {
  if (const bool* b = std::get_if<bool>(&value)) {
    lua_pushboolean(L, *b ? 1 : 0);
  } else if (const auto* i = std::get_if<std::int64_t>(&value)) {
    lua_pushinteger(L, *i);
  } else if (const double* d = std::get_if<double>(&value)) {
    lua_pushnumber(L, *d);
  } else if (const auto* s = std::get_if<std::string>(&value)) {
    PushText(L, *s);
  } else if (const auto* il = std::get_if<std::vector<std::int64_t>>(&value)) {
    PushIntegers(L, *il);
  } else if (const auto* rl = std::get_if<std::vector<double>>(&value)) {
    PushNumbers(L, *rl);
  } else if (const auto* sl = std::get_if<std::vector<std::string>>(&value)) {
    PushTexts(L, *sl);
  } else if (const auto* nested = std::get_if<Nested>(&value)) {
    PushText(L, nested->json);
  } else {
    PushNull(L);
  }
}

void ReadStringField(lua_State* L, int index, const char* name, std::string& out) {
  if (lua_getfield(L, index, name) != LUA_TNIL) {
    if (lua_type(L, -1) != LUA_TSTRING) {
      Raise(L, lua_pushfstring(L, "option '%s' must be a string, got a %s", name,
                               luaL_typename(L, -1)));
    }
    std::size_t n = 0;
    const char* text = lua_tolstring(L, -1, &n);
    Try(L, [&] { out.assign(text, n); });
  }
  lua_pop(L, 1);
}

void ReadStrings(lua_State* L, int index, const char* what, std::vector<std::string>& out) {
  index = lua_absindex(L, index);
  const lua_Integer n = luaL_len(L, index);
  for (lua_Integer i = 1; i <= n; ++i) {
    if (lua_geti(L, index, i) != LUA_TSTRING) {
      Raise(L, lua_pushfstring(L, "%s must be a list of strings; element %d is a %s", what,
                               static_cast<int>(i), luaL_typename(L, -1)));
    }
    std::size_t size = 0;
    const char* text = lua_tolstring(L, -1, &size);
    Try(L, [&] { out.emplace_back(text, size); });
    lua_pop(L, 1);
  }
}

void ReadIntegers(lua_State* L, int index, const char* what, std::vector<std::int64_t>& out) {
  index = lua_absindex(L, index);
  if (!lua_istable(L, index)) {
    Raise(L, lua_pushfstring(L, "%s must be a list of integers, got a %s", what,
                             luaL_typename(L, index)));
  }
  const lua_Integer n = luaL_len(L, index);
  out.clear();
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, index, i);
    int is_integer = 0;
    const lua_Integer number = lua_tointegerx(L, -1, &is_integer);
    if (is_integer == 0) {
      Raise(L, lua_pushfstring(L, "%s must be a list of integers; element %d is a %s", what,
                               static_cast<int>(i), luaL_typename(L, -1)));
    }
    Try(L, [&] { out.push_back(number); });
    lua_pop(L, 1);
  }
}

void ReadNumbers(lua_State* L, int index, const char* what, std::vector<double>& out) {
  index = lua_absindex(L, index);
  if (!lua_istable(L, index)) {
    Raise(L, lua_pushfstring(L, "%s must be a list of numbers, got a %s", what,
                             luaL_typename(L, index)));
  }
  const lua_Integer n = luaL_len(L, index);
  out.clear();
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, index, i);
    int is_number = 0;
    const double number = lua_tonumberx(L, -1, &is_number);
    if (is_number == 0 || lua_type(L, -1) == LUA_TSTRING) {
      Raise(L, lua_pushfstring(L, "%s must be a list of numbers; element %d is a %s", what,
                               static_cast<int>(i), luaL_typename(L, -1)));
    }
    Try(L, [&] { out.push_back(number); });
    lua_pop(L, 1);
  }
}

void PushText(lua_State* L, const std::string& text) {
  lua_pushlstring(L, text.data(), text.size());
}

void PushTexts(lua_State* L, const std::vector<std::string>& texts) {
  lua_createtable(L, static_cast<int>(texts.size()), 0);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    PushText(L, texts[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
}

void PushFailure(lua_State* L, const Failure& failure) {
  lua_createtable(L, 0, 4);
  SetText(L, "stage", failure.stage);
  SetInteger(L, "code", failure.code);
  SetText(L, "cause", std::string(CauseName(CauseOf(failure))));
  SetText(L, "message", failure.message);
}

void PushIntegers(lua_State* L, const std::vector<std::int64_t>& numbers) {
  lua_createtable(L, static_cast<int>(numbers.size()), 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    lua_pushinteger(L, numbers[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
}

void PushNumbers(lua_State* L, const std::vector<double>& numbers) {
  lua_createtable(L, static_cast<int>(numbers.size()), 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    lua_pushnumber(L, numbers[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
}

void PushRowIds(lua_State* L, const std::vector<std::int64_t>& rows) {
  lua_createtable(L, static_cast<int>(rows.size()), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    lua_pushinteger(L, rows[i] + 1);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
}

void SetFlag(lua_State* L, const char* name, bool flag) {
  lua_pushboolean(L, flag ? 1 : 0);
  lua_setfield(L, -2, name);
}

void SetInteger(lua_State* L, const char* name, std::int64_t number) {
  lua_pushinteger(L, number);
  lua_setfield(L, -2, name);
}

void SetNumber(lua_State* L, const char* name, double number) {
  if (std::isnan(number)) return;
  lua_pushnumber(L, number);
  lua_setfield(L, -2, name);
}

void SetText(lua_State* L, const char* name, const std::string& text) {
  PushText(L, text);
  lua_setfield(L, -2, name);
}

}  // namespace crossfold::lua
