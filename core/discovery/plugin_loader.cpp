#include "discovery/plugin_loader.h"

#include <boost/dll/shared_library.hpp>
#include <cassert>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold_plugin/folder.h"
#include "discovery/plugin_file.h"
#include "discovery/plugin_folder.h"
#include "discovery/plugin_library.h"
#include "discovery/plugin_search.h"
#include "engine/plugin/defect.h"
#include "engine/plugin/descriptor.h"
#include "engine/plugin/plugin_entry.h"
#include "engine/plugin/process_state.h"
#include "files/scratch_folder.h"

namespace crossfold {
namespace {

namespace dll = boost::dll;

namespace fs = std::filesystem;

// ---- shared libraries ----

constexpr const char* kEntry = "crossfold_plugin_v1";
constexpr const char* kChanged =
    "the file has changed since this process loaded it; start the program again";
constexpr const char* kOtherLibraries =
    "the libraries next to it are not those of the lock; start the program again";

// What the dynamic loader has mapped stays in the process, and so does this record. Its destructor
// does not run at exit, when objects of plugins may be destroyed already.
struct LoadedLibraries {
  std::mutex mutex;
  std::vector<dll::shared_library>
      libraries;  // all of them, including those that were refused afterwards
  std::map<fs::path, FileId> files;
  struct Entered {
    std::shared_ptr<const LoadedPlugin> plugin;
    std::vector<std::shared_ptr<const Component>> components;
    std::vector<RefusedComponent> refused;
    Manifest manifest;
  };
  std::map<FileId, Entered> entered;
};

LoadedLibraries& Loaded() {
  static LoadedLibraries& loaded = *new LoadedLibraries;
  return loaded;
}

cf_plugin_fn EntryOf(const dll::shared_library& library) {
  if (library.has(kEntry))
    return &library.get<const cf_plugin*(std::uint32_t, const cf_host*)>(kEntry);
  for (const char* major : {"0", "2", "3"}) {
    const std::string other = std::string("crossfold_plugin_v") + major;
    if (library.has(other)) {
      throw Defect{"built for plugin ABI " + std::string(major) + " (it exports " + other +
                   "); this host supports ABI " + std::to_string(CF_ABI_MAJOR)};
    }
  }
  throw Defect{std::string("does not export ") + kEntry};
}

LoadedLibraries::Entered Register(const cf_plugin& descriptor, const fs::path& path,
                                  const Manifest& manifest, const std::string& sha256,
                                  std::vector<LockedLibrary> libraries, DescriptorReading reading) {
  const std::shared_ptr<LoadedPlugin> plugin = MakeLoadedPlugin(descriptor, manifest, reading);
  plugin->path = path;
  plugin->sha256 = sha256;
  plugin->libraries = std::move(libraries);
  return {plugin, TakeComponents(reading, plugin), std::move(reading.refused), manifest};
}

// Checks that the manifest is the one that the search found, because the file may have changed.
void CheckFile(const PluginFile& file, const Manifest* manifest, const std::string& sha256,
               const LockedPlugin* wanted) {
  if (wanted != nullptr && sha256 != wanted->sha256) {
    throw Defect{"its SHA-256 is now " + sha256 + " instead of " + wanted->sha256};
  }
  const ManifestReading reading = ReadManifest(file);
  if (!reading.problem.empty() && !reading.is_missing) throw Defect{reading.problem};
  if (manifest == nullptr || reading.is_missing) return;
  if (reading.manifest != *manifest) throw Defect{"the file has changed since it was found"};
}

// Opens and enters the library. REQUIRES: loaded.mutex is held.
LoadedLibraries::Entered EnterFile(const PluginFile& file, const fs::path& path,
                                   const Manifest* manifest, const std::string& sha256,
                                   const LockedPlugin* wanted, LoadedLibraries& loaded,
                                   LoadResult& result) {
  // For a path that it knows, the dynamic loader returns the old library.
  const auto known = loaded.files.find(path);
  if (known != loaded.files.end() && known->second != file.id()) throw Defect{kChanged};
  std::vector<Neighbour> neighbours;
  if (wanted != nullptr) neighbours = NeighboursOf(file, path);
  std::vector<LockedLibrary> libraries = HashesOf(neighbours);
  if (wanted != nullptr && libraries != wanted->libraries) throw Defect{kOtherLibraries};
  OpenedLibrary opened = OpenLibrary(file, path, neighbours);
  if (opened.library.is_loaded()) loaded.libraries.push_back(opened.library);
  if (!opened.problem.empty()) throw Defect{opened.problem};
  loaded.files.emplace(path, file.id());
  const LogSink log = [&result](std::int32_t level, const std::string& line) {
    result.log.emplace_back(level, line);
  };
  const cf_plugin& plugin = CallEntry(EntryOf(opened.library), log);
  const ManifestReading own = manifest == nullptr ? ManifestOf(plugin) : ManifestReading();
  if (!own.problem.empty()) throw Defect{own.problem};
  if (manifest == nullptr) manifest = &own.manifest;
  DescriptorReading reading = ReadDescriptor(plugin, *manifest);
  if (!reading.problem.empty()) throw Defect{reading.problem};
  return Register(plugin, path, *manifest, sha256, std::move(libraries), std::move(reading));
}

// REQUIRES: loaded.mutex is held.
const LoadedLibraries::Entered& Load(const fs::path& path, const Manifest* manifest,
                                     const LockedPlugin* wanted, LoadedLibraries& loaded,
                                     LoadResult& result) {
  if (!IdOfFile(path)) throw Defect{"the file is gone"};
  using Bytes = PluginFile::Bytes;
  const PluginFile file(path, wanted != nullptr ? Bytes::kSealed : Bytes::kOnDisk);
  if (!file.problem().empty()) throw Defect{file.problem()};
  const std::string sha256 = file.Sha256();
  CheckFile(file, manifest, sha256, wanted);
  auto it = loaded.entered.find(file.id());
  if (it == loaded.entered.end()) {
    auto entered = EnterFile(file, path, manifest, sha256, wanted, loaded, result);
    it = loaded.entered.emplace(file.id(), std::move(entered)).first;
  }
  const LoadedPlugin& plugin = *it->second.plugin;
  if (plugin.sha256 != sha256) throw Defect{kChanged};
  // The plugin was loaded before without a lock, or under another lock.
  if (wanted != nullptr && plugin.libraries != wanted->libraries) throw Defect{kOtherLibraries};
  return it->second;
}

LoadResult LoadAny(const fs::path& path, const Manifest* manifest, const LockedPlugin* wanted) {
  assert(path.is_absolute());
  LoadResult result;
  LoadedLibraries& loaded = Loaded();
  const std::lock_guard lock(loaded.mutex);
  ProcessStateGuard guard;  // constructors of the library run before any check
  try {
    const LoadedLibraries::Entered& entered = Load(path, manifest, wanted, loaded, result);
    result.plugin = entered.plugin;
    result.components = entered.components;
    result.refused = entered.refused;
    result.manifest = entered.manifest;
    if (wanted != nullptr) result.plugin->locked = true;
  } catch (const Defect& defect) {
    result.problem = defect.text;
  } catch (const Error& error) {
    result.problem = error.what();
  }
  for (const std::string& change : guard.Restore()) {
    result.log.emplace_back(CF_LOG_WARN, "plugin '" + path.string() + "' " + change +
                                             " while it was loaded; the change was undone");
  }
  return result;
}

// ---- folders ----

constexpr const char* kFolderChanged =
    "the folder has changed since this process loaded it; start the program again";

// The folders that this process has opened. What `exec` made of them stays.
struct OpenedFolders {
  std::mutex mutex;
  std::map<std::pair<fs::path, bool>, LoadResult> opened;  // by path and whether under a lock
};

OpenedFolders& Opened() {
  static OpenedFolders& opened = *new OpenedFolders;
  return opened;
}

// Keeps the folder of a copy until the process ends.
void KeepUntilExit(ScratchFolder scratch) {
  static std::vector<ScratchFolder> kept;  // REQUIRES: the mutex of Opened is held
  kept.push_back(std::move(scratch));
}

// Loads `exec`, whose log goes to `result`.
const cf_folders& FolderServer(LoadResult& result) {
  constexpr const char* kNeedsExec = "needs the plugin 'exec', ";
  const fs::path folder = InstallationFolder();
  if (folder.empty()) throw Defect{std::string(kNeedsExec) + "and no bundled plugin is installed"};
  const fs::path file = folder / "exec.crossfold.so";
  std::error_code failure;
  if (!fs::exists(file, failure)) {
    throw Defect{kNeedsExec + ("which is not in '" + folder.string() + "'")};
  }
  const ManifestReading reading = ReadManifestFile(file);
  std::string problem = reading.problem;
  LoadResult exec;
  if (problem.empty()) {
    exec = LoadPlugin(file, reading.manifest);
    result.log.insert(result.log.end(), exec.log.begin(), exec.log.end());
    problem = exec.problem;
  }
  if (!problem.empty()) {
    throw Defect{kNeedsExec + ("and '" + file.string() + "' cannot be loaded: " + problem)};
  }
  const cf_plugin* plugin = exec.plugin->descriptor;
  const void* table =
      plugin->get_factory == nullptr ? nullptr : plugin->get_factory(plugin, CF_FACTORY_FOLDERS);
  if (table == nullptr) {
    throw Defect{kNeedsExec + ("and '" + file.string() + "' does not offer " CF_FACTORY_FOLDERS)};
  }
  return *static_cast<const cf_folders*>(table);
}

// Lists the files. Throws Defect.
PluginFolder ListFolder(const fs::path& path) {
  PluginFolder folder(path);
  if (!folder.problem().empty()) throw Defect{folder.problem()};
  return folder;
}

// Copies the folder into a scratch folder. Returns the path of the copy.
fs::path CopyOf(const fs::path& path) {
  ScratchFolder scratch = ScratchFolder::Temporary();
  const fs::path copy = scratch.path() / path.filename();
  ListFolder(path).CopyTo(copy);
  KeepUntilExit(std::move(scratch));
  return copy;
}

// Makes a plugin of the folder `runs`, which is `path` or its copy, and has this hash. Throws
// Defect.
void OpenFolder(const fs::path& path, const fs::path& runs, const Manifest& manifest,
                const std::string& sha256, LoadResult& result) {
  const FolderManifest own = ReadFolderManifest(runs);
  if (!own.reading.problem.empty()) throw Defect{own.reading.problem};
  if (own.reading.manifest != manifest) throw Defect{"the folder has changed since it was found"};
  const cf_folders& folders = FolderServer(result);
  const LogSink log = [&result](std::int32_t level, const std::string& line) {
    result.log.emplace_back(level, line);
  };
  const auto open = [&](const cf_host& host) {
    return folders.open(&host, runs.c_str(), own.text.c_str());
  };
  const cf_plugin& tables = CallForTables(open, log, "");
  if (ListFolder(runs).Sha256() != sha256) {
    throw Defect{
        "it was written to while its program was started; a program must not write into its own "
        "folder"};
  }
  DescriptorReading reading = ReadDescriptor(tables, manifest);
  if (!reading.problem.empty()) throw Defect{reading.problem};
  const std::shared_ptr<LoadedPlugin> plugin = MakeLoadedPlugin(tables, manifest, reading);
  plugin->path = path;
  plugin->sha256 = sha256;
  plugin->runs_in_child = true;
  if (runs != path) plugin->copy = runs;
  result.plugin = plugin;
  result.components = TakeComponents(reading, plugin);
  result.refused = std::move(reading.refused);
  result.manifest = manifest;
}

// REQUIRES: opened.mutex is held.
const LoadResult& Open(const fs::path& path, const Manifest& manifest, const LockedPlugin* wanted,
                       OpenedFolders& opened, LoadResult& result) {
  if (!IsPluginFolder(path)) throw Defect{"the folder is gone"};
  const std::pair key(path, wanted != nullptr);
  const auto known = opened.opened.find(key);
  const bool is_known = known != opened.opened.end();
  if (is_known && wanted != nullptr && known->second.plugin->sha256 == wanted->sha256) {
    return known->second;  // of the copy
  }
  const bool is_copied = wanted != nullptr && !ScratchFolder::IsOfThisUser(path.parent_path());
  const fs::path runs = is_copied ? CopyOf(path) : path;
  const std::string sha256 = ListFolder(runs).Sha256();
  if (wanted != nullptr && sha256 != wanted->sha256) {
    throw Defect{"its SHA-256 is now " + sha256 + " instead of " + wanted->sha256};
  }
  if (is_known && known->second.plugin->sha256 != sha256) throw Defect{kFolderChanged};
  if (is_known) return known->second;
  OpenFolder(path, runs, manifest, sha256, result);
  LoadResult kept = result;
  kept.log.clear();
  return opened.opened.emplace(key, std::move(kept)).first->second;
}

// Makes a plugin of a folder, with the bundled plugin `exec`, which runs its program. `exec` is
// found in the installation's folder, whatever a host searches or locks: it is a part of this
// program like crossfold-worker. A folder is opened once in the life of the process, and once under
// a lock: then a private copy of its files is hashed and runs, which is removed when the process
// ends. The folder is the copy itself if it is a scratch folder of another process of this user
// (LoadedPlugin::copy).
LoadResult LoadFolder(const fs::path& path, const Manifest& manifest,
                      const std::optional<LockedPlugin>& wanted) {
  assert(path.is_absolute());
  LoadResult result;
  OpenedFolders& opened = Opened();
  const std::lock_guard lock(opened.mutex);
  ProcessStateGuard guard;
  try {
    LoadResult loaded = Open(path, manifest, wanted ? &*wanted : nullptr, opened, result);
    loaded.log = std::move(result.log);
    result = std::move(loaded);
    if (wanted) result.plugin->locked = true;
  } catch (const Defect& defect) {
    result.problem = defect.Reason();
  } catch (const Error& error) {
    result.problem = error.what();
  }
  return result;
}

}  // namespace

LoadResult LoadPlugin(const fs::path& path, const Manifest& manifest,
                      const std::optional<LockedPlugin>& wanted) {
  if (IsPluginFolder(path)) return LoadFolder(path, manifest, wanted);
  return LoadAny(path, &manifest, wanted ? &*wanted : nullptr);
}

LoadResult LoadUnlisted(const fs::path& path, const std::optional<LockedPlugin>& wanted) {
  return LoadAny(path, nullptr, wanted ? &*wanted : nullptr);
}

}  // namespace crossfold
