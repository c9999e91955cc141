#include "crossfold/plugin_install.h"

#include <algorithm>
#include <functional>
#include <system_error>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/nearest_name.h"
#include "crossfold/plugin_lock_file.h"
#include "discovery/installed_plugins.h"
#include "engine/plugin/manifest.h"
#include "files/successor_file.h"
#include "registry/host_platform.h"
#include "registry/open_registries.h"
#include "registry/plugin_download.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

// ---- which build is installed, of those that open registries have ----

std::string NameOfPlatform(const Platform& platform) {
  return platform.Name() + (platform.glibc.empty() ? "" : ", glibc " + platform.glibc);
}

// "; did you mean 'org.example.ridge'?", or "" if no id is near.
std::string Suggestion(const std::string& id, const std::vector<std::string>& ids) {
  const std::string near = NearestName(id, ids);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

// Throws an Error that says why Choose() found none.
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
    RefuseRequest(attempt, "no registry that was searched has it" + Suggestion(id, ids));
  }
  if (platforms.empty())
    RefuseRequest(attempt, "there is no such version; there are: " + joined(versions));
  RefuseRequest(attempt, "it is not for this machine (" + NameOfPlatform(HostPlatform()) +
                             "); there are builds for: " + joined(platforms));
}

// A build and its registry; null = there is none.
struct BuildChoice {
  const OpenRegistry* registry = nullptr;
  const RegistryPlugin* build = nullptr;
};

// The newest build for this machine, or with `version` that version, of the first registry that has
// one. Updates come only `from` the registry of the installed version: another may use the id for
// something else. "" = any.
BuildChoice Choose(const std::vector<OpenRegistry>& registries, const std::string& id,
                   const std::string& version, const std::string& from) {
  for (const OpenRegistry& registry : registries) {
    if (!from.empty() && registry.index.id != from) continue;
    const RegistryPlugin* build = FindNewest(registry.index, id, version);
    if (build != nullptr) return {&registry, build};
  }
  return {nullptr, nullptr};
}

// Throws Error if several registries have a build: a new id is taken from one that is named.
void CheckOnlyOne(const std::vector<OpenRegistry>& registries, const std::string& id,
                  const std::string& attempt) {
  std::string names;
  int n = 0;
  for (const OpenRegistry& registry : registries) {
    if (FindNewest(registry.index, id, "") == nullptr) continue;
    names += (n++ == 0 ? "" : ", ") + registry.index.id;
  }
  if (n > 1)
    RefuseRequest(attempt, "several registries have it: " + names + "; name one with --from");
}

bool IsOpen(const std::vector<OpenRegistry>& registries, const std::string& id) {
  return std::any_of(registries.begin(), registries.end(),
                     [&](const OpenRegistry& registry) { return registry.index.id == id; });
}

void CheckIsOpen(const std::vector<OpenRegistry>& registries, const std::string& id,
                 const std::string& attempt) {
  if (IsOpen(registries, id)) return;
  RefuseRequest(attempt, "its registry '" + id +
                             "' is not among those that were read; trust it again, or "
                             "install the plugin from another one");
}

// ---- changing what is installed ----

constexpr const char* kInstallTurn = "changing";  // with ".new": the file of turns

fs::path MadeInstalledFolder() {
  const fs::path folder = InstalledFolder();
  if (folder.empty()) KnownRegistriesFile();  // throws: there is no such folder
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (!failure) return folder;
  throw Error(ErrorKind::kIo, "cannot make folder '" + folder.string() + "': " + failure.message());
}

// While it lives, no other process changes installed.json or the versions in use: not the lock that
// belongs to them, nor their folders.
class InstalledChange {
 public:
  InstalledChange()
      : folder_(MadeInstalledFolder()),
        turn_(folder_ / kInstallTurn,
              "cannot change installed plugins in '" + folder_.string() + "'"),
        successor_(folder_ / kInstalledName,
                   "cannot write installed plugins '" + (folder_ / kInstalledName).string() + "'"),
        installed_(ReadInstalledPlugins(folder_)) {}

  InstalledPlugins& plugins() { return installed_; }
  void Commit() { successor_.Become(ToText(installed_)); }

 private:
  fs::path folder_;
  SuccessorFile turn_;
  SuccessorFile successor_;
  InstalledPlugins installed_;
};

// What a lock says about an installed version. Throws unless its files are those that were
// installed.
LockedPlugin LockedOf(const InstalledVersion& version, const fs::path& installed,
                      const std::string& attempt) {
  if (const std::optional<PluginEntry> entry = EntryOf(version, installed)) return ToLocked(*entry);
  RefuseRequest(attempt, "the files of version " + version.version + " in '" +
                             (installed / version.folder).string() +
                             "' were changed; install that version again");
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

// nullopt = it is not wanted any more. Throws std::system_error, too.
std::optional<PluginChange> SwitchToBuild(const OpenRegistry& registry, const RegistryPlugin& build,
                                          bool pin, const IsWanted& is_wanted,
                                          const InstallOptions& options,
                                          const std::string& attempt) {
  const fs::path folder = MadeInstalledFolder();
  PluginDownload download(registry, build, folder, attempt);
  download.Fetch();
  const InstalledVersion& version = download.version();
  InstalledChange change;
  InstalledPlugins& all = change.plugins();
  if (!is_wanted(all.Find(build.id))) return std::nullopt;
  download.Place();
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

std::optional<PluginChange> InstallBuild(const OpenRegistry& registry, const RegistryPlugin& build,
                                         bool pin, const IsWanted& is_wanted,
                                         const InstallOptions& options,
                                         const std::string& attempt) {
  try {
    return SwitchToBuild(registry, build, pin, is_wanted, options, attempt);
  } catch (const std::system_error& e) {
    throw Error(ErrorKind::kIo, attempt + ": " + e.what());
  }
}

void WarnOfClosed(const std::vector<OpenRegistry>& registries, const InstalledPlugin& plugin,
                  const InstallOptions& options) {
  const std::string& id = plugin.current().registry;
  if (!options.warn || IsOpen(registries, id)) return;
  options.warn("cannot look for updates of plugin '" + plugin.id + "': its registry '" + id +
               "' was not read");
}

// The folder of all its versions. REQUIRES: `id` is well formed.
fs::path FolderOf(const std::string& id, const InstalledPlugins& installed) {
  return installed.folder / "plugins" / id;
}

// Whether a removal that was interrupted, or an installation, has left files of a plugin.
bool HasFiles(const std::string& id, const InstalledPlugins& installed) {
  std::error_code none;
  return IsWellFormedId(id) && fs::exists(FolderOf(id, installed), none);
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
    RefuseRequest("cannot update plugin '" + id + "'", NotInstalled(id, installed));
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
  if (plugin == nullptr) RefuseRequest(attempt, NotInstalled(id, all));
  if (plugin->versions.size() < 2) {
    RefuseRequest(attempt,
                  "version " + plugin->current().version + " is the only one that was installed");
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
  if (plugin == nullptr && !HasFiles(id, all)) {
    RefuseRequest("cannot remove plugin '" + id + "'", NotInstalled(id, all));
  }
  PluginChange done;
  done.id = id;
  if (plugin != nullptr) {
    done.before = plugin->current().version;
    done.registry = plugin->current().registry;
  }
  std::erase_if(all.plugins, [&](const InstalledPlugin& entry) { return entry.id == id; });
  if (!options.lock.empty()) ReadPluginLock(options.lock);  // or nothing is removed
  change.Commit();
  if (!options.lock.empty()) {
    ChangePluginLock(options.lock, [&](PluginLock& lock) {
      std::erase_if(lock.plugins, [&](const LockedPlugin& entry) { return entry.id == id; });
    });
  }
  std::error_code stays;
  fs::remove_all(FolderOf(id, all), stays);
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
        Choose(registries, plugin.id, "", plugin.current().registry).build;
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
  RefuseRequest(
      "cannot keep registry '" + options.from + "'",
      "what signs it was not checked, and it has keys or is known with keys; name one with "
      "--key, or "
      "forget it: crossfold registry forget " +
          open.index.id);
}

}  // namespace crossfold
