// Reading and writing what an index and a package say about one plugin.
#pragma once

#include <string>

#include "crossfold/json_value.h"
#include "crossfold/registry_index.h"
#include "registry/json_fields.h"

namespace crossfold {

// Reads the id of a registry, a plugin or a component. Throws Defect.
std::string IdIn(const JsonFields& fields);

// What a package says: everything but where the package is. Throws Defect.
RegistryPlugin ReadPlugin(const JsonFields& fields);
JsonObject ToJson(const RegistryPlugin& plugin);

// What an index says. Throws Defect.
RegistryPlugin ReadListedPlugin(const JsonFields& fields);
JsonObject ListedJson(const RegistryPlugin& plugin);

}  // namespace crossfold
