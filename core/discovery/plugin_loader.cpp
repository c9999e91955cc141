#include "discovery/plugin_loader.h"

#include <boost/dll/shared_library.hpp>
#include <cassert>
#include <map>
#include <mutex>
#include <optional>

#include "crossfold/error.h"
#include "discovery/folder_loader.h"
#include "discovery/plugin_file.h"
#include "discovery/plugin_folder.h"
#include "discovery/plugin_library.h"
#include "engine/plugin/defect.h"
#include "engine/plugin/descriptor.h"
#include "engine/plugin/plugin_entry.h"
#include "engine/plugin/process_state.h"

namespace crossfold {
namespace {

namespace dll = boost::dll;

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
  std::map<std::filesystem::path, FileId> files;
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

LoadedLibraries::Entered Register(const cf_plugin& descriptor, const std::filesystem::path& path,
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
LoadedLibraries::Entered EnterFile(const PluginFile& file, const std::filesystem::path& path,
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
const LoadedLibraries::Entered& Load(const std::filesystem::path& path, const Manifest* manifest,
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

LoadResult LoadAny(const std::filesystem::path& path, const Manifest* manifest,
                   const LockedPlugin* wanted) {
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

}  // namespace

LoadResult LoadPlugin(const std::filesystem::path& path, const Manifest& manifest,
                      const std::optional<LockedPlugin>& wanted) {
  if (IsPluginFolder(path)) return LoadFolder(path, manifest, wanted);
  return LoadAny(path, &manifest, wanted ? &*wanted : nullptr);
}

LoadResult LoadUnlisted(const std::filesystem::path& path,
                        const std::optional<LockedPlugin>& wanted) {
  return LoadAny(path, nullptr, wanted ? &*wanted : nullptr);
}

}  // namespace crossfold
