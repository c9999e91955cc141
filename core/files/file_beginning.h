// The first bytes of a file, which say what it is.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace crossfold {

// Returns at most `n` bytes: fewer at the end of the file. nullopt = it is not a regular file, or
// cannot be read. Thread-safe.
//
// This process may have the file open as a database of SQLite, whose locks another descriptor would
// end when it is closed (POSIX, see fcntl(2)); then another process could delete the database's
// write-ahead log. So the descriptor of a database stays open until the process ends, one for each.
std::optional<std::string> ReadBeginning(const std::filesystem::path& path, std::size_t n);

// Whether these bytes begin an SQLite database.
bool BeginsDatabase(std::string_view bytes);

}  // namespace crossfold
