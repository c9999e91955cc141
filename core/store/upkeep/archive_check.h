// Whether the files of an archive are those that ExportRun wrote.
#pragma once

#include <filesystem>
#include <vector>

#include "crossfold/store_verify.h"
#include "archive/zip_file.h"

namespace crossfold {

// Compares all files with the list in the manifest, if it has one. Throws Error(kBadData) that
// names every file that is missing, added or changed.
void RequireListedFiles(const ZipReader& archive);

// Finds files that were changed together with the list: compares each file with that of a new
// export of the store inside. `store`: that store, extracted into a temporary folder, into which
// this writes tables.
std::vector<VerifiedFile> CompareFiles(const ZipReader& archive,
                                       const std::filesystem::path& store);

}  // namespace crossfold
