// An open file.
#pragma once

#include <filesystem>

namespace crossfold {

// A file descriptor, closed at the end.
class FileHandle {
 public:
  FileHandle() = default;
  explicit FileHandle(int fd) : fd_(fd) {}
  ~FileHandle();
  FileHandle(FileHandle&& other) noexcept;
  FileHandle& operator=(FileHandle&& other) noexcept;
  int get() const { return fd_; }

 private:
  int fd_ = -1;
};

// Whether `path` is a name of the open file.
bool IsStillThere(const FileHandle& file, const std::filesystem::path& path);

// Without symbolic links, as SQLite names its files: logs lie beside the file, however it is named.
std::filesystem::path RealFile(const std::filesystem::path& store);

}  // namespace crossfold
