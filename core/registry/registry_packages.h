// The packages of a registry: how they are made before they are put in place, whether they are
// still those of the index, and the file checks.json, what `plugin check` found of them on every
// host.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/plugin_package.h"
#include "crossfold/plugin_registry.h"

namespace crossfold {

constexpr const char* kPackageFolder = "packages";

// A package before it is put in place.
struct MadePackage {
  std::filesystem::path file;  // that was added
  std::filesystem::path package;
  RegistryPlugin plugin;  // its entry in the index
};

// Makes the package of a plugin, a package or a submission in `folder`, which is made. What runs on
// this machine is checked, unless `options` say no; a package for another one keeps its checks.
// Throws Error as ExaminePlugin does, and if a package is not what its plugin is.
MadePackage MakePackage(const std::filesystem::path& file, const PackOptions& options,
                        const std::filesystem::path& folder);

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
