// Owners of file descriptors, and functions on them.
#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

namespace crossfold {

// Owns a file descriptor; -1 = none.
class FileDescriptor {
 public:
  explicit FileDescriptor(int fd = -1) : fd_(fd) {}
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  int Release() { return std::exchange(fd_, -1); }
  void Close();

 private:
  int fd_;
};

// Writes all bytes, also if signals interrupt it. Returns false if it fails, with the reason in
// errno; some bytes may have been written.
bool WriteAll(int fd, std::string_view bytes);

// Whether `path` leads to the open file.
bool IsAt(const FileDescriptor& file, const std::filesystem::path& path);

// Returns the path without symbolic links. It is unchanged if it cannot be resolved, such as that
// of a file that does not exist yet.
std::filesystem::path RealPath(const std::filesystem::path& path);

// Puts the names of the files in a file's folder on the disk: after a file was made, renamed or
// removed there. Does nothing on file systems that cannot.
void SyncFolderOf(const std::filesystem::path& path);

}  // namespace crossfold
