// Parameters that are JSON objects (CF_PF_OBJECT), and their entries, which have dotted names.
#pragma once

#include <string_view>

#include "crossfold/component.h"
#include "crossfold/value.h"
#include "engine/plugin/param_check.h"

namespace crossfold {

// Returns the parameter that has the entry "settings.max_depth", that is the object "settings";
// null = the name has no dot, or there is no such object.
const ParamSpec* ObjectOfEntry(const Component& component, std::string_view name);

// Returns the object as JSON, in the form of CanonicalJsonText. It may be given as a string or as
// Nested; an empty list of integers is {}, because scripts write both in the same way. REQUIRES:
// IsObject(param).
CheckedValue CheckObject(const ParamSpec& param, const Value& value);

// Returns `object` with one entry changed or added. `name` is "settings.max_depth", or
// "settings.tree.max_depth" for an entry of an entry; objects on the way are added if they do not
// exist. An entry whose own name has dots is found under it; none with such a name is added.
// REQUIRES: `object` is null or what CheckObject returned, and ObjectOfEntry returns `param`.
CheckedValue WithEntry(const ParamSpec& param, const Value& object, std::string_view name,
                       const Value& entry);

}  // namespace crossfold
