#include "files/file_beginning.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <mutex>

#include "files/file_descriptor.h"

namespace crossfold {
namespace {

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
