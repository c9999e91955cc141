// The libraries that a plugin brings along: those that it names and that lie where its own run path
// says, relative to itself ($ORIGIN) or below its folder; and what these bring along likewise.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "crossfold/plugin_lock.h"
#include "discovery/plugin_file.h"

namespace crossfold {

struct Neighbour {
  std::string needed;  // its name in DT_NEEDED: "libdep.so"
  std::filesystem::path path;
  std::string name;                        // the path from the plugin's folder
  std::shared_ptr<const PluginFile> file;  // sealed if the plugin's is
};

// Existing libraries only, each after those that it needs itself (DT_NEEDED). `path` is where the
// file was found. Safe for any bytes; a damaged file gives none. Throws
// Error(kIo) for a library that cannot be read.
std::vector<Neighbour> NeighboursOf(const PluginFile& file, const std::filesystem::path& path);

// For a lock: sorted by name. May throw as PluginFile::Sha256.
std::vector<LockedLibrary> HashesOf(const std::vector<Neighbour>& neighbours);

}  // namespace crossfold
