// A plugin file that is opened once. Everything that is read, hashed and loaded through it is the
// same file, whatever happens to its path meanwhile, or a copy of it in memory, whatever happens to
// the file.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "files/file_descriptor.h"

namespace crossfold {

class Sha256;

// Device and inode.
using FileId = std::pair<dev_t, ino_t>;

// Returns nothing if there is no such file.
std::optional<FileId> IdOfFile(const std::filesystem::path& path);

// Not thread-safe.
class PluginFile {
 public:
  enum class Bytes {
    kOnDisk,
    kSealed  // a copy in memory that nobody can change (a sealed memfd)
  };

  // Opens a regular file; does not wait for a writer if the path is a pipe. If it fails, problem()
  // gives the reason, and nothing else may be called.
  explicit PluginFile(const std::filesystem::path& path, Bytes bytes = Bytes::kOnDisk);
  PluginFile(const PluginFile&) = delete;
  PluginFile& operator=(const PluginFile&) = delete;

  // "it is not a file"; empty = open.
  const std::string& problem() const { return problem_; }

  Bytes bytes() const { return bytes_; }
  int descriptor() const { return file_.get(); }  // of the copy, if it is sealed
  FileId id() const { return {status_.st_dev, status_.st_ino}; }
  std::uint64_t size() const { return static_cast<std::uint64_t>(status_.st_size); }
  std::int64_t modified_ns() const;  // since 1970

  // Copies the bytes from `offset` on into `out`. Returns false if it cannot fill it.
  bool Read(std::uint64_t offset, std::span<char> out) const;
  auto reader() const {  // Read(), as a ByteReader of elf_file.h
    return [this](std::uint64_t offset, std::span<char> out) { return Read(offset, out); };
  }
  // Adds all bytes. Throws Error(kIo).
  void AddTo(class Sha256& hash) const;
  // Returns the SHA-256 of all bytes as 64 hexadecimal digits. Throws Error(kIo).
  std::string Sha256() const;
  // Whether nobody has written to the file since it was opened, because it is sealed, or because
  // its times or (if computed before) its SHA-256 are unchanged. May throw as Sha256 does.
  bool IsUnchanged() const;

 private:
  void Seal();

  std::filesystem::path path_;  // for messages
  Bytes bytes_;
  FileDescriptor file_;
  struct stat status_ {};
  mutable std::string first_sha256_;
  std::string problem_;
};

}  // namespace crossfold
