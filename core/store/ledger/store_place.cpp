#include "store/ledger/store_place.h"

#include "archive/zip_file.h"

namespace crossfold {

StorePlace::StorePlace(const std::filesystem::path& file) : path_(file) {
  if (!IsZipFile(file)) return;
  folder_.emplace(ScratchFolder::Temporary());
  path_ = folder_->File("store.cfdb");
  ExtractZipEntry(file, "store.cfdb", path_);
}

}  // namespace crossfold
