// The plugins that this folder builds, and searches of given places only.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/plugin_host.h"
#include "temporary_folder.h"

namespace crossfold::test {

inline const std::filesystem::path kScanned = CROSSFOLD_SCANNED_PLUGINS;
inline const std::filesystem::path kUnlisted =
    kScanned / "unlisted_plugin/unlisted_plugin.crossfold.so";

inline std::string FixtureBytes() { return ReadBytes(CROSSFOLD_FIXTURE_PLUGIN); }

inline PluginHostOptions Only(std::vector<std::filesystem::path> paths) {
  PluginHostOptions options;
  options.paths = std::move(paths);
  options.use_environment = options.use_user_folder = options.use_installation = false;
  return options;
}

}  // namespace crossfold::test
