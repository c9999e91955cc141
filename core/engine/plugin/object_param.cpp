#include "engine/plugin/object_param.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/json_value.h"
#include "engine/plugin/foreign_text.h"

namespace crossfold {
namespace {

constexpr std::size_t kMaxParts = 64;  // of a dotted name

bool IsFinite(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return std::isfinite(*number);
  const auto* list = std::get_if<std::vector<double>>(&value);
  return list == nullptr || std::ranges::all_of(*list, [](double x) { return std::isfinite(x); });
}

bool IsUtf8(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return IsUtf8Text(*text);
  const auto* list = std::get_if<std::vector<std::string>>(&value);
  return list == nullptr || std::ranges::all_of(*list, IsUtf8Text);
}

// Scripts write an empty object like an empty list, which is one of integers.
bool IsEmptyList(const Value& value) {
  const auto* integers = std::get_if<std::vector<std::int64_t>>(&value);
  return integers != nullptr && integers->empty();
}

// Converts the value of an entry. Returns what is wrong with it, or "".
std::string ReadEntry(std::string_view name, const Value& value, JsonValue& json) {
  if (!IsFinite(value)) {
    return std::string(name) + " = " + ToText(value) + " is not finite; JSON has no such number";
  }
  if (!IsUtf8(value)) return std::string(name) + " is not UTF-8";
  const auto* nested = std::get_if<Nested>(&value);
  if (nested != nullptr && !ParseJson(nested->json)) {
    return std::string(name) + " = '" + nested->json + "' is not JSON";
  }
  json = IsEmptyList(value) ? JsonObject() : JsonOf(value);
  return "";
}

// Returns the member whose name is the longest beginning of the dotted `path`; null = none.
JsonMember* LongestMember(JsonObject& object, std::string_view path) {
  JsonMember* longest = nullptr;
  for (JsonMember& member : object) {
    const std::size_t size = member.name.size();
    const bool begins = path.starts_with(member.name) && (path.size() == size || path[size] == '.');
    if (begins && (longest == nullptr || size > longest->name.size())) longest = &member;
  }
  return longest;
}

// Sets the entry `path` of `root`. `name` ends in it. Returns what is wrong, or "".
std::string SetEntry(JsonValue& root, std::string_view name, std::string_view path,
                     JsonValue entry) {
  JsonValue* at = &root;
  for (;;) {
    auto* object = std::get_if<JsonObject>(&at->value);
    if (object == nullptr) {
      const std::string_view owner = name.substr(0, name.size() - path.size() - 1);
      return "cannot set " + std::string(name) + ": " + std::string(owner) + " = " +
             CanonicalJsonText(*at) + " is not an object";
    }
    JsonMember* member = LongestMember(*object, path);
    if (member == nullptr) {
      object->push_back({std::string(path.substr(0, path.find('.'))), JsonObject()});
      member = &object->back();
    }
    at = &member->value;
    if (path.size() == member->name.size()) break;
    path.remove_prefix(member->name.size() + 1);
  }
  *at = std::move(entry);
  return "";
}

bool IsEntryPath(std::string_view path) {
  return !path.empty() && path.front() != '.' && path.back() != '.' &&
         path.find("..") == std::string_view::npos;
}

}  // namespace

const ParamSpec* ObjectOfEntry(const Component& component, std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return nullptr;
  const ParamSpec* param = ParamNamed(component, name.substr(0, dot));
  return param != nullptr && IsObject(*param) ? param : nullptr;
}

CheckedValue CheckObject(const ParamSpec& param, const Value& value) {
  if (IsEmptyList(value)) return {std::string("{}"), ""};
  const auto* nested = std::get_if<Nested>(&value);
  const auto* text = nested != nullptr ? &nested->json : std::get_if<std::string>(&value);
  std::optional<JsonValue> json;
  if (text != nullptr) json = ParseJson(*text);
  if (!json || json->As<JsonObject>() == nullptr) {
    const std::string quote = text == nullptr ? "" : "'";
    return {Null{}, param.name + " = " + quote + ToText(value) + quote + " is not a JSON object"};
  }
  return {CanonicalJsonText(*std::move(json)), ""};
}

CheckedValue WithEntry(const ParamSpec& param, const Value& object, std::string_view name,
                       const Value& entry) {
  const std::string_view path = name.substr(param.name.size() + 1);
  if (!IsEntryPath(path)) return {Null{}, "'" + std::string(name) + "' does not name an entry"};
  JsonValue value;
  std::string problem = ReadEntry(name, entry, value);
  if (!problem.empty()) return {Null{}, std::move(problem)};
  JsonValue root = JsonObject();
  if (const auto* text = std::get_if<std::string>(&object)) root = ReadJson(*text);
  const bool is_deep = std::ranges::count(path, '.') >= static_cast<std::ptrdiff_t>(kMaxParts);
  if (!is_deep) problem = SetEntry(root, name, path, std::move(value));
  if (!problem.empty()) return {Null{}, std::move(problem)};
  std::string text = CanonicalJsonText(std::move(root));
  if (is_deep || !ParseJson(text)) {
    return {Null{}, "'" + std::string(name) + "' is nested too deeply"};
  }
  return {std::move(text), ""};
}

}  // namespace crossfold
