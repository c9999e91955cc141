// Finds, checks and loads plugins.
//
// A plugin is a file "*.crossfold.so". Its manifest is read before any of its code runs; it is
// loaded when one of its components is first asked for, and then stays for the life of the process.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/component.h"

namespace crossfold {

// Gets one line without a newline; from any thread. `level` is CF_LOG_...
using LogSink = std::function<void(std::int32_t level, const std::string& message)>;

struct PluginHostOptions {
  // Files or folders, searched first and in this order.
  std::vector<std::filesystem::path> paths;
  // CROSSFOLD_PLUGIN_PATH, colon-separated folders; ignored for privileged processes.
  bool use_environment = true;
  // $XDG_DATA_HOME/crossfold/plugins or ~/.local/share/crossfold/plugins.
  bool use_user_folder = true;
  // lib/crossfold/plugins beside the program or library that contains this code.
  bool use_installation = true;
  LogSink log;  // may be empty: nothing is said then
};

// One file that the search found.
struct PluginEntry {
  std::filesystem::path path;
  std::string id, version;  // from the manifest; empty if it cannot be read
  std::vector<std::string> learners, transforms, splitters, metrics;  // component ids
  std::string rejected;  // why it is not used; empty = usable
};

// Thread-safe.
class PluginHost {
 public:
  // Searches; loads nothing. A file that is no plugin is kept as a rejected entry.
  explicit PluginHost(PluginHostOptions options);
  ~PluginHost();
  PluginHost(const PluginHost&) = delete;
  PluginHost& operator=(const PluginHost&) = delete;

  // Every file found, in the order of the search. A file that failed when it was loaded is then
  // rejected too.
  std::vector<PluginEntry> entries() const;
  // Where was looked, in order, whether the folder exists or not.
  std::vector<std::filesystem::path> search_path() const;

  // Loads one more file now. Throws Error(kBadPlugin) with the reason.
  void AddFile(const std::filesystem::path& path);

  // The component with this id; "knn" means "crossfold.knn". Loads its plugin at the first request.
  // Throws Error(kInvalidArgument) with the known ids of that kind and the nearest one, or
  // Error(kBadPlugin) if its file cannot be loaded.
  std::shared_ptr<const Component> Find(Kind kind, std::string_view id) const;
  // Same, for any kind; for `plugin describe`.
  std::shared_ptr<const Component> FindAny(std::string_view id) const;

  const LogSink& log() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold
