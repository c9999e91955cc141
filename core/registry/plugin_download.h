// A build of a plugin on its way from a registry into its folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "crossfold/plugin_host.h"
#include "discovery/installed_plugins.h"
#include "files/scratch_folder.h"
#include "registry/open_registries.h"

namespace crossfold {

// What the search finds at the place of an installed version; nullopt = not what was installed.
std::optional<PluginEntry> EntryOf(const InstalledVersion& version,
                                   const std::filesystem::path& installed);

// Call Fetch(), then Place() in your turn. Nothing of the plugin runs. Both throw Error
// "<attempt>: ..." and std::system_error.
class PluginDownload {
 public:
  // Makes a scratch folder in `installed`. REQUIRES: the arguments outlive the object.
  PluginDownload(const OpenRegistry& registry, const RegistryPlugin& plugin,
                 const std::filesystem::path& installed, const std::string& attempt);

  const InstalledVersion& version() const { return version_; }

  // Reads, checks and unpacks the package into the scratch folder, unless the version is in its
  // folder already. Other processes do not wait for that.
  void Fetch();
  // Puts the version into its folder, and removes the scratch folder. REQUIRES: it is called once,
  // and no other process changes what is installed.
  void Place();

 private:
  bool IsPlaced() const;
  void Unpack();

  const OpenRegistry& registry_;
  const RegistryPlugin& plugin_;
  const std::filesystem::path& installed_;
  const std::string& attempt_;
  const InstalledVersion version_;
  std::optional<ScratchFolder> scratch_;  // until Place()
  const std::filesystem::path unpacked_;
};

}  // namespace crossfold
