#include "data/file_bytes.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "crossfold/error.h"

namespace crossfold {
namespace {

[[noreturn]] void Refuse(const std::string& attempt, const std::string& finding) {
  throw Error(ErrorKind::kIo, attempt + ": " + finding);
}

// A new file beside `path`, removed unless it is renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& path) {
    for (int attempt = 0; attempt < 100 && descriptor_ < 0; ++attempt) {
      name_ =
          path.string() + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".tmp";
      descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ < 0 && errno != EEXIST) return;
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ < 0) return;
    Close();
    if (!renamed_) ::unlink(name_.c_str());
  }

  // Each returns false with the reason in errno.
  bool is_open() const { return descriptor_ >= 0; }
  bool Write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return ::fsync(descriptor_) == 0 && Close();
  }
  bool RenameTo(const std::filesystem::path& path) {
    renamed_ = ::rename(name_.c_str(), path.c_str()) == 0;
    return renamed_;
  }

 private:
  bool Close() {
    const bool closed = closed_ || ::close(descriptor_) == 0;
    closed_ = true;
    return closed;
  }

  std::string name_;
  int descriptor_ = -1;
  bool closed_ = false;
  bool renamed_ = false;
};

}  // namespace

void WriteFileBytes(const std::filesystem::path& path, std::string_view bytes,
                    const std::string& attempt) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) Refuse(attempt, "it is a folder");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    Refuse(attempt, "it is a device or a pipe; choose a file");
  }
  TemporaryFile file(path);
  if (!file.is_open() || !file.Write(bytes) || !file.RenameTo(path)) {
    const std::string reason = std::generic_category().message(errno);
    Refuse(attempt, "it cannot be written (" + reason + "); choose another place");
  }
}

std::string ReadFileBytes(const std::filesystem::path& path) {
  return ReadFileBytes(path, "cannot read '" + path.string() + "'");
}

std::string ReadFileBytes(const std::filesystem::path& path, const std::string& attempt) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    Refuse(attempt, "there is no such file");
  if (std::filesystem::is_directory(status)) Refuse(attempt, "it is a folder");

  std::ifstream file(path, std::ios::binary);
  if (!file) Refuse(attempt, "it cannot be opened; may you read it?");

  constexpr std::size_t kBlock = 1 << 16;
  const auto known_size = std::filesystem::file_size(path, error);  // fails for pipes
  std::string bytes(error ? kBlock : static_cast<std::size_t>(known_size) + 1, '\0');
  std::size_t used = 0;
  while (file) {
    if (used == bytes.size()) bytes.resize(2 * bytes.size());
    file.read(bytes.data() + used, static_cast<std::streamsize>(bytes.size() - used));
    used += static_cast<std::size_t>(file.gcount());
  }
  if (file.bad()) Refuse(attempt, "reading failed after " + std::to_string(used) + " bytes");
  bytes.resize(used);
  return bytes;
}

}  // namespace crossfold
