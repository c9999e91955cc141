// The places that are searched for plugins.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "crossfold/plugin_host.h"

namespace crossfold {

struct SearchPlan {
  // Absolute files and folders in order, without duplicates. They need not exist.
  std::vector<std::filesystem::path> places;
  std::set<std::filesystem::path> installed;  // of the places: plugins that were installed
  std::size_t n_explicit = 0;                 // the first of them are options.paths
  // InstallationFolder(), searched or not.
  std::filesystem::path installation;
  std::vector<std::string> warnings;  // about parts of the environment that were left out
};

// Returns the folder of the bundled plugins; "" = there is none.
std::filesystem::path InstallationFolder();

// Returns the absolute path of a plugin that a user has named, which may be a folder: without the
// slash that shells append, and without "/." at its end.
std::filesystem::path PluginPath(const std::filesystem::path& given);

SearchPlan PlanSearch(const PluginHostOptions& options);

// Returns the file in the installation's folder to which `file` leads through links (which may
// change before it is loaded); nullopt if it leads to none.
std::optional<std::filesystem::path> InstalledFile(const std::filesystem::path& installation,
                                                   const std::filesystem::path& file);

// Returns the files "*.crossfold.so" and the folders "*.crossfold" directly in `folder`, sorted by
// name. After a failure it returns those that were read before it.
std::vector<std::filesystem::path> PluginFiles(const std::filesystem::path& folder,
                                               std::error_code& failure);

}  // namespace crossfold
