// JSON documents (RFC 8259) as values, with functions that write them and that read them from
// untrusted sources.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "crossfold/value.h"

namespace crossfold {

struct JsonValue;
struct JsonMember;
using JsonList = std::vector<JsonValue>;
using JsonObject = std::vector<JsonMember>;  // in the order of the text

struct JsonValue {
  // A number without point and exponent is an integer if it fits; a signed one if possible.
  std::variant<Null, bool, std::int64_t, std::uint64_t, double, std::string, JsonList, JsonObject>
      value;

  // The constructors are implicit, so that code that makes a document looks like it:
  //   JsonObject{{"rows", 150}, {"classes", names}, {"mean", optional_number}}
  JsonValue();
  JsonValue(Null);
  JsonValue(std::integral auto number);
  JsonValue(double number);
  JsonValue(std::string text);
  JsonValue(std::string_view text);
  JsonValue(const char* text);
  JsonValue(JsonList list);
  JsonValue(JsonObject object);
  template <class T>
  JsonValue(const std::vector<T>& list);
  template <class T>
  JsonValue(const std::optional<T>& content) {
    if (content) *this = JsonValue(*content);
  }

  // Returns the content if it is a T, or null.
  template <class T>
  const T* As() const {
    return std::get_if<T>(&value);
  }
  // Returns the member of that name, the last one if there are several; null = there is none, or
  // this is not an object.
  const JsonValue* Find(std::string_view name) const;
  // Returns the content of that member if it is a T, or null.
  template <class T>
  const T* FindAs(std::string_view name) const {
    const JsonValue* member = Find(name);
    return member == nullptr ? nullptr : member->As<T>();
  }
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

// It is defined here, where JsonObject is complete.
inline JsonValue::JsonValue() = default;
inline JsonValue::JsonValue(Null) {}
inline JsonValue::JsonValue(double number) : value(number) {}
template <class T>
JsonValue::JsonValue(const std::vector<T>& list) : value(JsonList(list.begin(), list.end())) {}
JsonValue::JsonValue(std::integral auto number) {
  if constexpr (std::same_as<decltype(number), bool>) {
    value = number;
  } else if (std::in_range<std::int64_t>(number)) {
    value = static_cast<std::int64_t>(number);
  } else {
    value = static_cast<std::uint64_t>(number);
  }
}

// Parses JSON. Returns nothing if the text is not JSON, is nested more than 64 levels deep, or has
// more than 10 million values or a number that is too large for a double. `problem` then gets the
// reason: "is not JSON at byte 5".
std::optional<JsonValue> ParseJson(std::string_view text, std::string* problem = nullptr);
// Does the same; throws Error(kBadData) "cannot read JSON: it is not JSON at byte 5".
JsonValue ReadJson(std::string_view text);

// Writes JSON, with each level indented by `indent` more blanks; -1 = all on one line. A double
// that is not finite becomes null; bytes that are not UTF-8 become U+FFFD. Of members with the same
// name, the last value is written in the place of the first.
std::string JsonText(JsonValue json, int indent = -1);
// Returns a value of a parameter as JSON; null for a Nested that is not JSON.
JsonValue JsonOf(const Value& value);
// Writes JSON on one line, with the members of each object sorted by the bytes of their names, so
// that equal values have equal texts. Of members with the same name, the last one is written. A
// whole double has a decimal point or an exponent, an integer has none.
std::string CanonicalJsonText(JsonValue json);

}  // namespace crossfold
