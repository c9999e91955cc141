// The machine on which this process runs, as registries name it, and what of an index is for it.
#pragma once

#include <string>

#include "crossfold/registry_index.h"

namespace crossfold {

// Its glibc is the version that is there.
Platform HostPlatform();

// Whether a plugin for `needed` runs on `host`.
bool RunsOn(const Platform& needed, const Platform& host);

// The newest build of a plugin for this machine, or with `version` that version; null = there is
// none. Candidates of a release, such as 2.0.0-rc1, count only by their version, or where there is
// no release.
const RegistryPlugin* FindNewest(const RegistryIndex& index, const std::string& id,
                                 const std::string& version);

}  // namespace crossfold
