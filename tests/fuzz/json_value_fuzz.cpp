// Any bytes as JSON. What was read is written and read again as the same.
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "fuzz/law.h"

namespace {

using crossfold::JsonList;
using crossfold::JsonMember;
using crossfold::JsonObject;
using crossfold::JsonValue;

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      constexpr char kDigits[] = "0123456789abcdef";
      quoted += "\\u00";
      quoted += kDigits[c >> 4];
      quoted += kDigits[c & 15];
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string Real(double number) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, number);
  const std::string shortest(text, end);
  return shortest.find_first_of(".e") == std::string::npos ? shortest + ".0" : shortest;
}

std::string Write(const JsonValue& json) {
  const auto& value = json.value;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* number = std::get_if<double>(&value)) return Real(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return Quoted(*text);
  std::string parts;
  if (const auto* list = std::get_if<JsonList>(&value)) {
    for (const JsonValue& one : *list) parts += (parts.empty() ? "" : ",") + Write(one);
    return '[' + parts + ']';
  }
  if (const auto* object = std::get_if<JsonObject>(&value)) {
    for (const JsonMember& one : *object) {
      parts += (parts.empty() ? "" : ",") + Quoted(one.name) + ':' + Write(one.value);
    }
    return '{' + parts + '}';
  }
  return "null";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    const std::string text =
        Write(crossfold::ReadJson(std::string_view(reinterpret_cast<const char*>(bytes), size)));
    crossfold::fuzz::Demand(Write(crossfold::ReadJson(text)) == text, "what is written reads back");
  } catch (const crossfold::Error& error) {
    crossfold::fuzz::DemandMessage(error);
  }
  return 0;
}
