// Loads one shared library and enters it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/component.h"
#include "plugin/manifest.h"

namespace crossfold {

struct LoadResult {
  std::vector<std::shared_ptr<const Component>> components;
  std::string problem;  // "declines: needs a newer host"; empty = loaded
  // What the plugin logged and what it did wrong while it was loaded: CF_LOG_... and a line each.
  std::vector<std::pair<std::int32_t, std::string>> log;
};

// Loads the file, never to unload it again, and offers all of its components or none. Thread-safe;
// the same file (device and inode) is entered once in the life of the process, whoever asks, so
// that there is one lock for a library that takes one call at a time. REQUIRES: `path` is absolute.
LoadResult LoadPlugin(const std::filesystem::path& path, const Manifest& manifest);

// The dynamic loader's complaint about `path`, for people: "needs libfoo.so.1, which is not found".
std::string ExplainLoadError(std::string_view complaint, const std::filesystem::path& path);

}  // namespace crossfold
