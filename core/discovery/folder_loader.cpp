#include "discovery/folder_loader.h"

#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold_plugin/folder.h"
#include "discovery/plugin_folder.h"
#include "discovery/plugin_search.h"
#include "engine/plugin/defect.h"
#include "engine/plugin/descriptor.h"
#include "engine/plugin/plugin_entry.h"
#include "engine/plugin/process_state.h"
#include "files/scratch_folder.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

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

}  // namespace crossfold
