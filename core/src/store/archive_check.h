// Whether the files of an archive are those that ExportRun wrote.
#pragma once

#include <filesystem>
#include <vector>

#include "crossfold/store_verify.h"
#include "store/zip_file.h"

namespace crossfold {

// Compares all files with the list in the manifest, if it has one. Throws Error(kBadData) that
// names every file that is missing, added or changed.
void RequireListedFiles(const ZipReader& archive);

// Finds what was changed together with the list: compares each file with what the store inside
// gives when it is exported again. `store`: that store, extracted into a folder for files of this
// process, which tables are written into.
std::vector<VerifiedFile> CompareFiles(const ZipReader& archive,
                                       const std::filesystem::path& store);

}  // namespace crossfold
