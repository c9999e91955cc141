// The libraries that a plugin brings along. It needs them and they are in its own run path,
// relative to itself ($ORIGIN) or below its folder. The same holds for the libraries that these
// bring along.
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

// Returns existing libraries only, each after those that it needs itself (DT_NEEDED). `path` is
// where the file was found. Any bytes are safe; a damaged file has no neighbours. Throws Error(kIo)
// for a library that cannot be read.
std::vector<Neighbour> NeighboursOf(const PluginFile& file, const std::filesystem::path& path);

// Returns the hashes for a lock, sorted by name. May throw as PluginFile::Sha256 does.
std::vector<LockedLibrary> HashesOf(const std::vector<Neighbour>& neighbours);

}  // namespace crossfold
