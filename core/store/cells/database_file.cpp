#include "store/cells/database_file.h"

#include <fstream>
#include <ios>
#include <string>
#include <string_view>
#include <system_error>

#include "crossfold/error.h"
#include "files/file_bytes.h"
#include "store/cells/sqlite.h"

namespace crossfold {
namespace {

// By SQLite: closing a file of our own would drop the locks that other connections of this process
// have on it (POSIX). Then another process that closes the database would delete its write-ahead
// log.
bool IsReadBySqlite(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored) ||
      std::filesystem::file_size(path, ignored) == 0) {
    return false;
  }
  try {
    Database(path, Database::Access::kImmutable).Number("PRAGMA application_id");
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

bool IsDatabaseFile(const std::filesystem::path& path) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  if (IsReadBySqlite(path)) return true;
  if (IsPipeOrDevice(path)) return false;
  // No connection of this process has such a file open. Is it a damaged database?
  std::string first(kMagic.size(), ' ');
  std::ifstream file(path, std::ios::binary);
  return file.read(first.data(), static_cast<std::streamsize>(first.size())) && first == kMagic;
}

}  // namespace crossfold
