// The file of a store in use, which others may remove, replace or cut off meanwhile.
#pragma once

#include <sys/stat.h>
#include <time.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "data/file_descriptor.h"

namespace crossfold {

class WatchedFile {
 public:
  // REQUIRES: SQLite has it open with a write-ahead log; no link.
  explicit WatchedFile(const std::filesystem::path& file);

  const std::filesystem::path& path() const { return path_; }
  // What happened to it, as "was removed"; "" = it is at its path, and no shorter than before.
  // `needed` is asked for the bytes that are enough if it is shorter.
  std::string FindLoss(const std::function<std::int64_t()>& needed);
  // Whether it has no name any more, and has had one until then at least (CLOCK_REALTIME_COARSE).
  bool WasRemovedAfter(const timespec& then) const;
  // Removes the write-ahead log and the shared memory of the file that was opened: SQLite would
  // take them for those of another file that has its name now, and damage that.
  void RemoveCompanions() const;

 private:
  using Status = struct stat;

  std::filesystem::path path_;
  FileDescriptor file_;  // without access: closing it drops none of SQLite's locks
  off_t size_ = 0;       // as it was seen last
  std::optional<Status> log_, memory_;
};

}  // namespace crossfold
