// Descriptions of components as text for people: what they are, their parameters and what they
// declare.
#pragma once

#include <string>

#include "crossfold/component.h"

namespace crossfold {

// Returns several lines with two tables, as `crossfold plugin describe` prints them.
std::string ToText(const Component& component);

}  // namespace crossfold
