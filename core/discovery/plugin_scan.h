// Trying a plugin in a process of its own. Loading and entering it may end that process, and shows
// what it offers.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/component.h"
#include "crossfold/json_value.h"
#include "crossfold/plugin_lock.h"
#include "discovery/plugin_file.h"
#include "engine/plugin/manifest.h"

namespace crossfold {

struct ScanOutcome {
  enum class End {
    kWorks,    // it can be entered, and offers `manifest`
    kRefused,  // it returned, but cannot be used
    kCrashed,  // the process ended
    kHung      // it did not return in time
  };
  End end = End::kRefused;
  std::string reason;  // unless it works: "declines: no graphics card", "signal 11 (...)"
  Manifest manifest;   // if it works
  std::vector<RefusedComponent> refused = {};  // of its components, if it works

  bool operator==(const ScanOutcome&) const = default;
};

constexpr std::chrono::seconds kScanTime(30);

// Starts `program` (crossfold-worker), which answers with AnswerScan. `wanted` is as in
// LoadUnlisted. Throws Error(kIo) if the process cannot be started.
ScanOutcome ScanInProcess(const std::filesystem::path& program, const std::filesystem::path& path,
                          const std::optional<LockedPlugin>& wanted,
                          std::chrono::milliseconds maximum = kScanTime);

// Does the same in this process.
ScanOutcome ScanHere(const std::filesystem::path& path, const std::optional<LockedPlugin>& wanted);

// ---- the answer of that process: the outcome as JSON ----

// Returns {"end":"works","manifest":{...}} or {"end":"refused","reason":"..."}.
std::string ToText(const ScanOutcome& outcome);
JsonValue ToJson(const ScanOutcome& outcome);
// Returns nothing for text that ToText did not write.
std::optional<ScanOutcome> ParseScanOutcome(std::string_view text);
std::optional<ScanOutcome> ScanOutcomeFromJson(const JsonValue& json);

// Tries the file in this process (crossfold-worker), writes the answer to the descriptor and ends
// the process without calling the exit handlers of plugins. `lock` is the text of a PluginLock with
// the one plugin that the file must be; "" = any. Throws Error(kBadData).
[[noreturn]] void AnswerScan(const std::filesystem::path& path, std::string_view lock,
                             int descriptor);

// ---- the cache ----
// Results of trials of plugins, which a JSON file keeps from one process to the next.
//   {"crossfold_scan":1,"host":"0.1.0","files":{"/p/x.crossfold.so":{"size":16384,
//    "modified_ns":1700000000000000000,"sha256":"...","outcome":{"end":"crashed","reason":"..."}}}}
// The cache only saves time: a file that does not exist, is damaged, or is of another version of
// Crossfold counts as empty, and a file that cannot be written is not written.

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
