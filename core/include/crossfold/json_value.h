// A JSON document (RFC 8259) as a value, for texts that may come from anybody.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "crossfold/value.h"

namespace crossfold {

struct JsonValue;
struct JsonMember;
using JsonList = std::vector<JsonValue>;
using JsonObject = std::vector<JsonMember>;  // in the order of the text

struct JsonValue {
  // A number without point and exponent that fits is an integer.
  std::variant<Null, bool, std::int64_t, double, std::string, JsonList, JsonObject> value;
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

// Throws Error(kBadData) "cannot read JSON: ..." for what is none, is nested more than 64 deep, has
// more than 10 million values, or a number that no double holds.
JsonValue ReadJson(std::string_view text);

}  // namespace crossfold
