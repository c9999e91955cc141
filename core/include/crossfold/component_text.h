// A component as text for people: what it is, its parameters, what it declares.
#pragma once

#include <string>

#include "crossfold/component.h"

namespace crossfold {

// Several lines with two tables, as `crossfold plugin describe` prints them.
std::string ToText(const Component& component);

}  // namespace crossfold
