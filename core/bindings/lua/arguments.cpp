#include "bindings/lua/arguments.h"

#include <cmath>

#include <algorithm>
#include <cstddef>

#include "bindings/lua/box.h"
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

double NumberField(lua_State* L, int index, const char* name) {
  lua_getfield(L, index, name);
  const double number = luaL_checknumber(L, -1);
  lua_pop(L, 1);
  return number;
}

double NumberField(lua_State* L, int index, const char* name, double otherwise) {
  lua_getfield(L, index, name);
  const double number = luaL_optnumber(L, -1, otherwise);
  lua_pop(L, 1);
  return number;
}

std::int64_t IntegerField(lua_State* L, int index, const char* name) {
  lua_getfield(L, index, name);
  const std::int64_t number = luaL_checkinteger(L, -1);
  lua_pop(L, 1);
  return number;
}

std::int64_t IntegerField(lua_State* L, int index, const char* name, std::int64_t otherwise) {
  lua_getfield(L, index, name);
  const std::int64_t number = luaL_optinteger(L, -1, otherwise);
  lua_pop(L, 1);
  return number;
}

bool FlagField(lua_State* L, int index, const char* name) {
  lua_getfield(L, index, name);
  const bool flag = lua_toboolean(L, -1) != 0;
  lua_pop(L, 1);
  return flag;
}

bool FieldIs(lua_State* L, int index, const char* name, const char* value) {
  lua_getfield(L, index, name);
  lua_pushstring(L, value);
  const bool same = lua_rawequal(L, -1, -2) != 0;
  lua_pop(L, 2);
  return same;
}

std::string_view CheckText(lua_State* L, int arg) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(L, arg, &size);
  return {text, size};
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

namespace {

// `kind` names the elements in messages.
template <class T>
void ReadListOf(lua_State* L, int index, const char* what, const char* kind, std::vector<T>& out) {
  index = lua_absindex(L, index);
  if (!lua_istable(L, index)) {
    Raise(L, lua_pushfstring(L, "%s must be a list of %s, got a %s", what, kind,
                             luaL_typename(L, index)));
  }
  const lua_Integer n = luaL_len(L, index);
  out.clear();
  for (lua_Integer i = 1; i <= n; ++i) {
    const int type = lua_geti(L, index, i);
    int fits = 0;
    T number = 0;
    if constexpr (std::integral<T>) {
      number = lua_tointegerx(L, -1, &fits);
    } else if (type != LUA_TSTRING) {
      number = lua_tonumberx(L, -1, &fits);
    }
    if (fits == 0) {
      Raise(L, lua_pushfstring(L, "%s must be a list of %s; element %d is a %s", what, kind,
                               static_cast<int>(i), luaL_typename(L, -1)));
    }
    Try(L, [&] { out.push_back(number); });
    lua_pop(L, 1);
  }
}

}  // namespace

void ReadIntegers(lua_State* L, int index, const char* what, std::vector<std::int64_t>& out) {
  ReadListOf(L, index, what, "integers", out);
}

void ReadNumbers(lua_State* L, int index, const char* what, std::vector<double>& out) {
  ReadListOf(L, index, what, "numbers", out);
}

void ReadNumberLists(lua_State* L, int index, const char* what,
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

void ReadNumbersField(lua_State* L, int index, const char* name, const char* what,
                      std::vector<double>& out) {
  if (lua_getfield(L, index, name) != LUA_TNIL) ReadNumbers(L, -1, what, out);
  lua_pop(L, 1);
}

void PushText(lua_State* L, std::string_view text) { lua_pushlstring(L, text.data(), text.size()); }

void PushTexts(lua_State* L, std::span<const std::string> texts) {
  PushList(L, texts, [L](const std::string& text) { PushText(L, text); });
}

void PushFailure(lua_State* L, const Failure& failure) {
  PushTable(L, Field("stage", failure.stage), Field("code", failure.code),
            Field("cause", CauseName(CauseOf(failure))), Field("message", failure.message));
}

void PushIntegers(lua_State* L, std::span<const std::int64_t> numbers) {
  PushList(L, numbers, [L](std::int64_t number) { lua_pushinteger(L, number); });
}

void PushNumbers(lua_State* L, std::span<const double> numbers) {
  PushList(L, numbers, [L](double number) { lua_pushnumber(L, number); });
}

void PushRowIds(lua_State* L, std::span<const std::int64_t> rows) {
  PushList(L, rows, [L](std::int64_t row) { lua_pushinteger(L, row + 1); });
}

void Field::Set(lua_State* L) const {
  if (value_.index() == 0) return;
  if (const auto* number = std::get_if<double>(&value_)) {
    if (std::isnan(*number)) return;
    lua_pushnumber(L, *number);
  } else if (const auto* flag = std::get_if<bool>(&value_)) {
    lua_pushboolean(L, *flag);
  } else if (const auto* integer = std::get_if<std::int64_t>(&value_)) {
    lua_pushinteger(L, *integer);
  } else if (const auto* text = std::get_if<std::string_view>(&value_)) {
    PushText(L, *text);
  } else if (const auto* texts = std::get_if<std::span<const std::string>>(&value_)) {
    PushTexts(L, *texts);
  } else if (const auto* integers = std::get_if<std::span<const std::int64_t>>(&value_)) {
    PushIntegers(L, *integers);
  } else {
    PushNumbers(L, std::get<std::span<const double>>(value_));
  }
  lua_setfield(L, -2, name_);
}

}  // namespace crossfold::lua
