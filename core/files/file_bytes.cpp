#include "files/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

#include "crossfold/error.h"
#include "crossfold/whole_file.h"
#include "files/file_descriptor.h"
#include "files/scratch_folder.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void Refuse(const std::string& attempt, const std::string& finding) {
  throw Error(ErrorKind::kIo, attempt + ": " + finding);
}

// A file that is being written. Each member returns false with the reason in errno.
class OutputFile {
 public:
  OutputFile(const fs::path& path, int flags, mode_t mode)
      : file_(::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, mode)) {}

  bool is_open() const { return file_.is_open(); }
  bool Write(std::string_view bytes) { return WriteAll(file_.get(), bytes); }
  bool SetMode(mode_t mode) { return ::fchmod(file_.get(), mode) == 0; }
  bool Sync() { return ::fsync(file_.get()) == 0; }
  bool Close() { return ::close(file_.Release()) == 0; }

 private:
  FileDescriptor file_;
};

// A file, pipe or device that is read from start to end.
class FileReader {
 public:
  // Opens the file without waiting for the writer of a pipe.
  FileReader(const std::filesystem::path& path, const std::string& attempt)
      : attempt_(attempt), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (!file_.is_open() && (errno == ENOENT || errno == ENOTDIR)) {
      Refuse(attempt, "there is no such file");
    }
    if (!file_.is_open()) Refuse(attempt, "it cannot be opened; check its permissions");
    struct stat facts = {};
    if (::fstat(file_.get(), &facts) == 0) mode_ = facts.st_mode;
    if (S_ISREG(mode_)) size_ = static_cast<std::size_t>(facts.st_size);
  }

  void RefuseDevice() const {
    if (S_ISREG(mode_) || S_ISFIFO(mode_) || S_ISDIR(mode_)) return;
    Refuse(attempt_, "it is a device; name a file");
  }

  std::string ReadAll(std::size_t most_bytes) {
    if (S_ISDIR(mode_)) Refuse(attempt_, "it is a folder");
    constexpr std::size_t kBlock = 1 << 16;
    std::string bytes(S_ISREG(mode_) ? size_ + 1 : kBlock, '\0');
    std::size_t used = S_ISFIFO(mode_) ? ReadFirst(bytes) : 0;
    ::fcntl(file_.get(), F_SETFL, 0);  // from here on, reads wait for data
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
  // Reads bytes; returns 0 at the end of the file.
  std::size_t Read(char* to, std::size_t most, std::size_t so_far) const {
    for (;;) {
      const ssize_t n = ::read(file_.get(), to, most);
      if (n >= 0) return static_cast<std::size_t>(n);
      if (errno != EINTR) {
        Refuse(attempt_, "reading failed after " + std::to_string(so_far) + " bytes");
      }
    }
  }

  // Reads the first bytes of a pipe; returns 0 if it has a writer, but no data yet. Before a writer
  // opens it, read() reports the end at once.
  std::size_t ReadFirst(std::string& bytes) const {
    using Clock = std::chrono::steady_clock;
    const auto until = Clock::now() + kPatience;
    for (;;) {
      const ssize_t n = ::read(file_.get(), bytes.data(), bytes.size());
      if (n > 0) return static_cast<std::size_t>(n);
      if (n < 0 && errno == EAGAIN) return 0;
      if (Clock::now() > until) {
        Refuse(attempt_, "it is a pipe without a writer; start the writer first, or name a file");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  static constexpr std::chrono::seconds kPatience{2};

  const std::string& attempt_;
  const FileDescriptor file_;
  mode_t mode_ = 0;
  std::size_t size_ = 0;
};

[[noreturn]] void RefuseToWrite(const std::string& attempt, int code) {
  Refuse(attempt, "it cannot be written (" + std::generic_category().message(code) +
                      "); choose another place");
}

constexpr auto kRights = fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read |
                         fs::perms::group_write | fs::perms::others_read | fs::perms::others_write;

// Writes a file next to the old one and renames it; a symbolic link stays.
void Replace(const fs::path& path, std::string_view bytes, const std::string& attempt) {
  const fs::path target = RealPath(path);
  std::error_code error;
  const fs::file_status old = fs::status(target, error);
  try {
    const ScratchFolder scratch = ScratchFolder::NextTo(target);
    const fs::path fresh = scratch.File("new");
    OutputFile file(fresh, O_CREAT | O_EXCL, 0666);
    const bool is_written =
        file.is_open() &&
        (!fs::exists(old) || file.SetMode(static_cast<mode_t>(old.permissions() & kRights))) &&
        file.Write(bytes) && file.Sync() && file.Close();
    if (!is_written || ::rename(fresh.c_str(), target.c_str()) != 0) RefuseToWrite(attempt, errno);
  } catch (const std::system_error& e) {
    RefuseToWrite(attempt, e.code().value());
  }
}

// Whether the path is a name of a file that this process has open, which cannot be renamed.
bool IsOpenHere(const fs::path& path) {
  const std::string text = path.lexically_normal().string();
  return text.starts_with("/proc/") || text.starts_with("/dev/fd/") || text == "/dev/stdout" ||
         text == "/dev/stderr";
}

using FileId = std::pair<std::uint64_t, std::uint64_t>;

struct Use {
  int n_connections = 0;
  FileDescriptor kept;  // read meanwhile; it is closed after the last connection
};

// Locks belong to the process, so this does, too.
struct Uses {
  std::mutex mutex;
  std::map<FileId, Use> files;
};

Uses& UsesOfProcess() {
  static Uses& uses = *new Uses;  // never destroyed: connections may outlive static objects
  return uses;
}

FileId IdOf(const struct stat& facts) { return {facts.st_dev, facts.st_ino}; }

std::string ReadFrom(const FileDescriptor& file, std::size_t n) {
  std::string bytes(n, '\0');
  std::size_t used = 0;
  while (used < n) {
    const ssize_t read =
        ::pread(file.get(), bytes.data() + used, n - used, static_cast<off_t>(used));
    if (read < 0 && errno == EINTR) continue;
    if (read <= 0) break;
    used += static_cast<std::size_t>(read);
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace

bool IsPipeOrDevice(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

void WriteFileBytes(const fs::path& path, std::string_view bytes, const std::string& attempt) {
  std::error_code error;
  if (fs::is_directory(path, error)) Refuse(attempt, "it is a folder");
  if (IsPipeOrDevice(path)) Refuse(attempt, "it is a device or a pipe; choose a file");
  Replace(path, bytes, attempt);
}

void WriteWholeFile(const fs::path& path, std::string_view bytes) {
  const std::string attempt = "cannot write '" + path.string() + "'";
  std::error_code error;
  if (fs::is_directory(path, error)) {
    Refuse(attempt, "it is a folder; choose another place");
  }
  if (!IsOpenHere(path) && !IsPipeOrDevice(path)) {
    return Replace(path, bytes, attempt);
  }
  OutputFile file(path, O_TRUNC, 0666);
  if (!file.is_open() || !file.Write(bytes) || !file.Close()) RefuseToWrite(attempt, errno);
}

std::string ReadFileBytes(const std::filesystem::path& path) {
  return ReadFileBytes(path, "cannot read '" + path.string() + "'");
}

std::string ReadFileBytes(const std::filesystem::path& path, const std::string& attempt) {
  FileReader file(path, attempt);
  file.RefuseDevice();
  return file.ReadAll(kMaxPipeBytes);
}

std::string ReadFileBytes(const std::filesystem::path& path, const std::string& attempt,
                          std::int64_t most_bytes) {
  return FileReader(path, attempt).ReadAll(static_cast<std::size_t>(most_bytes));
}

DatabaseInUse::DatabaseInUse(const std::filesystem::path& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return;
  file_ = IdOf(facts);
  Uses& uses = UsesOfProcess();
  const std::lock_guard lock(uses.mutex);
  ++uses.files[*file_].n_connections;
}

DatabaseInUse::~DatabaseInUse() {
  if (!file_) return;
  Uses& uses = UsesOfProcess();
  const std::lock_guard lock(uses.mutex);
  const auto use = uses.files.find(*file_);
  if (--use->second.n_connections == 0) uses.files.erase(use);
}

std::optional<std::string> ReadBeginning(const std::filesystem::path& path, std::size_t n) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  Uses& uses = UsesOfProcess();
  const std::lock_guard lock(uses.mutex);  // nobody opens a connection between opening and closing
  const auto known = uses.files.find(IdOf(facts));
  if (known != uses.files.end() && known->second.kept.is_open()) {
    return ReadFrom(known->second.kept, n);
  }
  // Opening does not wait, even if the file has become a pipe meanwhile.
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open() || ::fstat(file.get(), &facts) != 0) return std::nullopt;
  std::optional<std::string> bytes;
  if (S_ISREG(facts.st_mode)) bytes = ReadFrom(file, n);
  const auto use = uses.files.find(IdOf(facts));
  if (use != uses.files.end() && !use->second.kept.is_open()) use->second.kept = std::move(file);
  return bytes;
}

}  // namespace crossfold
