// The first bytes of a file, which say what it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace crossfold {

// While it lives, this process has a connection of SQLite to the database, and ReadBeginning does
// not end the locks of that: closing any descriptor of a file drops all locks that the process has
// on it (POSIX, see fcntl(2)), and then another process could delete the write-ahead log. Make it
// when SQLite has opened the file, and destroy it when SQLite has closed it. Thread-safe.
class DatabaseInUse {
 public:
  explicit DatabaseInUse(const std::filesystem::path& path);
  ~DatabaseInUse();
  DatabaseInUse(const DatabaseInUse&) = delete;
  DatabaseInUse& operator=(const DatabaseInUse&) = delete;

 private:
  std::optional<std::pair<std::uint64_t, std::uint64_t>> file_;  // device and inode
};

// Returns at most `n` bytes: fewer at the end of the file. nullopt = it is not a regular file, or
// cannot be read. Thread-safe.
std::optional<std::string> ReadBeginning(const std::filesystem::path& path, std::size_t n);

}  // namespace crossfold
