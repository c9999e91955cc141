// Reads JSON for the scripts of the module.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "bindings/lua/arguments.h"
#include "bindings/lua/box.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "crossfold/json_value.h"

namespace crossfold::lua {
namespace {

constexpr int kStackOfValue = 4;

void PushJson(lua_State* L, const JsonValue& json);

void PushJsonList(lua_State* L, const JsonList& list) {
  lua_createtable(L, static_cast<int>(list.size()), 0);
  lua_Integer n = 0;
  for (const JsonValue& element : list) {
    PushJson(L, element);
    lua_rawseti(L, -2, ++n);
  }
}

void PushJsonObject(lua_State* L, const JsonObject& object) {
  lua_createtable(L, 0, static_cast<int>(object.size()));
  for (const JsonMember& member : object) {
    PushText(L, member.name);
    PushJson(L, member.value);
    lua_rawset(L, -3);
  }
}

void PushJson(lua_State* L, const JsonValue& json) {
  luaL_checkstack(L, kStackOfValue, nullptr);
  if (const auto* list = json.As<JsonList>()) return PushJsonList(L, *list);
  if (const auto* object = json.As<JsonObject>()) return PushJsonObject(L, *object);
  if (const auto* text = json.As<std::string>()) return PushText(L, *text);
  if (const auto* flag = json.As<bool>()) return lua_pushboolean(L, *flag ? 1 : 0);
  if (const auto* integer = json.As<std::int64_t>()) return lua_pushinteger(L, *integer);
  if (const auto* large = json.As<std::uint64_t>()) {
    return lua_pushnumber(L, static_cast<lua_Number>(*large));
  }
  if (const auto* number = json.As<double>()) return lua_pushnumber(L, *number);
  PushNull(L);
}

// native.json_value(text): tables, strings, numbers and booleans; null is cf.null.
int ReadJsonText(lua_State* L) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(L, 1, &size);
  auto* json = NewOwned<std::optional<JsonValue>>(L);
  Try(L, [&] { *json = ReadJson({text, size}); });
  PushJson(L, **json);
  return 1;
}

}  // namespace

void OpenJson(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {{"json_value", ReadJsonText}, {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
