// Values against the declaration of a parameter.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/component.h"
#include "crossfold/value.h"

namespace crossfold {

// Null = the component has no parameter of that name.
const ParamSpec* ParamNamed(const Component& component, std::string_view name);

// A value brought to the declared type (3.0 becomes 3 for an integer), or what is wrong with it as
// one sentence: "k = 0 is out of range; it must be an integer in [1, 1000000]".
struct CheckedValue {
  Value value;
  std::string problem;  // empty = the value is good
};
CheckedValue CheckValue(const ParamSpec& param, const Value& value);

// The value that a choice stands for: "true" and "false" are the booleans, so that a switch can
// have a third state.
Value ChoiceValue(const std::string& choice);

// Of numbers, or of lists of such.
bool IsInteger(const ParamSpec& p);
bool IsReal(const ParamSpec& p);

// " in (0, 1]", " >= 1", "" if there are no bounds.
std::string RangeText(const ParamSpec& param);

// "kernel=rbf,poly" taken apart.
struct Condition {
  std::string param;
  std::vector<std::string> values;
};
// Empty if the text has another form.
std::optional<Condition> ParseCondition(std::string_view text);

}  // namespace crossfold
