// The registries that a request reads, with verified indexes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "crossfold/plugin_install.h"
#include "registry/registry_place.h"

namespace crossfold {

struct OpenRegistry {
  RegistryPlace place;
  RegistryIndex index;
  std::optional<KnownRegistry> known;  // nullopt = nothing is remembered
};

// Throws Error(kInvalidArgument) "<attempt>: <finding>".
[[noreturn]] void RefuseRequest(const std::string& attempt, const std::string& finding);

// Opens the registry at a place and remembers what was seen. `id` = that of the registry that must
// be there; "" = any. `moves`: it is there from now on. Throws Error "cannot use registry
// '<location>': ..." if it is not to be believed, and Error(kIo).
OpenRegistry OpenAt(const std::string& location, const std::string& id, bool moves,
                    const InstallOptions& options);
// Opens the registries that the options name, or all known ones. Of several, those that cannot be
// read are left out with a warning. Throws Error if there is none.
std::vector<OpenRegistry> OpenRegistries(const InstallOptions& options, const std::string& attempt);

}  // namespace crossfold
