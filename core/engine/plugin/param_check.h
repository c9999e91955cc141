// Checks of values against the declaration of a parameter.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/component.h"
#include "crossfold/value.h"

namespace crossfold {

// Returns the parameter of that name; null = the component has none.
const ParamSpec* ParamNamed(const Component& component, std::string_view name);

// A value converted to the declared type (3.0 becomes 3 for an integer), or what is wrong with it,
// as one sentence: "k = 0 is out of range; it must be an integer in [1, 1000000]".
struct CheckedValue {
  Value value;
  std::string problem;  // empty = the value is good
};
CheckedValue CheckValue(const ParamSpec& param, const Value& value);

// Returns the value of a choice. "true" and "false" become booleans, so that a switch can have a
// third state.
Value ChoiceValue(const std::string& choice);

// Whether it is a number of that type, or a list of such numbers.
bool IsInteger(const ParamSpec& p);
bool IsReal(const ParamSpec& p);

// Returns " in (0, 1]" or " >= 1", and "" if there are no bounds.
std::string RangeText(const ParamSpec& param);

// The parts of a condition such as "kernel=rbf,poly".
struct Condition {
  std::string param;
  std::vector<std::string> values;
};
// Returns nothing if the text has another form.
std::optional<Condition> ParseCondition(std::string_view text);

}  // namespace crossfold
