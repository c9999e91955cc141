// What a process that tries a plugin writes to the one that started it: the outcome as JSON.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "crossfold/json_value.h"
#include "discovery/plugin_scan.h"

namespace crossfold {

// {"end":"works","manifest":{...}} or {"end":"refused","reason":"..."}
std::string ToText(const ScanOutcome& outcome);
JsonValue ToJson(const ScanOutcome& outcome);
// Nothing for what these did not write.
std::optional<ScanOutcome> ParseScanOutcome(std::string_view text);
std::optional<ScanOutcome> ScanOutcomeFromJson(const JsonValue& json);

// For the program crossfold-worker: tries the file here, writes the answer to the descriptor and
// ends the process without calling what plugins have registered for that. `lock`: the text of a
// PluginLock with the one plugin that the file must be; "" = any. Throws Error(kBadData).
[[noreturn]] void AnswerScan(const std::filesystem::path& path, std::string_view lock,
                             int descriptor);

}  // namespace crossfold
