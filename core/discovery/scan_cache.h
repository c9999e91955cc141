// Results of trials of plugins, which a JSON file keeps from one process to the next.
//   {"crossfold_scan":1,"host":"0.1.0","files":{"/p/x.crossfold.so":{"size":16384,
//    "modified_ns":1700000000000000000,"sha256":"...","outcome":{"end":"crashed","reason":"..."}}}}
// The cache only saves time: a file that does not exist, is damaged, or is of another version of
// Crossfold counts as empty, and a file that cannot be written is not written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "discovery/plugin_file.h"
#include "discovery/plugin_scan.h"

namespace crossfold {

struct ScannedFile {
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;
  std::string sha256;
  ScanOutcome outcome;
};

using ScannedFiles = std::map<std::string, ScannedFile>;  // by absolute path

// Any bytes can be read safely; invalid entries are left out.
ScannedFiles ParseScannedFiles(std::string_view text);
std::string ToText(const ScannedFiles& files);

// Not thread-safe. Several processes may use one file: each change is one whole new file.
class ScanCache {
 public:
  // Takes the path of the file; empty = nothing is kept on the disk.
  explicit ScanCache(std::filesystem::path file);

  // Returns what is known of the file by path, size and time, or else by path and content.
  std::optional<ScanOutcome> Find(const std::filesystem::path& path, const PluginFile& file);
  void Keep(const std::filesystem::path& path, const PluginFile& file, ScanOutcome outcome);
  void Forget(const std::filesystem::path& path);

  // Writes changes into the file and keeps what other processes have written meanwhile. Entries
  // whose file no longer exists are removed.
  void Save();

 private:
  std::filesystem::path file_;
  ScannedFiles known_;
  std::set<std::string> changed_;  // paths
};

}  // namespace crossfold
