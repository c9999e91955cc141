#include "programs/cli/lua_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <optional>
#include <variant>

#include "crossfold/json_value.h"

namespace crossfold::cli {
namespace {

struct LuaOfValue {
  std::string operator()(Null) const { return "cf.null"; }
  std::string operator()(const std::string& text) const { return LuaString(text); }
  std::string operator()(const Nested& nested) const { return LuaObject(nested.json); }
  std::string operator()(double number) const {
    if (std::isinf(number)) return number > 0 ? "math.huge" : "-math.huge";
    return ToText(Value(number));
  }
  std::string operator()(bool value) const { return ToText(Value(value)); }
  std::string operator()(std::int64_t number) const { return ToText(Value(number)); }
  template <class Item>
  std::string operator()(const std::vector<Item>& list) const {
    std::vector<std::string> items;
    for (const Item& item : list) items.push_back((*this)(item));
    return LuaList(items);
  }
};

// Whether a list of numbers would become one of another type: Lua's lists have integers or floats.
bool IsMixed(const JsonList& list) {
  const auto is_float = [](const JsonValue& item) { return item.As<double>() != nullptr; };
  const auto is_integer = [](const JsonValue& item) { return item.As<std::int64_t>() != nullptr; };
  const auto floats = std::ranges::count_if(list, is_float);
  const auto integers = std::ranges::count_if(list, is_integer);
  return floats > 0 && integers > 0 && floats + integers == std::ssize(list);
}

// Writes JSON as Lua. Nothing is returned for what Lua has no form for.
struct LuaOfJson {
  using Text = std::optional<std::string>;

  Text operator()(std::uint64_t /*number*/) const { return std::nullopt; }
  Text operator()(double number) const {
    const std::string text = JsonText(number);  // 1.0, not 1
    return text == "null" ? Text() : text;
  }
  Text operator()(const JsonList& list) const {
    if (list.empty() || IsMixed(list)) return std::nullopt;  // {} is an object
    std::vector<std::string> items;
    for (const JsonValue& item : list) {
      const Text text = std::visit(*this, item.value);
      if (!text) return std::nullopt;
      items.push_back(*text);
    }
    return LuaList(items);
  }
  Text operator()(const JsonObject& object) const {
    LuaTable table;
    for (const auto& [name, value] : object) {
      const Text text = std::visit(*this, value.value);
      if (!text) return std::nullopt;
      table.Add(name, *text);
    }
    return table.empty() ? "{}" : table.text();
  }
  template <class T>
  Text operator()(const T& content) const {
    return LuaOfValue()(content);
  }
};

}  // namespace

std::string LuaString(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += {'\\', c};
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (code < 0x20 || code == 0x7F) {
      char escape[5];
      std::snprintf(escape, sizeof escape, "\\%03d", code);
      quoted += escape;
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string LuaValue(const Value& value) { return std::visit(LuaOfValue(), value); }

std::string LuaObject(const std::string& json) {
  const std::optional<JsonValue> value = ParseJson(json);
  const std::optional<std::string> table =
      value ? std::visit(LuaOfJson(), value->value) : std::nullopt;
  return table ? *table : LuaString(json);
}

std::string LuaList(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return "{ " + text + " }";
}

std::string LuaStrings(const std::vector<std::string>& texts) {
  std::vector<std::string> items;
  for (const std::string& text : texts) items.push_back(LuaString(text));
  return LuaList(items);
}

std::string LuaKey(std::string_view key) {
  constexpr std::array<std::string_view, 22> kReserved = {
      "and",      "break",  "do",   "else", "elseif", "end",  "false", "for",
      "function", "goto",   "if",   "in",   "local",  "nil",  "not",   "or",
      "repeat",   "return", "then", "true", "until",  "while"};
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto is_inner = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  const bool is_name = !key.empty() && is_letter(key.front()) &&
                       std::ranges::all_of(key, is_inner) &&
                       std::ranges::find(kReserved, key) == kReserved.end();
  return is_name ? std::string(key) : "[" + LuaString(key) + "]";
}

void LuaTable::Add(std::string_view key, const std::string& value) {
  fields_ += (fields_.empty() ? "" : ", ") + LuaKey(key) + " = " + value;
}

void LuaTable::AddString(std::string_view key, const std::string& text) {
  if (!text.empty()) Add(key, LuaString(text));
}

}  // namespace crossfold::cli
