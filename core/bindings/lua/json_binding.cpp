// Reads JSON for the scripts of the module.
#include <optional>
#include <string>
#include <string_view>

#include "bindings/lua/native.h"
#include "crossfold/json_value.h"

namespace crossfold::lua {
namespace {

constexpr int kStackOfValue = 4;

// native.json_value(text): see PushJson.
std::optional<JsonValue> ReadJsonText(std::string_view text) { return ReadJson(text); }

void PushReadJson(lua_State* L, const std::optional<JsonValue>& json) { PushJson(L, *json); }

}  // namespace

void PushJson(lua_State* L, const JsonValue& json) {
  luaL_checkstack(L, kStackOfValue, nullptr);
  if (const auto* list = json.As<JsonList>()) {
    PushList(L, *list, [L](const JsonValue& element) { PushJson(L, element); });
  } else if (const auto* object = json.As<JsonObject>()) {
    lua_createtable(L, 0, static_cast<int>(object->size()));
    for (const JsonMember& member : *object) {
      PushText(L, member.name);
      PushJson(L, member.value);
      lua_rawset(L, -3);
    }
  } else if (const auto* text = json.As<std::string>()) {
    PushText(L, *text);
  } else if (const auto* flag = json.As<bool>()) {
    lua_pushboolean(L, *flag ? 1 : 0);
  } else if (const auto* integer = json.As<std::int64_t>()) {
    lua_pushinteger(L, *integer);
  } else if (const auto* large = json.As<std::uint64_t>()) {
    lua_pushnumber(L, static_cast<lua_Number>(*large));
  } else if (const auto* number = json.As<double>()) {
    lua_pushnumber(L, *number);
  } else {
    PushNull(L);
  }
}

void OpenJson(lua_State* L) {
  AddFunctions(L, {{"json_value", Native<ReadJsonText, PushReadJson>}});
}

}  // namespace crossfold::lua
