// Reads Lua values into C++ objects that Lua owns, and pushes C++ values. All functions may raise;
// none leaves a C++ object undestroyed when it does.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <lua.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "crossfold/json_value.h"
#include "crossfold/outcome.h"
#include "crossfold/value.h"

namespace crossfold::lua {

// cf.null, the value of a nullable parameter that is not set and of a missing cell.
inline void PushNull(lua_State* L) { lua_pushlightuserdata(L, nullptr); }
inline bool IsNull(lua_State* L, int index) {
  return lua_type(L, index) == LUA_TLIGHTUSERDATA && lua_touserdata(L, index) == nullptr;
}

// Reads any value a parameter may have. `what` names it in messages. Tables other than lists of
// numbers or of strings become Nested.
void ReadValue(lua_State* L, int index, const char* what, Value& out);
// Appends the table at `index` to `json`, which Lua owns: a table with names as an object, a
// sequence as a list, an empty table as an object, cf.null as null. A list of numbers that has a
// float has floats only. Raises for other values, with the path of the entry after `what`: "cannot
// read 'settings.trees[2]': a function is not a parameter value". Metamethods are not called.
void ReadNested(lua_State* L, int index, const char* what, std::string& json);
// Reads {name = value, ...}; nil and none give no values.
void ReadParams(lua_State* L, int index, ParamValues& out);
void PushValue(lua_State* L, const Value& value);

// Field `name` of the table at `index`: copied to `out`, which stays as it is if the field is nil.
void ReadStringField(lua_State* L, int index, const char* name, std::string& out);
// The field as a number; without `otherwise` it must be there.
double NumberField(lua_State* L, int index, const char* name);
double NumberField(lua_State* L, int index, const char* name, double otherwise);
std::int64_t IntegerField(lua_State* L, int index, const char* name);
std::int64_t IntegerField(lua_State* L, int index, const char* name, std::int64_t otherwise);
// Whether the field is neither nil nor false.
bool FlagField(lua_State* L, int index, const char* name);
// Whether the string field `name` is `value`.
bool FieldIs(lua_State* L, int index, const char* name, const char* value);

// The string at argument `arg`.
std::string_view CheckText(lua_State* L, int arg);
// The table at `index` as a list of strings or of integers.
void ReadStrings(lua_State* L, int index, const char* what, std::vector<std::string>& out);
void ReadIntegers(lua_State* L, int index, const char* what, std::vector<std::int64_t>& out);
// The table at `index` as a list of numbers; NaN and infinities pass.
void ReadNumbers(lua_State* L, int index, const char* what, std::vector<double>& out);
// A list of lists of numbers; `what` names one of them in messages, as in "dataset" of "dataset 2".
void ReadNumberLists(lua_State* L, int index, const char* what,
                     std::vector<std::vector<double>>& out);
// Field `name` as such a list; `out` stays as it is if the field is nil.
void ReadNumbersField(lua_State* L, int index, const char* name, const char* what,
                      std::vector<double>& out);

void PushText(lua_State* L, std::string_view text);
void PushTexts(lua_State* L, std::span<const std::string> texts);
// { stage =, code =, message = }.
void PushFailure(lua_State* L, const Failure& failure);
void PushIntegers(lua_State* L, std::span<const std::int64_t> numbers);
void PushNumbers(lua_State* L, std::span<const double> numbers);
// Tables, strings, numbers and booleans; null is cf.null.
void PushJson(lua_State* L, const JsonValue& json);
// Rows that count from 0 as a list of integers from 1.
void PushRowIds(lua_State* L, std::span<const std::int64_t> rows);

// Pushes a list with one entry per item, which `push` pushes.
template <class Items, class Push>
void PushList(lua_State* L, Items&& items, Push push) {
  lua_createtable(L, static_cast<int>(std::size(items)), 0);
  lua_Integer place = 0;
  for (auto& item : items) {
    push(item);
    lua_rawseti(L, -2, ++place);
  }
}

// Pushes numbers row by row as a list of lists of `width` numbers.
template <class T>
void PushMatrix(lua_State* L, std::span<const T> numbers, std::size_t width) {
  const std::size_t n = width == 0 ? 0 : numbers.size() / width;
  lua_createtable(L, static_cast<int>(n), 0);
  for (std::size_t i = 0; i < n; ++i) {
    PushList(L, numbers.subspan(i * width, width), [L](T number) {
      if constexpr (std::integral<T>) {
        lua_pushinteger(L, number);
      } else {
        lua_pushnumber(L, number);
      }
    });
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
}

// A field of a table. It refers to strings and lists, and has no destructor, so it may be alive
// when Lua raises. There is no field for an empty optional, nor for a NaN, which means that there
// is no number.
class Field {
 public:
  template <class T>
  Field(const char* name, const T& value) : name_(name), value_(ValueOf(value)) {}

  // Sets the field of the table on top of the stack.
  void Set(lua_State* L) const;

 private:
  using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string_view,
                             std::span<const std::string>, std::span<const std::int64_t>,
                             std::span<const double>>;

  template <class T>
  static Value ValueOf(const T& value) {
    if constexpr (std::integral<T> && !std::same_as<T, bool>) {
      return static_cast<std::int64_t>(value);
    } else if constexpr (std::convertible_to<T, std::string_view>) {
      return std::string_view(value);
    } else {
      return value;
    }
  }
  template <class T>
  static Value ValueOf(const std::optional<T>& value) {
    return value ? ValueOf(*value) : Value();
  }

  const char* name_;
  Value value_;
};

// The text; nullopt for "", which means that there is none.
inline std::optional<std::string_view> NotEmpty(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(text);
}
// The field `undefined`, the reason why numbers are left out; none for "".
inline Field Reason(std::string_view reason) { return {"undefined", NotEmpty(reason)}; }

template <class... Fields>
void SetFields(lua_State* L, const Fields&... fields) {
  (fields.Set(L), ...);
}

// Pushes a table with these fields.
template <class... Fields>
void PushTable(lua_State* L, const Fields&... fields) {
  lua_createtable(L, 0, sizeof...(fields));
  SetFields(L, fields...);
}

// Sets field `name` to such a table.
template <class... Fields>
void SetTable(lua_State* L, const char* name, const Fields&... fields) {
  PushTable(L, fields...);
  lua_setfield(L, -2, name);
}

template <class T>
void SetField(lua_State* L, const char* name, const T& value) {
  Field(name, value).Set(L);
}

// Sets field `name` to a list with one entry per item.
template <class Items, class Push>
void SetList(lua_State* L, const char* name, Items&& items, Push push) {
  PushList(L, items, push);
  lua_setfield(L, -2, name);
}

}  // namespace crossfold::lua
