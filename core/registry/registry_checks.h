// The file checks.json of a registry: what `plugin check` found on every host.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/plugin_registry.h"

namespace crossfold {

// Why the file of a package is not the one that the index describes: "its SHA-256 is ..., the index
// has ..."; "" = it is. `folder` is that of the registry.
std::string PackageProblem(const std::filesystem::path& folder, const RegistryPlugin& plugin);

// Runs the checks on the plugin in a package. A package that is not the one of the index, or cannot
// be unpacked, has failed; nothing of it runs.
CheckRecord CheckPackage(const std::filesystem::path& folder, const RegistryPlugin& plugin,
                         const std::string& host, const CheckOptions& options);

// Throws Error(kBadData) "<attempt>: ...".
std::vector<HostCheck> ParseHostChecks(std::string_view text, const std::string& attempt);
std::string HostChecksText(std::vector<HostCheck> checks);

}  // namespace crossfold
