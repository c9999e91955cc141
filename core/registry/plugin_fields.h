// Reading and writing what an index and a package say about one plugin, and what `plugin check`
// found of it.
#pragma once

#include <string>
#include <string_view>

#include "crossfold/json_value.h"
#include "crossfold/registry_index.h"
#include "registry/json_fields.h"

namespace crossfold {

// Whether the text can be a part of a file's name: letters, digits, '.', '_', '+' and '-', and
// nothing that leads to another folder.
bool IsFileWord(std::string_view text);
// Reads the id of a registry, a plugin or a component. Throws Defect.
std::string IdIn(const JsonFields& fields);

// Throws Defect.
CheckRecord ReadCheckRecord(const JsonFields& fields);
JsonObject ToJson(const CheckRecord& record);

// What a package says: everything but where the package is. Throws Defect.
RegistryPlugin ReadPlugin(const JsonFields& fields);
JsonObject ToJson(const RegistryPlugin& plugin);

// What an index says. Throws Defect.
RegistryPlugin ReadListedPlugin(const JsonFields& fields);
JsonObject ListedJson(const RegistryPlugin& plugin);

}  // namespace crossfold
