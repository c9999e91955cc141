// The libraries that a plugin brings along: those that it names and that lie where its own run path
// says, relative to itself ($ORIGIN).
#pragma once

#include <filesystem>
#include <vector>

#include "plugin/plugin_file.h"

namespace crossfold {

// In the order in which the file names them (DT_NEEDED); only those that exist. `path` is where the
// file was found. Reads any bytes without harm; from a damaged file it finds none.
std::vector<std::filesystem::path> NeighboursOf(const PluginFile& file,
                                                const std::filesystem::path& path);

}  // namespace crossfold
