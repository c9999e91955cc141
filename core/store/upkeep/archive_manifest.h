// manifest.json of an archive: where its run comes from, and the list of its files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crossfold/json_value.h"
#include "store/ledger/store_reader.h"

namespace crossfold {

inline constexpr const char* kManifestFile = "manifest.json";
inline constexpr const char* kScriptFile = "script.lua";
inline constexpr const char* kStoreFile = "store.cfdb";

// Counted up when the content of a file changes for the same run. Format 1 had no list of files.
inline constexpr std::int64_t kArchiveFormat = 2;

struct ArchiveFile {
  std::string name;
  std::uint64_t bytes = 0;
  std::string sha256;
};

// `files`: all others of the archive, in their order.
JsonObject MakeManifest(StoreReader& reader, const StoredRun& run, bool without_data,
                        const std::vector<std::string>& damaged,
                        const std::vector<ArchiveFile>& files);
// The text of the file.
std::string ManifestText(JsonObject manifest);

}  // namespace crossfold
