// The files of an archive: manifest.json, which says where its run comes from and lists them, and
// whether they are those that ExportRun wrote.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "archive/zip_file.h"
#include "crossfold/json_value.h"
#include "crossfold/store_verify.h"
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

// Compares all files with the list in the manifest, if it has one. Throws Error(kBadData) that
// names every file that is missing, added or changed.
void RequireListedFiles(const ZipReader& archive);

// Finds files that were changed together with the list: compares each file with that of a new
// export of the store inside. `store`: that store, extracted into a temporary folder, into which
// this writes tables.
std::vector<VerifiedFile> CompareFiles(const ZipReader& archive,
                                       const std::filesystem::path& store);

}  // namespace crossfold
