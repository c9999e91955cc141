#include "files/scratch_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include "crossfold/error.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxName = 200;  // with its suffix; names may have 255 bytes
constexpr std::string_view kDigits = "XXXXXX";

// Whether the open folder is at the path.
bool IsAt(int descriptor, const fs::path& path) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

// Opens and locks a folder of this user. Returns -1 if it is not one, or if its process is alive.
int LockLeft(const fs::path& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat status {};
  const bool is_left = folder >= 0 && ::fstat(folder, &status) == 0 &&
                       status.st_uid == ::geteuid() && ::flock(folder, LOCK_EX | LOCK_NB) == 0;
  if (is_left) return folder;
  if (folder >= 0) ::close(folder);
  return -1;
}

void RemoveLeft(const fs::path& parent, const std::string& start) {
  std::error_code ignored;
  for (fs::directory_iterator i(parent, ignored), end; !ignored && i != end; i.increment(ignored)) {
    const std::string name = i->path().filename().string();
    if (!name.starts_with(start) || name.size() != start.size() + kDigits.size()) continue;
    const int folder = LockLeft(i->path());
    if (folder < 0) continue;
    std::error_code stays;
    fs::remove_all(i->path(), stays);
    ::close(folder);
  }
}

}  // namespace

ScratchFolder ScratchFolder::NextTo(const fs::path& path) {
  const fs::path parent = path.has_parent_path() ? path.parent_path() : ".";
  return {parent, "." + path.filename().string().substr(0, kMaxName) + ".crossfold-"};
}

ScratchFolder ScratchFolder::Temporary() {
  const fs::path parent = fs::temp_directory_path();
  try {
    return {parent, ".crossfold-"};
  } catch (const std::system_error&) {
    throw Error(ErrorKind::kIo, "cannot make a folder in '" + parent.string() +
                                    "'; set TMPDIR to one that can be written to");
  }
}

ScratchFolder::ScratchFolder(const fs::path& parent, const std::string& start) {
  RemoveLeft(parent, start);
  do {
    std::string pattern = parent / (start + std::string(kDigits));
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw std::system_error(errno, std::generic_category());
    }
    path_ = pattern;
  } while (!Lock());
}

// Returns false if another process removed the folder as an abandoned one before it was locked.
bool ScratchFolder::Lock() {
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor_ < 0) {
    const int failure = errno;
    if (failure == ENOENT) return false;
    ::rmdir(path_.c_str());
    throw std::system_error(failure, std::generic_category());
  }
  // On a file system without locks, other processes do not remove folders either.
  while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
  }
  if (IsAt(descriptor_, path_)) return true;
  ::close(std::exchange(descriptor_, -1));
  return false;
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

ScratchFolder::~ScratchFolder() {
  if (descriptor_ < 0) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  ::close(descriptor_);
}

}  // namespace crossfold
