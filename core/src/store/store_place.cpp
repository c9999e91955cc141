#include "store/store_place.h"

#include <stdlib.h>

#include <string>
#include <system_error>

#include "crossfold/error.h"
#include "store/zip_file.h"

namespace crossfold {

std::filesystem::path MakeTemporaryFolder() {
  std::string pattern = std::filesystem::temp_directory_path() / "crossfold-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) {
    throw Error(ErrorKind::kIo, "cannot make a folder '" + pattern +
                                    "'; name one that can be written to in TMPDIR");
  }
  return pattern;
}

StorePlace::StorePlace(const std::filesystem::path& file) : path_(file) {
  if (!IsZipFile(file)) return;
  folder_ = MakeTemporaryFolder();
  path_ = folder_ / "store.cfdb";
  try {
    ExtractZipEntry(file, "store.cfdb", path_);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    throw;
  }
}

StorePlace::~StorePlace() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

}  // namespace crossfold
