// Random values of declared parameters: small enough that every fit stays short.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "crossfold/component.h"
#include "crossfold/value.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold::check {

// Low bounds of whole numbers, high bounds and numbers between; whole numbers at most 12 above the
// least value that is allowed, so that rounds, trees and epochs stay few. Nothing for types of
// which a random value says little: texts and lists.
std::optional<Value> DrawValue(const ParamSpec& param, plugin::Random& random);

// Values for about half of the parameters, without those that the others make inactive. They are
// legal but for open bounds of real numbers.
ParamValues DrawSettings(const Component& component, plugin::Random& random);

// The ends of what the declaration allows, and every choice: the bounds of numbers (of open ones
// the next number inside; of whole numbers the upper one if it is at most 1000 above the lower),
// both truth values, "none". Nothing for texts and lists.
std::vector<Value> EndsOf(const ParamSpec& param);

// `value` for one parameter, and for others what makes that one active; nothing if there is no such
// setting.
std::optional<ParamValues> SettingWith(const Component& component, const ParamSpec& param,
                                       const Value& value);

}  // namespace crossfold::check
