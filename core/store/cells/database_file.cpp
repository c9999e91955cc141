#include "store/cells/database_file.h"

#include "files/file_beginning.h"

namespace crossfold {

bool BeginsDatabase(std::string_view bytes) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  return bytes.starts_with(kMagic);
}

bool IsDatabaseFile(const std::filesystem::path& path) {
  constexpr std::size_t kBytes = 16;
  return BeginsDatabase(ReadBeginning(path, kBytes).value_or(""));
}

}  // namespace crossfold
