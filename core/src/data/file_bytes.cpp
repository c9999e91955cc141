#include "data/file_bytes.h"

#include <fstream>
#include <system_error>

#include "crossfold/error.h"

namespace crossfold {
namespace {

[[noreturn]] void Refuse(const std::filesystem::path& path, const std::string& finding) {
  throw Error(ErrorKind::kIo, "cannot read '" + path.string() + "': " + finding);
}

}  // namespace

std::string ReadFileBytes(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) Refuse(path, "there is no such file");
  if (std::filesystem::is_directory(status)) Refuse(path, "it is a folder");

  std::ifstream file(path, std::ios::binary);
  if (!file) Refuse(path, "it cannot be opened; may you read it?");

  constexpr std::size_t kBlock = 1 << 16;
  const auto known_size = std::filesystem::file_size(path, error);  // fails for pipes
  std::string bytes(error ? kBlock : static_cast<std::size_t>(known_size) + 1, '\0');
  std::size_t used = 0;
  while (file) {
    if (used == bytes.size()) bytes.resize(2 * bytes.size());
    file.read(bytes.data() + used, static_cast<std::streamsize>(bytes.size() - used));
    used += static_cast<std::size_t>(file.gcount());
  }
  if (file.bad()) Refuse(path, "reading failed after " + std::to_string(used) + " bytes");
  bytes.resize(used);
  return bytes;
}

}  // namespace crossfold
