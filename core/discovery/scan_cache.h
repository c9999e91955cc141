// What was found when plugins were tried, kept from one process to the next: a JSON file.
//   {"crossfold_scan":1,"host":"0.1.0","files":{"/p/x.crossfold.so":{"size":16384,
//    "modified_ns":1700000000000000000,"sha256":"...","outcome":{"end":"crashed","reason":"..."}}}}
// It is a help and no more: a file that is not there, damaged, or of another version of Crossfold
// is as good as an empty one, and one that cannot be written is not written.
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

// Reads any bytes without harm; what makes no sense is left out.
ScannedFiles ParseScannedFiles(std::string_view text);
std::string ToText(const ScannedFiles& files);

// Not thread-safe. Several processes may use one file: each change is one whole new file.
class ScanCache {
 public:
  // Empty = keeps nothing on the disk.
  explicit ScanCache(std::filesystem::path file);

  // What is known of the file: by path, size and time, or else by path and content.
  std::optional<ScanOutcome> Find(const std::filesystem::path& path, const PluginFile& file);
  void Keep(const std::filesystem::path& path, const PluginFile& file, ScanOutcome outcome);
  void Forget(const std::filesystem::path& path);

  // Writes what has changed into the file, beside what others have written meanwhile. Entries whose
  // file is gone go too.
  void Save();

 private:
  std::filesystem::path file_;
  ScannedFiles known_;
  std::set<std::string> changed_;  // paths
};

}  // namespace crossfold
