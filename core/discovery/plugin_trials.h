// Plugins are tried once for each content of their file, as ScanOptions say.
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
  // Whether a plugin with a manifest is to be tried before this process enters it.
  bool comes_first() const { return options_.where == ScanOptions::Where::kInProcess; }

  void Forget(const std::filesystem::path& path) { cache_.Forget(path); }
  // What is known without a trial.
  std::optional<ScanOutcome> Known(const std::filesystem::path& path, const PluginFile& file);
  // The known result, or else that of a trial. `wanted`: as LoadUnlisted.
  // Throws Error(kIo) if no process can be started. REQUIRES: the options allow trials.
  ScanOutcome Try(const std::filesystem::path& path, const PluginFile& file,
                  const std::optional<LockedPlugin>& wanted);
  // Keeps what is new on the disk.
  void Save() { cache_.Save(); }

 private:
  ScanOptions options_;
  ScanCache cache_;
};

// Why a plugin with that outcome is not entered; "" = it may be.
std::string RefusalText(const ScanOutcome& outcome, const std::filesystem::path& path);

}  // namespace crossfold
