// The optional tables of a component, asked for and checked once, when its plugin is loaded.
#pragma once

#include <string>
#include <vector>

#include "crossfold/component.h"

namespace crossfold {

struct CapabilityReading {
  std::vector<OfferedCapability> offered;
  std::string problem;  // "capability crossfold.proba/1: its 'predict_proba' is null"; "" = nothing
};

// `get` may be null. Every table of the reading has all fields of version 1.0 and all functions
// that are not optional.
CapabilityReading ReadCapabilities(Kind kind, const void*(CF_CALL* get)(const char*));

}  // namespace crossfold
