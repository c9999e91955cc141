#include "store/file_handle.h"

#include <sys/stat.h>
#include <unistd.h>

#include <system_error>
#include <utility>

namespace crossfold {

FileHandle::~FileHandle() {
  if (fd_ >= 0) close(fd_);
}
FileHandle::FileHandle(FileHandle&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

bool IsStillThere(const FileHandle& file, const std::filesystem::path& path) {
  struct stat opened, named;
  return fstat(file.get(), &opened) == 0 && stat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

std::filesystem::path RealFile(const std::filesystem::path& store) {
  std::error_code failure;
  std::filesystem::path real = std::filesystem::canonical(store, failure);
  return failure ? store : real;
}

}  // namespace crossfold
