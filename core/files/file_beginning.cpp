#include "files/file_beginning.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <mutex>
#include <utility>

#include "files/file_descriptor.h"

namespace crossfold {
namespace {

constexpr std::string_view kDatabase("SQLite format 3\0", 16);

using FileId = std::pair<dev_t, ino_t>;

// Of databases. Two threads that read one at the same time have a descriptor each.
struct KeptFiles {
  std::mutex mutex;
  std::multimap<FileId, FileDescriptor> files;
};

KeptFiles& Kept() {
  static KeptFiles& kept = *new KeptFiles;  // it is never destroyed, as that would close them
  return kept;
}

// The descriptor of a database that was read before; -1 = none.
int FindKept(const FileId& id) {
  KeptFiles& kept = Kept();
  const std::lock_guard lock(kept.mutex);
  const auto found = kept.files.find(id);
  return found == kept.files.end() ? -1 : found->second.get();
}

void Keep(const FileId& id, FileDescriptor file) {
  KeptFiles& kept = Kept();
  const std::lock_guard lock(kept.mutex);
  kept.files.emplace(id, std::move(file));
}

std::string ReadFrom(int fd, std::size_t n) {
  std::string bytes(n, '\0');
  std::size_t used = 0;
  while (used < n) {
    const ssize_t read = ::pread(fd, bytes.data() + used, n - used, static_cast<off_t>(used));
    if (read < 0 && errno == EINTR) continue;
    if (read <= 0) break;
    used += static_cast<std::size_t>(read);
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace

bool BeginsDatabase(std::string_view bytes) { return bytes.starts_with(kDatabase); }

std::optional<std::string> ReadBeginning(const std::filesystem::path& path, std::size_t n) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  if (const int kept = FindKept({facts.st_dev, facts.st_ino}); kept >= 0) return ReadFrom(kept, n);
  // Opening does not wait, even if the file has become a pipe meanwhile.
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open() || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) {
    return std::nullopt;
  }
  std::string bytes = ReadFrom(file.get(), std::max(n, kDatabase.size()));
  if (BeginsDatabase(bytes)) Keep({facts.st_dev, facts.st_ino}, std::move(file));
  bytes.resize(std::min(bytes.size(), n));
  return bytes;
}

}  // namespace crossfold
