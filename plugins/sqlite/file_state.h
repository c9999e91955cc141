// The state of a file, which shows whether another program has written to it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace crossfold::reading {

struct FileState {
  std::uint64_t device = 0, inode = 0;
  std::int64_t size = 0;
  std::int64_t modified = 0, changed = 0;  // nanoseconds

  // Returns nothing if there is no such file.
  static std::optional<FileState> Of(const std::filesystem::path& path);
  // As Of, for a file whose last change is old enough for the next one to have a different time.
  // Waits for that, at most 2 s. Returns nothing if that is impossible, as with times in the
  // future.
  static std::optional<FileState> Settled(const std::filesystem::path& path);

  friend bool operator==(const FileState&, const FileState&) = default;
};

}  // namespace crossfold::reading
