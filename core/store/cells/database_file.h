// Files that are SQLite databases, as stores are.
#pragma once

#include <filesystem>

namespace crossfold {

// Whether the file begins like a database; false if it cannot be read. This process may have the
// database open. Pipes and devices, which can be read only once, are not opened.
bool IsDatabaseFile(const std::filesystem::path& path);

}  // namespace crossfold
