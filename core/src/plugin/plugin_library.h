// Hands a plugin file to the dynamic loader, never to be unloaded again.
#pragma once

#include <boost/dll/shared_library.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/plugin_file.h"

namespace crossfold {

struct OpenedLibrary {
  boost::dll::shared_library library;
  std::string problem;  // empty = opened
};

// How the loader gets at the file.
enum class LoadBy {
  // By its path, like any library. If another file lay there by then, that is found afterwards and
  // is a problem; constructors of the other file have run.
  kPath,
  // Through the descriptor: what runs is the file that was opened, and nothing else. The libraries
  // that lie beside it are opened by their paths before, for the loader knows no $ORIGIN then.
  kDescriptor
};

// REQUIRES: `path` is absolute, and `file` was opened there.
OpenedLibrary OpenLibrary(const PluginFile& file, const std::filesystem::path& path, LoadBy by);

}  // namespace crossfold
