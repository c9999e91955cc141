#include "cli/whole_file.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "crossfold/error.h"

namespace crossfold::cli {

void WriteWholeFile(const std::string& path, const std::string& text) {
  namespace fs = std::filesystem;
  const bool replaced = !fs::exists(path) || fs::is_regular_file(path);
  const std::string temporary = replaced ? path + ".tmp" : path;
  std::ofstream file(temporary, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (file && replaced) fs::rename(temporary, path, error);
  if (!file || error) {
    if (replaced) fs::remove(temporary, error);
    throw Error(ErrorKind::kIo, "cannot write '" + path + "': choose another place");
  }
}

}  // namespace crossfold::cli
