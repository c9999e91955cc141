#include "store/cells/database_file.h"

#include "files/file_beginning.h"

namespace crossfold {

bool IsDatabaseFile(const std::filesystem::path& path) {
  constexpr std::size_t kBytes = 16;
  return BeginsDatabase(ReadBeginning(path, kBytes).value_or(""));
}

}  // namespace crossfold
