// A parameter value as a script gives it, before the plugin's declaration gives it a type.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace crossfold {

struct Null {
  friend bool operator==(const Null&, const Null&) { return true; }
};

// What a script writes as nested tables, as JSON: an object, or a list of more than numbers alone
// or strings alone. Only parameters that are JSON objects, and their entries, take it. A Spec has
// it as a string.
struct Nested {
  std::string json;
  bool operator==(const Nested&) const = default;
};

using Value = std::variant<Null, bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                           std::vector<double>, std::vector<std::string>, Nested>;

// The values are sorted by name, so that nothing depends on the order in which a script wrote them.
using ParamValues = std::map<std::string, Value, std::less<>>;

// Returns "5", "0.5", "true", "euclidean", "{1, 2}", "{a, b}" or "none". Numbers read back as the
// same; the locale is ignored.
std::string ToText(const Value& value);

}  // namespace crossfold
