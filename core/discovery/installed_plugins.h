// The plugins that `crossfold plugin install` has put into the user's data folder, one version of
// each. The file installed.json names them; so a version is switched by replacing one small file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/component.h"

namespace crossfold {

struct InstalledVersion {
  std::string version;
  std::string platform;  // "linux-x86_64", "any"
  std::string sha256;    // of the plugin, as a lock has it
  std::string registry;  // id of the one that it is from
  // Where it is, from InstalledPlugins::folder: "plugins/org.example.ridge/1.0.0-7c1f".
  std::string folder;
  std::string file;                           // name of the plugin in that folder
  std::vector<LockedLibrary> libraries = {};  // that it brings along

  bool operator==(const InstalledVersion&) const = default;
};

struct InstalledPlugin {
  std::string id;
  bool is_pinned = false;  // `update` leaves it, unless it is named
  // The version in use is the last one; those before it were in use before, oldest first.
  std::vector<InstalledVersion> versions;

  const InstalledVersion& current() const { return versions.back(); }
  bool operator==(const InstalledPlugin&) const = default;
};

struct InstalledPlugins {
  std::filesystem::path folder;          // that of installed.json
  std::vector<InstalledPlugin> plugins;  // sorted by id

  // Null if it is not installed.
  InstalledPlugin* Find(std::string_view id);
};

constexpr const char* kInstalledName = "installed.json";

// "$XDG_STATE_HOME/crossfold" for the variable XDG_STATE_HOME, or the same in `below_home` of the
// home folder, as in
// ".local/state"; empty if neither variable is an absolute path. Privileged processes ignore both.
std::filesystem::path UserFolder(const char* variable, const char* below_home);
// $XDG_DATA_HOME/crossfold, or ~/.local/share/crossfold; may be empty.
std::filesystem::path UserDataFolder();
// The folder in which plugins are installed, whether it exists or not; may be empty.
std::filesystem::path InstalledFolder();

// Reads installed.json in `folder`; none is an empty list. Throws Error(kBadData) or Error(kIo)
// "cannot read installed plugins '...': ...".
InstalledPlugins ReadInstalledPlugins(const std::filesystem::path& folder);
// JSON that ReadInstalledPlugins reads back.
std::string ToText(const InstalledPlugins& installed);

}  // namespace crossfold
