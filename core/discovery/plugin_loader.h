// Loads one plugin: a shared library, which is entered, or a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/component.h"
#include "crossfold/plugin_lock.h"
#include "discovery/manifest_file.h"

namespace crossfold {

struct LoadResult {
  std::shared_ptr<const LoadedPlugin> plugin;  // null = it is not loaded
  std::vector<std::shared_ptr<const Component>> components;
  std::vector<RefusedComponent> refused;
  Manifest manifest;    // what they offer
  std::string problem;  // "declines: needs a newer host"; empty = loaded
  // What the plugin logged and did wrong while it was loaded, with CF_LOG_... and one line each.
  std::vector<std::pair<std::int32_t, std::string>> log;
};

// Loads the file, which is never unloaded, and offers its components except those that this host
// cannot use. The same file (device and inode) is entered once in the life of the process, so that
// a library that takes one call at a time has one lock. With `wanted`, the file and the libraries
// next to it must have the SHA-256 of `wanted`, and all of them are loaded from the sealed copies
// that were hashed. Thread-safe. REQUIRES: `path` is absolute.
LoadResult LoadPlugin(const std::filesystem::path& path, const Manifest& manifest,
                      const std::optional<LockedPlugin>& wanted = {});

// Does the same for a file without a manifest, of which nothing is known before it is entered.
LoadResult LoadUnlisted(const std::filesystem::path& path,
                        const std::optional<LockedPlugin>& wanted = {});

}  // namespace crossfold
