// Files that are SQLite databases, as stores are.
#pragma once

#include <filesystem>
#include <string_view>

namespace crossfold {

// Whether a file with these first 16 bytes or more is one.
bool BeginsDatabase(std::string_view bytes);

// Whether the file begins like a database; false if it cannot be read. This process may have the
// database open. Pipes and devices, which can be read only once, are not opened.
bool IsDatabaseFile(const std::filesystem::path& path);

}  // namespace crossfold
