// The answer of a process that tries a plugin to the process that started it: the outcome as JSON.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "crossfold/json_value.h"
#include "discovery/plugin_scan.h"

namespace crossfold {

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
