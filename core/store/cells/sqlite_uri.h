// Paths of SQLite databases as SQLite's URIs.
#pragma once

#include <filesystem>
#include <string>

namespace crossfold {

// Only what has a meaning in a URI is escaped. `immutable`: SQLite takes no locks and looks at no
// write-ahead log, as no one changes the file.
std::string SqliteUri(const std::filesystem::path& path, bool immutable);

}  // namespace crossfold
