// Where plugins are looked for.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "crossfold/plugin_host.h"

namespace crossfold {

struct SearchPlan {
  // Absolute files and folders, in order, none twice. They may not exist.
  std::vector<std::filesystem::path> places;
  std::size_t n_explicit = 0;  // the first of them are options.paths
  // The folder of the bundled plugins, searched or not; "" = none.
  std::filesystem::path installation;
  std::vector<std::string> warnings;  // parts of the environment that were left out
};

SearchPlan PlanSearch(const PluginHostOptions& options);

// The file in the installation's folder to which `file` leads through links, which may lead
// elsewhere by the time it is loaded; nullopt if it leads to none.
std::optional<std::filesystem::path> InstalledFile(const std::filesystem::path& installation,
                                                   const std::filesystem::path& file);

// The files "*.crossfold.so" directly in `folder`, sorted by name; those that were read before a
// failure.
std::vector<std::filesystem::path> PluginFiles(const std::filesystem::path& folder,
                                               std::error_code& failure);

}  // namespace crossfold
