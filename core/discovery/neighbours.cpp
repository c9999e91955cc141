#include "discovery/neighbours.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "crossfold/error.h"
#include "discovery/library_facts.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

// Returns the folder of an entry of a run path if it begins with $ORIGIN, or is `origin` or a
// folder below it; else "".
fs::path FolderOfEntry(std::string_view entry, const fs::path& origin) {
  for (const std::string_view token : {"$ORIGIN", "${ORIGIN}"}) {
    if (!entry.starts_with(token)) continue;
    const std::string_view rest = entry.substr(token.size());
    if (rest.empty() || rest.front() == '/') return origin.string() + std::string(rest);
  }
  if (!entry.starts_with('/')) return {};
  std::error_code failure;
  const fs::path below = fs::weakly_canonical(entry, failure)
                             .lexically_relative(fs::weakly_canonical(origin, failure));
  return failure || below.empty() || *below.begin() == ".." ? fs::path() : origin / below;
}

// Returns the path of the library in a folder of its run path; "" = it is in none.
fs::path FindInRunPath(const std::string& needed, const std::vector<std::string>& run_paths,
                       const fs::path& origin) {
  if (needed.empty()) return {};
  const bool is_path = needed.find('/') != std::string::npos;
  const fs::path name = fs::path(needed).filename();
  const std::vector<std::string> own = {fs::path(needed).parent_path().string()};
  for (const std::string& entry : is_path ? own : run_paths) {
    const fs::path folder = FolderOfEntry(entry, origin);
    std::error_code failure;
    if (!folder.empty() && fs::is_regular_file(folder / name, failure)) {
      return (folder / name).lexically_normal();
    }
  }
  return {};
}

class NeighbourCollection {
 public:
  NeighbourCollection(PluginFile::Bytes bytes, fs::path folder)
      : bytes_(bytes), folder_(std::move(folder)) {}

  void AddNeighboursOf(const PluginFile& file, const fs::path& path) {
    const LibraryReading reading = ReadLibraryNeeds(file.size(), file.reader());
    for (const std::string& needed : reading.facts.needed) {
      const fs::path found = FindInRunPath(needed, reading.facts.run_paths, path.parent_path());
      if (!found.empty() && known_.insert(found).second) Add(needed, found);
    }
  }

  std::vector<Neighbour> Take() { return std::move(neighbours_); }

 private:
  void Add(const std::string& needed, const fs::path& path) {
    auto file = std::make_shared<const PluginFile>(path, bytes_);
    if (!file->problem().empty()) {
      throw Error(ErrorKind::kIo,
                  "cannot read its library '" + path.string() + "': " + file->problem());
    }
    AddNeighboursOf(*file, path);
    neighbours_.push_back(
        {needed, path, path.lexically_relative(folder_).string(), std::move(file)});
  }

  PluginFile::Bytes bytes_;
  fs::path folder_;
  std::set<fs::path> known_;
  std::vector<Neighbour> neighbours_;
};

}  // namespace

std::vector<Neighbour> NeighboursOf(const PluginFile& file, const fs::path& path) {
  NeighbourCollection collection(file.bytes(), path.parent_path().lexically_normal());
  collection.AddNeighboursOf(file, path);
  return collection.Take();
}

std::vector<LockedLibrary> HashesOf(const std::vector<Neighbour>& neighbours) {
  std::vector<LockedLibrary> hashes;
  for (const Neighbour& neighbour : neighbours) {
    hashes.push_back({neighbour.name, neighbour.file->Sha256()});
  }
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}

}  // namespace crossfold
