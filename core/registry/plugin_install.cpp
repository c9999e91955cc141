#include "crossfold/plugin_install.h"

#include <algorithm>
#include <functional>
#include <system_error>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/nearest_name.h"
#include "crossfold/plugin_host.h"
#include "crossfold/plugin_lock_file.h"
#include "crossfold/plugin_package.h"
#include "discovery/installed_plugins.h"
#include "engine/data/sha256.h"
#include "files/file_bytes.h"
#include "files/scratch_folder.h"
#include "files/successor_file.h"
#include "registry/host_platform.h"
#include "registry/registry_place.h"
#include "registry/verified_index.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHashInFolder = 12;  // digits

[[noreturn]] void Refuse(const std::string& attempt, const std::string& finding) {
  throw Error(ErrorKind::kInvalidArgument, attempt + ": " + finding);
}

std::string Suggestion(const std::string& id, const std::vector<std::string>& ids) {
  const std::string near = NearestName(id, ids);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

// A registry whose index was verified.
struct OpenRegistry {
  RegistryPlace place;
  RegistryIndex index;
};

void Remember(const fs::path& file, const KnownRegistry& fresh) {
  ChangeKnownRegistries(file, [&](std::vector<KnownRegistry>& list) {
    const auto old = std::find_if(list.begin(), list.end(),
                                  [&](const KnownRegistry& entry) { return entry.id == fresh.id; });
    if (old == list.end()) {
      list.push_back(fresh);
    } else if (fresh.serial >= old->serial) {  // another process may have seen a later one
      *old = fresh;
    }
  });
}

bool IsSame(const KnownRegistry& a, const KnownRegistry& b) {
  return a.serial == b.serial && a.index_sha256 == b.index_sha256 && a.location == b.location &&
         a.keys == b.keys;
}

OpenRegistry OpenAt(const std::string& location, const InstallOptions& options) {
  const fs::path file = KnownRegistriesFile();
  const std::vector<KnownRegistry> registries = ReadKnownRegistries(file);
  RegistryPlace place(location);
  VerifiedIndex verified =
      ReadVerifiedIndex(place, registries, {options.key, options.allow_unsigned});
  const bool is_known = std::any_of(registries.begin(), registries.end(), [&](const auto& entry) {
    return entry.id == verified.known.id && IsSame(entry, verified.known);
  });
  // What the user accepts only this once is not remembered.
  if (!is_known && !(options.allow_unsigned && !verified.index.keys.empty())) {
    Remember(file, verified.known);
  }
  return {std::move(place), std::move(verified.index)};
}

// The registries that the options name, or all known ones.
std::vector<OpenRegistry> OpenRegistries(const InstallOptions& options,
                                         const std::string& attempt) {
  std::vector<OpenRegistry> open;
  const std::vector<KnownRegistry> known = ReadKnownRegistries(KnownRegistriesFile());
  for (const KnownRegistry& registry : known) {
    if (!options.from.empty() && registry.id != options.from) continue;
    open.push_back(OpenAt(registry.location, options));
  }
  if (!options.from.empty() && open.empty()) open.push_back(OpenAt(options.from, options));
  if (open.empty()) {
    Refuse(attempt, "no registry is known; name one: --from FOLDER or --from URL");
  }
  return open;
}

std::string NameOfPlatform(const Platform& platform) {
  return platform.Name() + (platform.glibc.empty() ? "" : ", glibc " + platform.glibc);
}

// Why no build of the plugin can be installed.
[[noreturn]] void RefuseChoice(const std::string& attempt, const std::string& id,
                               const std::string& version,
                               const std::vector<OpenRegistry>& registries) {
  std::vector<std::string> ids, versions, platforms;
  for (const OpenRegistry& registry : registries) {
    for (const RegistryPlugin& plugin : registry.index.plugins) {
      ids.push_back(plugin.id);
      if (plugin.id != id) continue;
      versions.push_back(plugin.version);
      if (version.empty() || plugin.version == version) {
        platforms.push_back(NameOfPlatform(plugin.platform) + ", plugin ABI " +
                            std::to_string(plugin.abi_major));
      }
    }
  }
  const auto joined = [](const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : "; ") + name;
    return text;
  };
  if (versions.empty()) {
    Refuse(attempt, "no registry that was searched has it" + Suggestion(id, ids));
  }
  if (platforms.empty())
    Refuse(attempt, "there is no such version; there are: " + joined(versions));
  Refuse(attempt, "it is not for this machine (" + NameOfPlatform(HostPlatform()) +
                      "); there are builds for: " + joined(platforms));
}

// Changes installed.json while no other process does.
class InstalledChange {
 public:
  InstalledChange()
      : folder_(MadeFolder()),
        successor_(folder_ / kInstalledName,
                   "cannot write installed plugins '" + (folder_ / kInstalledName).string() + "'"),
        installed_(ReadInstalledPlugins(folder_)) {}

  InstalledPlugins& plugins() { return installed_; }
  void Commit() { successor_.Become(ToText(installed_)); }

 private:
  static fs::path MadeFolder() {
    const fs::path folder = InstalledFolder();
    if (folder.empty()) KnownRegistriesFile();  // throws: there is no such folder
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (!failure) return folder;
    throw Error(ErrorKind::kIo,
                "cannot make folder '" + folder.string() + "': " + failure.message());
  }

  fs::path folder_;
  SuccessorFile successor_;
  InstalledPlugins installed_;
};

bool HasSameBytes(const RegistryPlugin& described, const RegistryPlugin& unpacked) {
  return described.id == unpacked.id && described.version == unpacked.version &&
         described.file == unpacked.file && described.sha256 == unpacked.sha256 &&
         described.libraries == unpacked.libraries && described.ids == unpacked.ids;
}

// Returns the bytes of the package after it has compared their hash.
std::string FetchPackage(const OpenRegistry& registry, const RegistryPlugin& plugin,
                         const std::string& attempt) {
  const std::string name = registry.place.location() + "/" + plugin.package;
  const std::optional<std::string> bytes =
      registry.place.Read(plugin.package, plugin.package_bytes);
  if (!bytes) Refuse(attempt, "its package '" + name + "' is missing; ask the registry's owner");
  const std::string sha256 = ToHex(Sha256Of(*bytes));
  if (bytes->size() == plugin.package_bytes && sha256 == plugin.package_sha256) return *bytes;
  throw Error(ErrorKind::kBadData,
              attempt + ": the SHA-256 of '" + name + "' is " + sha256 + ", the index has " +
                  plugin.package_sha256 +
                  ": the package was changed; nothing was installed; ask the registry's owner");
}

// Puts a version into its folder and returns where that is. A folder that is there already is
// whole: it got its name when it was.
InstalledVersion Unpack(const OpenRegistry& registry, const RegistryPlugin& plugin,
                        const fs::path& installed, const std::string& attempt) {
  const std::string name = plugin.version + "-" + plugin.package_sha256.substr(0, kHashInFolder);
  InstalledVersion version{plugin.version, plugin.platform.Name(), plugin.sha256,
                           plugin.id + "/" + name, plugin.file};
  const fs::path folder = installed / version.folder;
  try {
    // One name for all plugins, so that the next one removes what a killed process left.
    const ScratchFolder scratch = ScratchFolder::NextTo(installed / "download");
    if (fs::exists(folder)) return version;
    const fs::path package = scratch.File("package.zip"), unpacked = scratch.File("unpacked");
    const std::string bytes = FetchPackage(registry, plugin, attempt);
    fs::create_directories(folder.parent_path());
    WriteFileBytes(package, bytes, attempt);
    fs::create_directory(unpacked);
    if (!HasSameBytes(plugin, UnpackPackage(package, unpacked))) {
      Refuse(attempt, "its package is not what the index describes; ask the registry's owner");
    }
    fs::rename(unpacked, folder);
  } catch (const std::system_error& e) {
    throw Error(ErrorKind::kIo, attempt + ": " + e.what());
  }
  return version;
}

// What a lock says about an installed version. Throws unless its files are those that were
// installed.
LockedPlugin LockedOf(const InstalledVersion& version, const fs::path& installed,
                      const std::string& attempt) {
  PluginHostOptions host_options;
  host_options.paths = {installed / version.folder / version.file};
  host_options.use_environment = host_options.use_user_folder = false;
  host_options.use_installation = false;
  host_options.hash_files = true;
  const std::vector<PluginEntry> entries = PluginHost(std::move(host_options)).entries();
  if (!entries.empty() && entries.front().sha256 == version.sha256) {
    return ToLocked(entries.front());
  }
  Refuse(attempt, "the files of version " + version.version + " in '" +
                      (installed / version.folder).string() +
                      "' were changed; remove the plugin and install it again");
}

// Makes the lock accept the new version together with the old ones, so that a locked run works
// before and after the switch.
void AcceptInLock(const fs::path& lock, const LockedPlugin& plugin) {
  ChangePluginLock(lock, [&](PluginLock& changed) {
    const auto same = [&](const LockedPlugin& entry) { return entry == plugin; };
    if (std::none_of(changed.plugins.begin(), changed.plugins.end(), same)) {
      changed.plugins.push_back(plugin);
    }
  });
}

void KeepOnlyInLock(const fs::path& lock, const LockedPlugin& plugin) {
  ChangePluginLock(lock, [&](PluginLock& changed) { Trust(changed, plugin); });
}

// Switches to a version: the lock accepts it, then it is used, then the lock accepts no other.
void Switch(InstalledChange& change, const LockedPlugin& locked, const fs::path& lock) {
  if (!lock.empty()) AcceptInLock(lock, locked);
  change.Commit();
  if (!lock.empty()) KeepOnlyInLock(lock, locked);
}

PluginChange InstallBuild(const OpenRegistry& registry, const RegistryPlugin& build, bool pin,
                          const InstallOptions& options, const std::string& attempt) {
  InstalledChange change;
  InstalledPlugins& all = change.plugins();
  const InstalledVersion version = Unpack(registry, build, all.folder, attempt);
  PluginChange done{build.id,          "",
                    build.version,     build,
                    registry.index.id, all.folder / version.folder / version.file};
  if (all.Find(build.id) == nullptr) all.plugins.push_back({build.id, "", false, {}});
  InstalledPlugin& plugin = *all.Find(build.id);
  if (!plugin.versions.empty()) done.before = plugin.current().version;
  plugin.registry = registry.index.id;
  plugin.is_pinned = pin;
  std::erase(plugin.versions, version);
  plugin.versions.push_back(version);
  Switch(change, LockedOf(version, all.folder, attempt), options.lock);
  return done;
}

using Choice = std::pair<const OpenRegistry*, const RegistryPlugin*>;

// The registry and the build to install; null = there is none. Updates come only `from` the
// registry of the installed version: another may use the id for something else. "" = any.
Choice Choose(const std::vector<OpenRegistry>& registries, const std::string& id,
              const std::string& version, const std::string& from = "") {
  for (const OpenRegistry& registry : registries) {
    if (!from.empty() && registry.index.id != from) continue;
    const RegistryPlugin* build = FindNewest(registry.index, id, version);
    if (build != nullptr) return {&registry, build};
  }
  return {nullptr, nullptr};
}

std::string NotInstalled(const std::string& id, const InstalledPlugins& installed) {
  std::vector<std::string> ids;
  for (const InstalledPlugin& plugin : installed.plugins) ids.push_back(plugin.id);
  return "it is not installed" + Suggestion(id, ids);
}

}  // namespace

PluginChange InstallPlugin(const std::string& id, const std::string& version,
                           const InstallOptions& options) {
  const std::string attempt =
      "cannot install plugin '" + id + (version.empty() ? "" : "@" + version) + "'";
  const std::vector<OpenRegistry> registries = OpenRegistries(options, attempt);
  const auto [registry, build] = Choose(registries, id, version);
  if (build == nullptr) RefuseChoice(attempt, id, version, registries);
  return InstallBuild(*registry, *build, !version.empty(), options, attempt);
}

std::vector<PluginChange> UpdatePlugins(const std::vector<std::string>& ids,
                                        const InstallOptions& options) {
  InstalledPlugins installed = ReadInstalledPlugins(InstalledFolder());
  std::vector<std::string> wanted = ids;
  for (const std::string& id : ids) {
    if (installed.Find(id) != nullptr) continue;
    Refuse("cannot update plugin '" + id + "'", NotInstalled(id, installed));
  }
  for (const InstalledPlugin& plugin : installed.plugins) {
    if (ids.empty() && !plugin.is_pinned) wanted.push_back(plugin.id);
  }
  std::vector<PluginChange> changes;
  if (wanted.empty()) return changes;
  const std::vector<OpenRegistry> registries = OpenRegistries(options, "cannot update plugins");
  for (const std::string& id : wanted) {
    const InstalledPlugin& plugin = *installed.Find(id);
    const auto [registry, build] = Choose(registries, id, "", plugin.registry);
    if (build == nullptr || !IsOlderVersion(plugin.current().version, build->version)) continue;
    changes.push_back(
        InstallBuild(*registry, *build, false, options, "cannot update plugin '" + id + "'"));
  }
  return changes;
}

PluginChange RollBackPlugin(const std::string& id, const InstallOptions& options) {
  const std::string attempt = "cannot roll back plugin '" + id + "'";
  InstalledChange change;
  InstalledPlugins& all = change.plugins();
  InstalledPlugin* plugin = all.Find(id);
  if (plugin == nullptr) Refuse(attempt, NotInstalled(id, all));
  if (plugin->versions.size() < 2) {
    Refuse(attempt, "version " + plugin->current().version + " is the only one that was installed");
  }
  PluginChange done{id, plugin->current().version, "", {}, plugin->registry, {}};
  plugin->versions.pop_back();
  plugin->is_pinned = true;
  const InstalledVersion& now = plugin->current();
  done.after = now.version;
  done.path = all.folder / now.folder / now.file;
  Switch(change, LockedOf(now, all.folder, attempt), options.lock);
  return done;
}

PluginChange RemovePlugin(const std::string& id, const InstallOptions& options) {
  InstalledChange change;
  InstalledPlugins& all = change.plugins();
  const InstalledPlugin* plugin = all.Find(id);
  if (plugin == nullptr) Refuse("cannot remove plugin '" + id + "'", NotInstalled(id, all));
  PluginChange done{id, plugin->current().version, "", {}, plugin->registry, {}};
  std::erase_if(all.plugins, [&](const InstalledPlugin& entry) { return entry.id == id; });
  change.Commit();
  if (!options.lock.empty()) {
    ChangePluginLock(options.lock, [&](PluginLock& lock) {
      std::erase_if(lock.plugins, [&](const LockedPlugin& entry) { return entry.id == id; });
    });
  }
  std::error_code stays;
  fs::remove_all(all.folder / id, stays);
  return done;
}

std::vector<PluginUpdate> FindUpdates(const InstallOptions& options) {
  std::vector<PluginUpdate> updates;
  const InstalledPlugins installed = ReadInstalledPlugins(InstalledFolder());
  if (installed.plugins.empty()) return updates;
  const std::vector<OpenRegistry> registries = OpenRegistries(options, "cannot look for updates");
  for (const InstalledPlugin& plugin : installed.plugins) {
    const RegistryPlugin* build = Choose(registries, plugin.id, "", plugin.registry).second;
    PluginUpdate update{plugin.id, plugin.registry,  plugin.current().version,
                        "",        plugin.is_pinned, false};
    if (build != nullptr) update.available = build->version;
    update.is_outdated = IsOlderVersion(update.installed, update.available);
    updates.push_back(std::move(update));
  }
  return updates;
}

PluginInfo FindPluginInfo(const std::string& id, const InstallOptions& options) {
  const std::string attempt = "cannot describe plugin '" + id + "'";
  PluginInfo info;
  InstalledPlugins installed = ReadInstalledPlugins(InstalledFolder());
  if (const InstalledPlugin* plugin = installed.Find(id)) {
    const InstalledVersion& current = plugin->current();
    info.registry = plugin->registry;
    info.installed = current.version;
    info.is_pinned = plugin->is_pinned;
    info.path = installed.folder / current.folder / current.file;
    for (const InstalledVersion& old : plugin->versions) info.old_versions.push_back(old.version);
    info.old_versions.pop_back();
  }
  const bool is_local = !info.installed.empty() && options.from.empty() &&
                        ReadKnownRegistries(KnownRegistriesFile()).empty();
  std::vector<OpenRegistry> registries;
  if (!is_local) registries = OpenRegistries(options, attempt);
  for (const OpenRegistry& registry : registries) {
    for (const RegistryPlugin& plugin : registry.index.plugins) {
      if (plugin.id == id) info.builds.push_back(plugin);
    }
    if (info.builds.empty()) continue;
    info.registry = registry.index.id;
    break;
  }
  std::reverse(info.builds.begin(), info.builds.end());
  if (info.builds.empty() && info.installed.empty()) RefuseChoice(attempt, id, "", registries);
  return info;
}

KnownRegistry AcceptRegistry(const InstallOptions& options) {
  const OpenRegistry open = OpenAt(options.from, options);
  for (const KnownRegistry& known : ReadKnownRegistries(KnownRegistriesFile())) {
    if (known.id == open.index.id) return known;
  }
  Refuse("cannot keep registry '" + options.from + "'",
         "an index that is accepted without a check of its signature is not remembered");
}

}  // namespace crossfold
