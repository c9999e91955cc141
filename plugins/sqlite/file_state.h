// By what one sees that another program has written to a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace crossfold::reading {

struct FileState {
  std::uint64_t device = 0, inode = 0;
  std::int64_t size = 0;
  std::int64_t modified = 0, changed = 0;  // nanoseconds

  // Nothing if there is no such file.
  static std::optional<FileState> Of(const std::filesystem::path& path);
  // As Of, of a file whose last change is old enough for the next one to have another time; waits
  // for that, 2 s at most. Nothing if that cannot be had, as with times in the future.
  static std::optional<FileState> Settled(const std::filesystem::path& path);

  friend bool operator==(const FileState&, const FileState&) = default;
};

}  // namespace crossfold::reading
