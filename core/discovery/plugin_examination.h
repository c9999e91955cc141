// Examines a plugin without loading it: what it offers, and whether it may be used.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/plugin_host.h"
#include "discovery/manifest_file.h"
#include "discovery/path_writers.h"
#include "discovery/plugin_file.h"
#include "discovery/plugin_scan.h"

namespace crossfold {

struct Examination {
  Manifest manifest;                     // empty if unknown
  bool has_manifest = false;             // in the file
  std::string sha256;                    // "" = not requested
  std::vector<LockedLibrary> libraries;  // empty = not requested
  std::optional<LockedPlugin> locked;    // which plugin it must be when it is loaded; nullopt = any
  std::vector<RefusedComponent> refused;  // of its components, as far as they are known
  std::string rejected;                   // why it is not used; "" = it is
  std::int32_t level = CF_LOG_WARN;       // log level of that reason
};

// The choice of plugins that a host may use, by the names that its user gave. It helps to find a
// bad plugin among many.
class PluginChoice {
 public:
  // Reads CROSSFOLD_PLUGINS_DISABLE if the options use the environment.
  explicit PluginChoice(const PluginHostOptions& options);

  // Returns why a plugin must not be used; "" = it may be. `id` may be empty if it is not known
  // yet.
  std::string Refusal(std::string_view id, std::string_view file_name);

  // Returns a warning for each glob that should switch off plugins and has matched none of those
  // that Refusal was asked about.
  std::vector<std::string> Unmatched() const;

 private:
  struct Pattern {
    std::string glob, source;
    bool has_fitted = false;
  };
  std::vector<Pattern> disabled_;
  std::vector<std::string> only_;
};

// Not thread-safe.
class PluginExaminer {
 public:
  explicit PluginExaminer(const PluginHostOptions& options);

  // `is_bundled`: the file came with this program, and was tried when the program was built.
  Examination Examine(const std::filesystem::path& path, bool is_bundled);
  // Tries the file before it is entered here for the first time. Returns why it must not be
  // entered; "" = it may be.
  std::string TryFirst(const std::filesystem::path& path, bool is_bundled,
                       const std::optional<LockedPlugin>& locked);
  // Returns a warning for each of the user's names for plugins to be switched off that has matched
  // none so far.
  std::vector<std::string> Unmatched() const { return choice_.Unmatched(); }
  // Saves the results of trials on the disk.
  void Save() { cache_.Save(); }

 private:
  struct Rejection {
    std::string text;
    std::int32_t level = CF_LOG_WARN;
  };

  void Look(const std::filesystem::path& path, bool is_bundled, Examination& found);
  void LookAtFolder(const std::filesystem::path& path, bool is_bundled, Examination& found);
  void ReadOrTry(const std::filesystem::path& path, const PluginFile& file, bool is_bundled,
                 Examination& found);
  // Whether a plugin with a manifest is tried before this process enters it.
  bool tries_first() const { return scan_.where == ScanOptions::Where::kInProcess; }
  // A plugin is tried once for each content of its file, as ScanOptions say: returns the known
  // result, or else that of a trial. `wanted` is as in LoadUnlisted. Throws Error(kIo) if no
  // process can be started. REQUIRES: the options allow trials.
  ScanOutcome Try(const std::filesystem::path& path, const PluginFile& file,
                  const std::optional<LockedPlugin>& wanted);
  void CheckWriters(const std::filesystem::path& path, bool is_bundled);
  void CheckLock(const std::filesystem::path& path, Examination& found) const;

  PluginChoice choice_;
  std::optional<PluginLock> lock_;
  bool hash_files_;
  ScanOptions scan_;
  ScanCache cache_;
  const bool check_writers_;
  PathWriters writers_;
};

}  // namespace crossfold
