// Any bytes as a plugin's file, as the JSON text of its manifest and as the crossfold.json of a
// folder: a manifest, what the library needs, or a problem in one line.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "discovery/library_facts.h"
#include "discovery/manifest_file.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"

namespace {

using crossfold::IsWellFormedId;
using crossfold::ManifestReading;
using crossfold::fuzz::Demand;

void Check(const ManifestReading& reading) {
  if (!reading.problem.empty()) {
    Demand(reading.problem.find('\n') == std::string::npos, "a problem is one line");
    return;
  }
  const crossfold::Manifest& manifest = reading.manifest;
  Demand(IsWellFormedId(manifest.id) && !manifest.version.empty(), "a manifest has a good id");
  for (const std::string& id : manifest.ids.all()) {
    Demand(IsWellFormedId(id), "components have good ids");
  }
  Demand(!manifest.ids.empty() || !manifest.factories.empty(), "a manifest offers something");
}

}  // namespace

int crossfold::fuzz::FeedManifest(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  Check(crossfold::ReadManifest(text));
  Check(crossfold::ParseManifest(text));
  Check(crossfold::ParseFolderManifest(text));
  const crossfold::LibraryReading library = crossfold::ReadLibraryFacts(text);
  Demand(library.problem.find('\n') == std::string::npos, "a problem is one line");
  // A file that got shorter while it was read.
  Check(crossfold::ReadManifest(
      size, [](std::uint64_t, std::span<char> out) { return out.size() <= 16; }));
  return 0;
}
