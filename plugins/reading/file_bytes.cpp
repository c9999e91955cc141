#include "file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <thread>

#include "refusal.h"

namespace crossfold::reading {
namespace {

// A file, pipe or device that is read from start to end.
class FileReader {
 public:
  // Does not wait in open() for the writer of a pipe.
  explicit FileReader(const std::filesystem::path& path)
      : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (file_ < 0 && (errno == ENOENT || errno == ENOTDIR)) RefuseFile("there is no such file");
    if (file_ < 0) RefuseFile("it cannot be opened; check its permissions");
    struct stat facts = {};
    if (::fstat(file_, &facts) == 0) mode_ = facts.st_mode;
    if (S_ISREG(mode_)) size_ = static_cast<std::size_t>(facts.st_size);
  }
  ~FileReader() { ::close(file_); }
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  std::string ReadAll(std::size_t most_bytes) {
    if (S_ISDIR(mode_)) RefuseFile("it is a folder");
    constexpr std::size_t kBlock = 1 << 16;
    std::string bytes(S_ISREG(mode_) ? size_ + 1 : kBlock, '\0');
    std::size_t used = S_ISFIFO(mode_) ? ReadFirst(bytes) : 0;
    ::fcntl(file_, F_SETFL, 0);  // from here on, reads wait for data
    for (;;) {
      if (!S_ISREG(mode_) && used > most_bytes) {
        RefuseFile("it is a pipe or a device and gave more than " + std::to_string(most_bytes) +
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
  // 0 = end of file.
  std::size_t Read(char* to, std::size_t most, std::size_t so_far) const {
    for (;;) {
      const ssize_t n = ::read(file_, to, most);
      if (n >= 0) return static_cast<std::size_t>(n);
      if (errno != EINTR) {
        RefuseFile("reading failed after " + std::to_string(so_far) + " bytes");
      }
    }
  }

  // The first bytes of a pipe; 0 = it has a writer, but no data yet. Before a writer opens it,
  // read() reports the end at once.
  std::size_t ReadFirst(std::string& bytes) const {
    using Clock = std::chrono::steady_clock;
    const auto until = Clock::now() + kPatience;
    for (;;) {
      const ssize_t n = ::read(file_, bytes.data(), bytes.size());
      if (n > 0) return static_cast<std::size_t>(n);
      if (n < 0 && errno == EAGAIN) return 0;
      if (Clock::now() > until) {
        RefuseFile("it is a pipe without a writer; start the writer first, or name a file");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  static constexpr std::chrono::seconds kPatience{2};

  const int file_;
  mode_t mode_ = 0;
  std::size_t size_ = 0;
};

}  // namespace

std::string ReadFileBytes(const std::filesystem::path& path, std::int64_t most_bytes) {
  return FileReader(path).ReadAll(static_cast<std::size_t>(most_bytes));
}

}  // namespace crossfold::reading
