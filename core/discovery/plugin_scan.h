// Trying a plugin in a process of its own. Loading and entering it may end that process, and shows
// what it offers.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/component.h"
#include "crossfold/json_value.h"
#include "crossfold/plugin_lock.h"
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

}  // namespace crossfold
