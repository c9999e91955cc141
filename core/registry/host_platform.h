// The machine on which this process runs, as registries name it.
#pragma once

#include "crossfold/registry_index.h"

namespace crossfold {

// Its glibc is the version that is there.
Platform HostPlatform();

// Whether a plugin for `needed` runs on `host`.
bool RunsOn(const Platform& needed, const Platform& host);

}  // namespace crossfold
