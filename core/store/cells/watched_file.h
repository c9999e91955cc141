// The file of a store in use, which others may remove, replace or truncate.
#pragma once

#include <sys/stat.h>
#include <time.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "files/file_descriptor.h"

namespace crossfold {

class WatchedFile {
 public:
  // REQUIRES: SQLite has it open with a write-ahead log; it is not a symbolic link.
  explicit WatchedFile(const std::filesystem::path& file);

  const std::filesystem::path& path() const { return path_; }
  // What happened to the file, as in "was removed"; "" = it is at its path and not shorter than
  // before. If it is shorter, needed() gives the number of bytes that suffice.
  std::string FindLoss(const std::function<std::int64_t()>& needed);
  // Whether it has no name any more, but still had one at `then` (CLOCK_REALTIME_COARSE).
  bool WasRemovedAfter(const timespec& then) const;
  // Removes the write-ahead log and the shared memory of the file that was opened, if that is not
  // at its path any more: SQLite would take them for those of another file that has its name now,
  // and damage that. For a truncated file they stay, as other processes may use it.
  void RemoveCompanions() const;

 private:
  using Status = struct stat;

  bool IsAtItsPath() const;

  std::filesystem::path path_;
  FileDescriptor file_;  // without access: closing it drops none of SQLite's locks
  off_t size_ = 0;       // at the last check
  std::optional<Status> log_, memory_;
};

}  // namespace crossfold
