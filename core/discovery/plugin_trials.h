// Trials of plugins. A plugin is tried once for each content of its file, as ScanOptions say.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "crossfold/plugin_host.h"
#include "discovery/plugin_file.h"
#include "discovery/plugin_scan.h"
#include "discovery/scan_cache.h"

namespace crossfold {

// Not thread-safe.
class PluginTrials {
 public:
  explicit PluginTrials(ScanOptions options);

  const ScanOptions& options() const { return options_; }
  // Whether a plugin with a manifest is tried before this process enters it.
  bool comes_first() const { return options_.where == ScanOptions::Where::kInProcess; }

  void Forget(const std::filesystem::path& path) { cache_.Forget(path); }
  // Returns what is known without a trial.
  std::optional<ScanOutcome> Known(const std::filesystem::path& path, const PluginFile& file);
  // Returns the known result, or else that of a trial. `wanted` is as in LoadUnlisted. Throws
  // Error(kIo) if no process can be started. REQUIRES: the options allow trials.
  ScanOutcome Try(const std::filesystem::path& path, const PluginFile& file,
                  const std::optional<LockedPlugin>& wanted);
  // Saves new results on the disk.
  void Save() { cache_.Save(); }

 private:
  ScanOptions options_;
  ScanCache cache_;
};

// Returns why a plugin with that outcome is not entered; "" = it may be.
std::string RefusalText(const ScanOutcome& outcome, const std::filesystem::path& path);

}  // namespace crossfold
