#include "programs/cli/lua_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <variant>

namespace crossfold::cli {
namespace {

struct LuaOfValue {
  std::string operator()(Null) const { return "cf.null"; }
  std::string operator()(const std::string& text) const { return LuaString(text); }
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

std::string LuaList(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return "{ " + text + " }";
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
