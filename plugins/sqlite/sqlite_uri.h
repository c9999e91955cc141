// Paths of SQLite databases as SQLite's URIs.
#pragma once

#include <filesystem>
#include <string>

namespace crossfold::reading {

// Only what has a meaning in a URI is escaped. `immutable`: SQLite takes no locks and reads no
// write-ahead log, because no program changes the file.
std::string SqliteUri(const std::filesystem::path& path, bool immutable);

}  // namespace crossfold::reading
