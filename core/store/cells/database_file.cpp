#include "store/cells/database_file.h"

#include <fstream>
#include <ios>
#include <string>
#include <string_view>

#include "files/file_bytes.h"

namespace crossfold {

bool IsDatabaseFile(const std::filesystem::path& path) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  if (IsPipeOrDevice(path)) return false;
  std::string first(kMagic.size(), ' ');
  std::ifstream file(path, std::ios::binary);
  return file.read(first.data(), static_cast<std::streamsize>(first.size())) && first == kMagic;
}

}  // namespace crossfold
