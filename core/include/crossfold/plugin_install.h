// Installing plugins from registries into the user's data folder. Versions stay side by side, and a
// small file names the one in use, so whatever interrupts a function, every plugin is in use as it
// was before or as it is after (docs/installing_plugins.md).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "crossfold/known_registries.h"
#include "crossfold/registry_index.h"

namespace crossfold {

// What was done for one plugin.
struct PluginChange {
  std::string id;
  std::string before, after;   // versions; "" = none
  RegistryPlugin plugin;       // as the registry describes it; of remove and rollback: empty
  std::string registry;        // its id
  std::filesystem::path path;  // of the plugin in use
};

struct InstallOptions {
  std::string from;              // a folder, a URL or the id of a known registry; "" = all known
  std::optional<PublicKey> key;  // of a registry that is seen for the first time
  // Also an index that nobody trusted has signed, of the registry that `from` names.
  bool allow_unsigned = false;
  bool allow_ended = false;    // also an index whose last day is over
  std::filesystem::path lock;  // crossfold.lock to change; empty = none
  // Called for a known registry that cannot be read while others can; may be empty.
  std::function<void(const std::string& message)> warn;
  // Called for each plugin that UpdatePlugins has changed; may be empty.
  std::function<void(const PluginChange&)> on_changed;
};

// A plugin that is installed, and the newest version for this machine.
struct PluginUpdate {
  std::string id, registry, installed, available;  // "" = the registry has none for this machine
  bool is_pinned = false;
  bool is_outdated = false;
};

// What is known of a plugin.
struct PluginInfo {
  std::string registry;                // its id; "" = it is in no known registry
  std::vector<RegistryPlugin> builds;  // all versions and platforms, newest first
  std::string installed;               // the version in use; "" = none
  bool is_pinned = false;
  std::filesystem::path path;             // of the plugin in use
  std::vector<std::string> old_versions;  // that are kept for a rollback, oldest first
};

// Every function throws Error "cannot <attempt> ...: <finding>; <way out>". Nothing of a plugin
// runs.

// Installs a version, or with an empty `version` the newest one for this machine. A named version
// is pinned. The index is verified, then the SHA-256 of the package, then those of its files.
PluginChange InstallPlugin(const std::string& id, const std::string& version,
                           const InstallOptions& options);
// Installs the newest versions of these plugins, or of all that are installed and not pinned.
// Returns those that changed.
std::vector<PluginChange> UpdatePlugins(const std::vector<std::string>& ids,
                                        const InstallOptions& options);
// Uses the version before the one in use, and pins it.
PluginChange RollBackPlugin(const std::string& id, const InstallOptions& options);
// Removes all versions. A call that follows an interrupted one removes what that has left; then
// `before` is empty.
PluginChange RemovePlugin(const std::string& id, const InstallOptions& options);

// Of all installed plugins, sorted by id.
std::vector<PluginUpdate> FindUpdates(const InstallOptions& options);
PluginInfo FindPluginInfo(const std::string& id, const InstallOptions& options);

// Reads and verifies the index of a registry, and remembers it. Returns what is remembered.
KnownRegistry AcceptRegistry(const InstallOptions& options);

}  // namespace crossfold
