#include "files/scratch_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>

#include "crossfold/error.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxName = 200;  // with its suffix; names may have 255 bytes
constexpr std::string_view kDigits = "XXXXXX";
constexpr const char* kTemporary = ".crossfold-";

// Whether the open folder is at the path.
bool IsAt(int descriptor, const fs::path& path) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

FileDescriptor OpenFolder(const fs::path& path) {
  return FileDescriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

// Opens and locks a folder of this user. Returns a closed one if it is not one, or if its process
// is alive.
FileDescriptor LockLeft(const fs::path& path) {
  FileDescriptor folder = OpenFolder(path);
  struct stat status {};
  const bool is_left = folder.is_open() && ::fstat(folder.get(), &status) == 0 &&
                       status.st_uid == ::geteuid() &&
                       ::flock(folder.get(), LOCK_EX | LOCK_NB) == 0;
  if (!is_left) folder.Close();
  return folder;
}

void RemoveLeft(const fs::path& parent, const std::string& start) {
  std::error_code ignored;
  for (fs::directory_iterator i(parent, ignored), end; !ignored && i != end; i.increment(ignored)) {
    const std::string name = i->path().filename().string();
    if (!name.starts_with(start) || name.size() != start.size() + kDigits.size()) continue;
    const FileDescriptor folder = LockLeft(i->path());
    if (!folder.is_open()) continue;
    std::error_code stays;
    fs::remove_all(i->path(), stays);
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
    return {parent, kTemporary};
  } catch (const std::system_error&) {
    throw Error(ErrorKind::kIo, "cannot make a folder in '" + parent.string() +
                                    "'; set TMPDIR to one that can be written to");
  }
}

bool ScratchFolder::IsOfThisUser(const fs::path& folder) {
  struct stat status {};
  return folder.filename().string().starts_with(kTemporary) &&
         ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == ::geteuid() && (status.st_mode & 077) == 0;
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
  folder_ = OpenFolder(path_);
  if (!folder_.is_open()) {
    const int failure = errno;
    if (failure == ENOENT) return false;
    ::rmdir(path_.c_str());
    throw std::system_error(failure, std::generic_category());
  }
  // On a file system without locks, other processes do not take folders either.
  while (::flock(folder_.get(), LOCK_EX) != 0 && errno == EINTR) {
  }
  if (IsAt(folder_.get(), path_)) return true;
  folder_.Close();
  return false;
}

ScratchFolder::~ScratchFolder() {
  if (!folder_.is_open()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace crossfold
