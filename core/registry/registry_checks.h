// The file checks.json of a registry: what `plugin check` found on every host.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/plugin_registry.h"

namespace crossfold {

// Runs the checks on the plugin in a package. A package that cannot be unpacked has failed.
CheckRecord CheckPackage(const std::filesystem::path& package, const std::string& host,
                         const CheckOptions& options);

// Throws Error(kBadData) "<attempt>: ...".
std::vector<HostCheck> ParseHostChecks(std::string_view text, const std::string& attempt);
std::string HostChecksText(std::vector<HostCheck> checks);

}  // namespace crossfold
