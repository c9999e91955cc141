// Loads a plugin file with the dynamic loader. It is never unloaded.
#pragma once

#include <boost/dll/shared_library.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "discovery/neighbours.h"
#include "discovery/plugin_file.h"

namespace crossfold {

struct OpenedLibrary {
  boost::dll::shared_library library;
  std::string problem;  // empty = opened
};

// A file on the disk is loaded by its path, like any library. If another file has taken its place
// by then, this is detected after the load and is a problem; constructors of the other file have
// run. A sealed file is loaded through its descriptor, so that only these bytes run. The libraries
// next to it, which the loader would not find, are loaded before it in the same way. REQUIRES:
// `path` is absolute, and `file` was opened there; `neighbours` are those of a sealed file.
OpenedLibrary OpenLibrary(const PluginFile& file, const std::filesystem::path& path,
                          const std::vector<Neighbour>& neighbours);

}  // namespace crossfold
