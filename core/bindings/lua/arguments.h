// Reads Lua values into C++ objects that Lua owns. All functions may raise; none leaves a C++
// object undestroyed when it does.
#pragma once

#include <cstdint>
#include <lua.hpp>
#include <string>
#include <vector>

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
// Reads {name = value, ...}; nil and none give no values.
void ReadParams(lua_State* L, int index, ParamValues& out);
void PushValue(lua_State* L, const Value& value);

// Field `name` of the table at `index`: copied to `out`, which stays as it is if the field is nil.
void ReadStringField(lua_State* L, int index, const char* name, std::string& out);
// The table at `index` as a list of strings or of integers.
void ReadStrings(lua_State* L, int index, const char* what, std::vector<std::string>& out);
void ReadIntegers(lua_State* L, int index, const char* what, std::vector<std::int64_t>& out);
// The table at `index` as a list of numbers; NaN and infinities pass.
void ReadNumbers(lua_State* L, int index, const char* what, std::vector<double>& out);

void PushText(lua_State* L, const std::string& text);
// A list of strings.
void PushTexts(lua_State* L, const std::vector<std::string>& texts);
// { stage =, code =, message = }.
void PushFailure(lua_State* L, const Failure& failure);
void PushIntegers(lua_State* L, const std::vector<std::int64_t>& numbers);
void PushNumbers(lua_State* L, const std::vector<double>& numbers);
// Rows that count from 0 as a list of integers from 1.
void PushRowIds(lua_State* L, const std::vector<std::int64_t>& rows);
// Each sets a field of the table on top of the stack; a NaN, which means that there is no number,
// is left out.
void SetFlag(lua_State* L, const char* name, bool flag);
void SetInteger(lua_State* L, const char* name, std::int64_t number);
void SetNumber(lua_State* L, const char* name, double number);
void SetText(lua_State* L, const char* name, const std::string& text);

}  // namespace crossfold::lua
