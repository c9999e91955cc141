// A plugin that is added to a registry: its package, before it is put in place.
#pragma once

#include <filesystem>

#include "crossfold/plugin_package.h"

namespace crossfold {

constexpr const char* kPackageFolder = "packages";

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

}  // namespace crossfold
