// The optional tables of a component, which are requested and checked once, when its plugin is
// loaded.
#pragma once

#include <string>
#include <vector>

#include "crossfold/component.h"

namespace crossfold {

struct KnownCapability {
  const char* id;     // CF_CAP_...
  const char* words;  // what a component with it does: "saves and loads fitted models"
};

// Returns all capabilities that this host knows.
std::vector<KnownCapability> KnownCapabilities();

struct CapabilityReading {
  std::vector<OfferedCapability> offered;
  bool needs_newer = false;
  std::string problem;  // "capability crossfold.proba/1: its 'predict_proba' is null"; "" = nothing
};

using GetCapability = const void*(CF_CALL*)(const cf_info* self, const char* id);

// Asks the component of `self` for its tables. `get` may be null. Every table of the result has all
// fields of version 1.0 and all functions that are not optional.
CapabilityReading ReadCapabilities(Kind kind, const cf_info& self, GetCapability get);

}  // namespace crossfold
