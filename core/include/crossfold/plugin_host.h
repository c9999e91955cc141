// Finds, checks and loads plugins.
//
// A plugin is a file "*.crossfold.so", or a folder "*.crossfold" with a program in any language
// (docs/languages.md). Its manifest is read before any of its code runs. The plugin is loaded when
// one of its components is first requested, and then stays for the life of the process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/component.h"
#include "crossfold/log_sink.h"
#include "crossfold/plugin_lock.h"

namespace crossfold {

// Trials of plugins before this process enters them for the first time, so that a crash is
// remembered and not repeated, and plugins without a manifest can be listed.
struct ScanOptions {
  enum class Where {
    kNowhere,    // it is not; plugins without a manifest cannot be used
    kInProcess,  // in a process of its own (crossfold-worker), once for each content of a file
    kHere        // in this one, which is isolated itself
  };
  Where where = Where::kNowhere;
  // JSON file that keeps the results; it is made if its folder or the one above exists. Empty = the
  // results are forgotten with the host.
  std::filesystem::path cache;
  bool again = false;             // as if nothing were known of the files found
  bool all = false;               // try every file found at once, not when it is needed
  std::filesystem::path program;  // crossfold-worker; empty = as IsolationOptions::worker
};

struct PluginHostOptions {
  // Plugins, or folders of plugins, that are searched first, in this order. They are the host's own choice: only
  // these and the bundled plugins may offer ids that begin with "crossfold.".
  std::vector<std::filesystem::path> paths;
  // Whether to use CROSSFOLD_PLUGIN_PATH (folders separated by colons) and
  // CROSSFOLD_PLUGINS_DISABLE (globs separated by colons or commas). Privileged processes ignore
  // them.
  bool use_environment = true;
  // Whether to search $XDG_DATA_HOME/crossfold/plugins or ~/.local/share/crossfold/plugins.
  bool use_user_folder = true;
  // Whether to search lib/crossfold/plugins next to the program or library that contains this code.
  bool use_installation = true;
  LogSink log = {};  // may be empty: nothing is logged then
  // Whether AddFile may be called: code that gets its paths from elsewhere (a script, a request)
  // must not load what it likes by accident.
  bool allow_paths = false;
  // Globs over plugin ids and file names. Plugins that match one of `disable`, or none of `only` if
  // that is not empty, are listed as rejected and never loaded.
  std::vector<std::string> disable = {}, only = {};
  // If there is a lock, plugins that are not in it with their id and SHA-256 are rejected.
  std::optional<PluginLock> lock = {};
  bool hash_files = false;  // fill in PluginEntry::sha256 of every plugin
  ScanOptions scan = {};
  // Whether files that other users can change are refused (docs/trust.md).
  bool check_writers = true;
  // Leaves the search, with what it logs, to the first function of the host that needs it.
  bool search_later = false;
};

// Searches these plugins and folders of plugins, and no other place.
void SearchOnly(std::vector<std::filesystem::path> paths, PluginHostOptions& options);

// One file, or one plugin that is a folder, that the search found.
struct PluginEntry {
  std::filesystem::path path;
  std::string id, version;  // from the manifest; empty if it cannot be read
  std::uint32_t abi_minor = 0;
  ComponentIds ids;                       // of its components, from the manifest
  std::vector<RefusedComponent> refused;  // those that cannot be used, as far as they are known
  bool has_manifest = false;
  bool is_folder = false;
  // Of the file, or of all files of the folder; empty unless requested (hash_files, lock).
  std::string sha256;
  std::vector<LockedLibrary> libraries;  // that it brings along; empty unless requested
  std::string rejected;                  // why it is not used; empty = usable
};

// What a lock has of it. REQUIRES: its files were hashed (PluginHostOptions::hash_files).
LockedPlugin ToLocked(const PluginEntry& entry);

// Thread-safe.
class PluginHost {
 public:
  // Searches for plugins and loads none. A file that is not a plugin is kept as a rejected entry.
  explicit PluginHost(PluginHostOptions options);
  ~PluginHost();
  PluginHost(const PluginHost&) = delete;
  PluginHost& operator=(const PluginHost&) = delete;

  // Returns all files found, in the order of the search. A file that failed when it was loaded is
  // rejected, too.
  std::vector<PluginEntry> entries() const;
  // The places that were searched, in order, whether they exist or not.
  std::vector<std::filesystem::path> search_path() const;

  // Loads one more file or folder now. Throws Error(kBadPlugin) with the reason, and
  // Error(kInvalidArgument) unless the options allow paths.
  void AddFile(const std::filesystem::path& path);

  // Returns the component with this id; "knn" means "crossfold.knn". Loads its plugin at the first
  // request. Throws Error(kInvalidArgument) with the known ids of that kind and the nearest one, or
  // Error(kBadPlugin) if its file cannot be loaded.
  std::shared_ptr<const Component> Find(Kind kind, std::string_view id) const;
  // Does the same for any kind, as `plugin describe` needs it.
  std::shared_ptr<const Component> FindAny(std::string_view id) const;
  // Returns all components of the plugin with this id ("knn" means "crossfold.knn") or this path,
  // in the order of its manifest. Loads the plugin. Throws as Find does.
  std::vector<std::shared_ptr<const Component>> FindPlugin(std::string_view id_or_path) const;

  // Returns what the plugin with this id or path offers for a kind that its author invented, such
  // as "org.example.explainers/1" (cf_plugin.get_factory): a static table, or null if it has none.
  // Loads the plugin. Throws as Find does.
  const void* FindFactory(std::string_view id_or_path, const std::string& kind) const;

  const LogSink& log() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold
