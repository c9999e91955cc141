#include "file_text.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
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

// Reads a file, pipe or device to its end. A pipe needs a writer within a short time. A device or a
// pipe must end within `most_bytes`. Throws Error, such as "there is no such file".
std::string ReadFileBytes(const std::filesystem::path& path, std::int64_t most_bytes) {
  return FileReader(path).ReadAll(static_cast<std::size_t>(most_bytes));
}

// Whether the lease is held and no signal is sent when another program wants to write.
bool TakeLease(int descriptor) {
#ifdef F_SETLEASE
  // The signal would go to this process. Chooses one that is ignored by default, and then no
  // receiver.
  return ::fcntl(descriptor, F_SETSIG, SIGURG) == 0 &&
         ::fcntl(descriptor, F_SETLEASE, F_RDLCK) == 0 && ::fcntl(descriptor, F_SETOWN, 0) == 0;
#else
  return static_cast<void>(descriptor), false;
#endif
}

bool HoldsLease(int descriptor) {
#ifdef F_SETLEASE
  return ::fcntl(descriptor, F_GETLEASE) == F_RDLCK;
#else
  return static_cast<void>(descriptor), false;
#endif
}

// Whether every change of the file goes through this kernel. FUSE (sshfs, virtiofs) and 9P grant
// leases, but their servers may shorten a file without asking.
bool IsLocal(int descriptor) {
  constexpr std::array<std::uint32_t, 2> kRemote = {0x65735546, 0x01021997};  // statfs(2)
  struct statfs facts = {};
  if (::fstatfs(descriptor, &facts) != 0) return false;
  return std::ranges::find(kRemote, static_cast<std::uint32_t>(facts.f_type)) == kRemote.end();
}

}  // namespace

FileText::FileText(const std::filesystem::path& path, std::size_t smallest_map,
                   std::int64_t most_bytes) {
  if (Map(path, smallest_map)) return;
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  copy_ = ReadFileBytes(path, most_bytes);
  text_ = copy_;
}

FileText::~FileText() {
  if (map_ != nullptr) ::munmap(map_, text_.size());
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool FileText::Map(const std::filesystem::path& path, std::size_t smallest_map) {
  std::error_code error;
  if (smallest_map == kNeverMap || !std::filesystem::is_regular_file(path, error)) return false;
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0 || !IsLocal(descriptor_) || !TakeLease(descriptor_)) return false;
  // The size is read under the lease, when it is final.
  struct stat facts = {};
  if (::fstat(descriptor_, &facts) != 0 || !S_ISREG(facts.st_mode)) return false;
  const auto size = static_cast<std::size_t>(facts.st_size);
  if (size == 0 || size < smallest_map) return false;
  void* map = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor_, 0);
  if (map == MAP_FAILED) return false;
  ::madvise(map, size, MADV_SEQUENTIAL);
  map_ = map;
  text_ = {static_cast<const char*>(map), size};
  return true;
}

void FileText::CheckUnchanged() const {
  if (map_ == nullptr || HoldsLease(descriptor_)) return;
  RefuseFile("another program opened it for writing; read it when that is done");
}

}  // namespace crossfold::reading
