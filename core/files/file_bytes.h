// Reading and writing whole files, and the first bytes of files, which say what they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace crossfold {

// Whether opening it as a file may block, or reading it may never end.
bool IsPipeOrDevice(const std::filesystem::path& path);

inline constexpr std::int64_t kMaxPipeBytes = std::int64_t{4} << 30;

// Reads a file or a pipe to its end. Devices are refused, because they may have no end. A pipe
// needs a writer within a short time. Throws Error(kIo), such as
//   cannot read 'a.csv': there is no such file
std::string ReadFileBytes(const std::filesystem::path& path);
// Does the same; messages begin with `attempt`, such as "cannot load model 'a.cfm'".
std::string ReadFileBytes(const std::filesystem::path& path, const std::string& attempt);
// Reads devices, too. A device or a pipe must end within `most_bytes`.
std::string ReadFileBytes(const std::filesystem::path& path, const std::string& attempt,
                          std::int64_t most_bytes);

// Replaces or makes the file atomically: whatever interrupts it, the file has either its old bytes
// or the new ones. Throws Error(kIo) "<attempt>: <finding>".
void WriteFileBytes(const std::filesystem::path& path, std::string_view bytes,
                    const std::string& attempt);

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
