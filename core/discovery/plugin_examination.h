// Examines a plugin without loading it: what it offers, and whether it may be used.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "crossfold/plugin_host.h"
#include "discovery/manifest_file.h"
#include "discovery/path_writers.h"
#include "discovery/plugin_choice.h"
#include "discovery/plugin_file.h"
#include "discovery/plugin_trials.h"

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
  void Save() { trials_.Save(); }

 private:
  struct Rejection {
    std::string text;
    std::int32_t level = CF_LOG_WARN;
  };

  void Look(const std::filesystem::path& path, bool is_bundled, Examination& found);
  void LookAtFolder(const std::filesystem::path& path, bool is_bundled, Examination& found);
  void ReadOrTry(const std::filesystem::path& path, const PluginFile& file, bool is_bundled,
                 Examination& found);
  void CheckWriters(const std::filesystem::path& path, bool is_bundled);
  void CheckLock(const std::filesystem::path& path, Examination& found) const;

  PluginChoice choice_;
  std::optional<PluginLock> lock_;
  bool hash_files_;
  PluginTrials trials_;
  const bool check_writers_;
  PathWriters writers_;
};

}  // namespace crossfold
