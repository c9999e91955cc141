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
  std::optional<KnownRegistry> known;  // nullopt = nothing is remembered
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

// `id` = that of the registry that must be there; "" = any. `moves`: it is there from now on.
OpenRegistry OpenAt(const std::string& location, const std::string& id, bool moves,
                    const InstallOptions& options) {
  const fs::path file = KnownRegistriesFile();
  const std::vector<KnownRegistry> registries = ReadKnownRegistries(file);
  RegistryPlace place(location);
  // Without --from, --unsigned would be about all registries.
  const bool allow_unsigned = options.allow_unsigned && !options.from.empty();
  VerifiedIndex verified =
      ReadVerifiedIndex(place, registries, {options.key, allow_unsigned, id, moves});
  if (verified.known) {
    if (moves) verified.known->location = place.location();
    const bool is_known = std::any_of(registries.begin(), registries.end(), [&](const auto& entry) {
      return entry.id == verified.known->id && IsSame(entry, *verified.known);
    });
    if (!is_known) Remember(file, *verified.known);
  }
  return {std::move(place), std::move(verified.index), std::move(verified.known)};
}

// All known registries that can be read. What cannot is reported, unless nothing can.
std::vector<OpenRegistry> OpenKnown(const std::vector<KnownRegistry>& known,
                                    const InstallOptions& options) {
  std::vector<OpenRegistry> open;
  std::vector<Error> errors;
  for (const KnownRegistry& registry : known) {
    try {
      open.push_back(OpenAt(registry.location, registry.id, false, options));
    } catch (const Error& error) {
      errors.push_back(error);
    }
  }
  if (open.empty() && !errors.empty()) throw Error(errors.front());
  for (const Error& error : errors) {
    if (options.warn) options.warn(error.what());
  }
  return open;
}

// The registries that the options name, or all known ones.
std::vector<OpenRegistry> OpenRegistries(const InstallOptions& options,
                                         const std::string& attempt) {
  std::vector<KnownRegistry> known = ReadKnownRegistries(KnownRegistriesFile());
  if (!options.from.empty()) {
    std::erase_if(known, [&](const KnownRegistry& entry) { return entry.id != options.from; });
    if (known.empty()) {
      std::vector<OpenRegistry> open;
      open.push_back(OpenAt(options.from, "", false, options));
      return open;
    }
  }
  if (known.empty()) Refuse(attempt, "no registry is known; name one: --from FOLDER or --from URL");
  return OpenKnown(known, options);
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

fs::path MadeInstalledFolder() {
  const fs::path folder = InstalledFolder();
  if (folder.empty()) KnownRegistriesFile();  // throws: there is no such folder
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (!failure) return folder;
  throw Error(ErrorKind::kIo, "cannot make folder '" + folder.string() + "': " + failure.message());
}

// Changes installed.json while no other process does.
class InstalledChange {
 public:
  InstalledChange()
      : folder_(MadeInstalledFolder()),
        successor_(folder_ / kInstalledName,
                   "cannot write installed plugins '" + (folder_ / kInstalledName).string() + "'"),
        installed_(ReadInstalledPlugins(folder_)) {}

  InstalledPlugins& plugins() { return installed_; }
  void Commit() { successor_.Become(ToText(installed_)); }

 private:
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

// What the search finds at the place of an installed version; nullopt = not what was installed.
std::optional<PluginEntry> EntryOf(const InstalledVersion& version, const fs::path& installed) {
  PluginHostOptions host_options;
  host_options.paths = {installed / version.folder / version.file};
  host_options.use_environment = host_options.use_user_folder = false;
  host_options.use_installation = false;
  host_options.hash_files = true;
  std::vector<PluginEntry> entries = PluginHost(std::move(host_options)).entries();
  const bool is_it = !entries.empty() && entries.front().sha256 == version.sha256 &&
                     entries.front().libraries == version.libraries;
  if (!is_it) return std::nullopt;
  return std::move(entries.front());
}

// What a lock says about an installed version. Throws unless its files are those that were
// installed.
LockedPlugin LockedOf(const InstalledVersion& version, const fs::path& installed,
                      const std::string& attempt) {
  if (const std::optional<PluginEntry> entry = EntryOf(version, installed)) return ToLocked(*entry);
  Refuse(attempt, "the files of version " + version.version + " in '" +
                      (installed / version.folder).string() +
                      "' were changed; install that version again");
}

// Puts what was unpacked on the disk, with its names.
void SyncFolders(const fs::path& folder) {
  SyncFolderOf(folder / "any");
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_directory()) SyncFolderOf(entry.path() / "any");
  }
}

// Puts a version into its folder and returns where that is. A folder that is there already is used
// if it is whole: a process may have been killed while it was removed.
InstalledVersion Unpack(const OpenRegistry& registry, const RegistryPlugin& plugin,
                        const fs::path& installed, const std::string& attempt) {
  const std::string name = plugin.version + "-" + plugin.package_sha256.substr(0, kHashInFolder);
  const InstalledVersion version{plugin.version,
                                 plugin.platform.Name(),
                                 plugin.sha256,
                                 registry.index.id,
                                 "plugins/" + plugin.id + "/" + name,
                                 plugin.file,
                                 plugin.libraries};
  const fs::path folder = installed / version.folder;
  try {
    // One name for all plugins, so that the next one removes what a killed process left.
    const ScratchFolder scratch = ScratchFolder::NextTo(installed / "download");
    if (fs::exists(folder) && EntryOf(version, installed)) return version;
    const fs::path package = scratch.File("package.zip"), unpacked = scratch.File("unpacked");
    const std::string bytes = FetchPackage(registry, plugin, attempt);
    fs::create_directories(folder.parent_path());
    WriteFileBytes(package, bytes, attempt);
    fs::create_directory(unpacked);
    if (!HasSameBytes(plugin, UnpackPackage(package, unpacked))) {
      Refuse(attempt, "its package is not what the index describes; ask the registry's owner");
    }
    SyncFolders(unpacked);
    if (fs::exists(folder)) fs::rename(folder, scratch.File("damaged"));
    fs::rename(unpacked, folder);
    SyncFolderOf(folder);
  } catch (const std::system_error& e) {
    throw Error(ErrorKind::kIo, attempt + ": " + e.what());
  }
  return version;
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

// Whether a build is still wanted, when no other process can change what is installed. Null: the
// plugin is not installed.
using IsWanted = std::function<bool(const InstalledPlugin*)>;

// nullopt = it is not wanted any more.
std::optional<PluginChange> InstallBuild(const OpenRegistry& registry, const RegistryPlugin& build,
                                         bool pin, const IsWanted& is_wanted,
                                         const InstallOptions& options,
                                         const std::string& attempt) {
  const fs::path folder = MadeInstalledFolder();
  // Others do not wait for a download.
  const InstalledVersion version = Unpack(registry, build, folder, attempt);
  InstalledChange change;
  InstalledPlugins& all = change.plugins();
  if (!is_wanted(all.Find(build.id))) return std::nullopt;
  PluginChange done{build.id,          "",
                    build.version,     build,
                    registry.index.id, folder / version.folder / version.file};
  if (all.Find(build.id) == nullptr) all.plugins.push_back({build.id, false, {}});
  InstalledPlugin& plugin = *all.Find(build.id);
  if (!plugin.versions.empty()) done.before = plugin.current().version;
  plugin.is_pinned = pin;
  std::erase_if(plugin.versions,
                [&](const InstalledVersion& old) { return old.folder == version.folder; });
  plugin.versions.push_back(version);
  Switch(change, LockedOf(version, folder, attempt), options.lock);
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

// A new id is taken from one registry only: which one is meant if several have it?
void CheckOnlyOne(const std::vector<OpenRegistry>& registries, const std::string& id,
                  const std::string& attempt) {
  std::string names;
  int n = 0;
  for (const OpenRegistry& registry : registries) {
    if (FindNewest(registry.index, id, "") == nullptr) continue;
    names += (n++ == 0 ? "" : ", ") + registry.index.id;
  }
  if (n > 1) Refuse(attempt, "several registries have it: " + names + "; name one with --from");
}

bool IsOpen(const std::vector<OpenRegistry>& registries, const std::string& id) {
  return std::any_of(registries.begin(), registries.end(),
                     [&](const OpenRegistry& registry) { return registry.index.id == id; });
}

void CheckIsOpen(const std::vector<OpenRegistry>& registries, const std::string& id,
                 const std::string& attempt) {
  if (IsOpen(registries, id)) return;
  Refuse(attempt, "its registry '" + id +
                      "' is not among those that were read; trust it again, or "
                      "install the plugin from another one");
}

void WarnOfClosed(const std::vector<OpenRegistry>& registries, const InstalledPlugin& plugin,
                  const InstallOptions& options) {
  const std::string& id = plugin.current().registry;
  if (!options.warn || IsOpen(registries, id)) return;
  options.warn("cannot look for updates of plugin '" + plugin.id + "': its registry '" + id +
               "' was not read");
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
  InstalledPlugins installed = ReadInstalledPlugins(InstalledFolder());
  const InstalledPlugin* plugin = installed.Find(id);
  // Another registry may use the id for something else.
  const std::string from =
      plugin != nullptr && options.from.empty() ? plugin->current().registry : "";
  if (!from.empty()) CheckIsOpen(registries, from, attempt);
  const auto [registry, build] = Choose(registries, id, version, from);
  if (build == nullptr) RefuseChoice(attempt, id, version, registries);
  if (from.empty()) CheckOnlyOne(registries, id, attempt);
  const auto always = [](const InstalledPlugin*) { return true; };
  return *InstallBuild(*registry, *build, !version.empty(), always, options, attempt);
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
    const std::string attempt = "cannot update plugin '" + id + "'";
    const InstalledVersion& current = installed.Find(id)->current();
    if (!ids.empty()) CheckIsOpen(registries, current.registry, attempt);
    WarnOfClosed(registries, *installed.Find(id), options);
    const auto [registry, build] = Choose(registries, id, "", current.registry);
    if (build == nullptr || !IsOlderVersion(current.version, build->version)) continue;
    const std::string& newest = build->version;
    const auto is_wanted = [&](const InstalledPlugin* now) {
      return now != nullptr && (!now->is_pinned || !ids.empty()) &&
             IsOlderVersion(now->current().version, newest);
    };
    const auto done = InstallBuild(*registry, *build, false, is_wanted, options, attempt);
    if (!done) continue;
    changes.push_back(*done);
    if (options.on_changed) options.on_changed(*done);
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
  PluginChange done{id, plugin->current().version, "", {}, "", {}};
  plugin->versions.pop_back();
  plugin->is_pinned = true;
  const InstalledVersion& now = plugin->current();
  done.after = now.version;
  done.registry = now.registry;
  done.path = all.folder / now.folder / now.file;
  Switch(change, LockedOf(now, all.folder, attempt), options.lock);
  return done;
}

PluginChange RemovePlugin(const std::string& id, const InstallOptions& options) {
  InstalledChange change;
  InstalledPlugins& all = change.plugins();
  const InstalledPlugin* plugin = all.Find(id);
  if (plugin == nullptr) Refuse("cannot remove plugin '" + id + "'", NotInstalled(id, all));
  PluginChange done{id, plugin->current().version, "", {}, plugin->current().registry, {}};
  std::erase_if(all.plugins, [&](const InstalledPlugin& entry) { return entry.id == id; });
  if (!options.lock.empty()) ReadPluginLock(options.lock);  // or nothing is removed
  change.Commit();
  if (!options.lock.empty()) {
    ChangePluginLock(options.lock, [&](PluginLock& lock) {
      std::erase_if(lock.plugins, [&](const LockedPlugin& entry) { return entry.id == id; });
    });
  }
  std::error_code stays;
  fs::remove_all(all.folder / "plugins" / id, stays);
  return done;
}

std::vector<PluginUpdate> FindUpdates(const InstallOptions& options) {
  std::vector<PluginUpdate> updates;
  const InstalledPlugins installed = ReadInstalledPlugins(InstalledFolder());
  if (installed.plugins.empty()) return updates;
  const std::vector<OpenRegistry> registries = OpenRegistries(options, "cannot look for updates");
  for (const InstalledPlugin& plugin : installed.plugins) {
    WarnOfClosed(registries, plugin, options);
    const RegistryPlugin* build =
        Choose(registries, plugin.id, "", plugin.current().registry).second;
    PluginUpdate update{plugin.id, plugin.current().registry, plugin.current().version,
                        "",        plugin.is_pinned,          false};
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
    info.registry = current.registry;
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
  const std::string from = options.from.empty() ? info.registry : "";
  for (const OpenRegistry& registry : registries) {
    if (!from.empty() && registry.index.id != from) continue;
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
  OpenRegistry open = OpenAt(options.from, "", true, options);
  if (open.known) return *std::move(open.known);
  Refuse("cannot keep registry '" + options.from + "'",
         "what signs it was not checked, and it has keys or is known with keys; name one with "
         "--key, or "
         "forget it: crossfold registry forget " +
             open.index.id);
}

}  // namespace crossfold
