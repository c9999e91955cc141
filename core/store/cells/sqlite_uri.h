// Paths of SQLite databases as SQLite's URIs.
#pragma once

#include <filesystem>
#include <string>

namespace crossfold {

// Only what has a meaning in a URI is escaped. `immutable` means that SQLite takes no locks and
// ignores the write-ahead log, as no process changes the file.
std::string SqliteUri(const std::filesystem::path& path, bool immutable);

}  // namespace crossfold
