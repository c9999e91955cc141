// Makes a plugin of a folder, with the bundled plugin `exec`, which runs its program.
#pragma once

#include <filesystem>
#include <optional>

#include "crossfold/plugin_lock.h"
#include "discovery/manifest_file.h"
#include "discovery/plugin_loader.h"

namespace crossfold {

// Does as LoadPlugin. `exec` is found in the installation's folder, whatever a host searches or
// locks: it is a part of this program like crossfold-worker. A folder is opened once in the life of
// the process, and once under a lock: then a private copy of its files is hashed and runs, which is
// removed when the process ends. The folder is the copy itself if it is a scratch folder of another
// process of this user (LoadedPlugin::copy). Thread-safe. REQUIRES: `path` is absolute and
// IsPluginFolder.
LoadResult LoadFolder(const std::filesystem::path& path, const Manifest& manifest,
                      const std::optional<LockedPlugin>& wanted);

}  // namespace crossfold
