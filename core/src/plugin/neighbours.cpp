#include "plugin/neighbours.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "plugin/library_facts.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

// The folder that an entry of a run path means, if it begins with $ORIGIN; else "".
fs::path FolderOfEntry(std::string_view entry, const fs::path& origin) {
  for (const std::string_view token : {"$ORIGIN", "${ORIGIN}"}) {
    if (!entry.starts_with(token)) continue;
    const std::string_view rest = entry.substr(token.size());
    if (rest.empty() || rest.front() == '/') return origin.string() + std::string(rest);
  }
  return {};
}

}  // namespace

std::vector<fs::path> NeighboursOf(const PluginFile& file, const fs::path& path) {
  const LibraryReading reading = ReadLibraryFacts(
      file.size(),
      [&file](std::uint64_t offset, std::span<char> out) { return file.Read(offset, out); });
  std::vector<fs::path> found;
  for (const std::string& library : reading.facts.needed) {
    if (library.empty() || library.find('/') != std::string::npos) continue;
    for (const std::string& entry : reading.facts.run_paths) {
      const fs::path folder = FolderOfEntry(entry, path.parent_path());
      std::error_code failure;
      if (folder.empty() || !fs::is_regular_file(folder / library, failure)) continue;
      found.push_back((folder / library).lexically_normal());
      break;
    }
  }
  return found;
}

}  // namespace crossfold
