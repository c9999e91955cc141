// Opens the file of a catalog.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "store/cells/sqlite.h"

namespace crossfold {

// Opens a catalog for writing, and makes it if there is none. Throws Error for another file, which
// is not changed, and for a damaged catalog.
std::unique_ptr<Database> OpenCatalogFile(const std::filesystem::path& path);
// Opens a catalog to read it. Throws Error also if there is none.
std::unique_ptr<Database> OpenCatalogToRead(const std::filesystem::path& path);

// Throws `e`, which SQLite reported, as an Error about the catalog; one about a store as it is.
[[noreturn]] void ThrowOfCatalog(const std::filesystem::path& path, const SqliteError& e);

// Calls work(), and throws errors of SQLite as errors about the catalog.
template <class Work>
auto OnCatalog(const std::filesystem::path& path, Work&& work) {
  try {
    return work();
  } catch (const SqliteError& e) {
    ThrowOfCatalog(path, e);
  }
}

}  // namespace crossfold
