#include "data/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

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

// A file, pipe or device that is read from its begin to its end.
class FileReader {
 public:
  FileReader(const std::filesystem::path& path, const std::string& attempt) : attempt_(attempt) {
    // Not to wait in open() for someone who writes into a pipe.
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor_ < 0 && (errno == ENOENT || errno == ENOTDIR)) {
      Refuse(attempt, "there is no such file");
    }
    if (descriptor_ < 0) Refuse(attempt, "it cannot be opened; may you read it?");
    struct stat facts = {};
    if (::fstat(descriptor_, &facts) == 0) mode_ = facts.st_mode;
    if (S_ISREG(mode_)) size_ = static_cast<std::size_t>(facts.st_size);
  }
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;
  ~FileReader() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  std::string ReadAll(std::size_t most_bytes) {
    if (S_ISDIR(mode_)) Refuse(attempt_, "it is a folder");
    constexpr std::size_t kBlock = 1 << 16;
    std::string bytes(S_ISREG(mode_) ? size_ + 1 : kBlock, '\0');
    std::size_t used = S_ISFIFO(mode_) ? ReadFirst(bytes) : 0;
    ::fcntl(descriptor_, F_SETFL, 0);  // from here on it waits for what comes
    for (;;) {
      if (!S_ISREG(mode_) && used > most_bytes) {
        Refuse(attempt_, "it is a pipe or a device and gave more than " +
                             std::to_string(most_bytes) +
                             " bytes; raise most_bytes if that is right");
      }
      if (used == bytes.size()) bytes.resize(2 * bytes.size());
      const std::size_t n = Read(bytes.data() + used, bytes.size() - used, used);
      if (n == 0) break;
      used += n;
    }
    bytes.resize(used);
    return bytes;
  }

 private:
  // 0 = it has ended.
  std::size_t Read(char* to, std::size_t most, std::size_t so_far) const {
    for (;;) {
      const ssize_t n = ::read(descriptor_, to, most);
      if (n >= 0) return static_cast<std::size_t>(n);
      if (errno != EINTR) {
        Refuse(attempt_, "reading failed after " + std::to_string(so_far) + " bytes");
      }
    }
  }

  // The first bytes of a pipe; 0 = someone who writes is there. A pipe ends at once while nobody
  // has opened it for writing.
  std::size_t ReadFirst(std::string& bytes) const {
    using Clock = std::chrono::steady_clock;
    const auto until = Clock::now() + kPatience;
    for (;;) {
      const ssize_t n = ::read(descriptor_, bytes.data(), bytes.size());
      if (n > 0) return static_cast<std::size_t>(n);
      if (n < 0 && errno == EAGAIN) return 0;
      if (Clock::now() > until) {
        Refuse(attempt_, "it is a pipe and nobody writes into it; start who does, or name a file");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  static constexpr std::chrono::seconds kPatience{2};

  const std::string& attempt_;
  int descriptor_ = -1;
  mode_t mode_ = 0;
  std::size_t size_ = 0;
};

}  // namespace

bool IsPipeOrDevice(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

void WriteFileBytes(const std::filesystem::path& path, std::string_view bytes,
                    const std::string& attempt) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) Refuse(attempt, "it is a folder");
  if (IsPipeOrDevice(path)) Refuse(attempt, "it is a device or a pipe; choose a file");
  TemporaryFile file(path);
  if (!file.is_open() || !file.Write(bytes) || !file.RenameTo(path)) {
    const std::string reason = std::generic_category().message(errno);
    Refuse(attempt, "it cannot be written (" + reason + "); choose another place");
  }
}

std::string ReadFileBytes(const std::filesystem::path& path) {
  return ReadFileBytes(path, "cannot read '" + path.string() + "'");
}

std::string ReadFileBytes(const std::filesystem::path& path, const std::string& attempt,
                          std::int64_t most_bytes) {
  return FileReader(path, attempt).ReadAll(static_cast<std::size_t>(most_bytes));
}

}  // namespace crossfold
