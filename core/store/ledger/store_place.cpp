#include "store/ledger/store_place.h"

#include "archive/zip_file.h"
#include "store/cells/database_file.h"

namespace crossfold {

// Whether it is a database is asked first, as this process may have the store open.
bool IsArchive(const std::filesystem::path& file) {
  return !IsDatabaseFile(file) && IsZipFile(file);
}

StorePlace::StorePlace(const std::filesystem::path& file) : path_(file) {
  if (!IsArchive(file)) return;
  folder_.emplace(ScratchFolder::Temporary());
  path_ = folder_->File("store.cfdb");
  ExtractZipEntry(file, "store.cfdb", path_);
}

}  // namespace crossfold
