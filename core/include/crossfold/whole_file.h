// Files that are written completely or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace crossfold {

// Writes a temporary file next to the file and renames it, so that the file has either its old
// bytes or the new ones, even if the write is interrupted. A symbolic link stays, and so do the
// file's permissions except the executable bits. Pipes and devices are written directly. Throws
// Error(kIo).
void WriteWholeFile(const std::filesystem::path& path, std::string_view bytes);

}  // namespace crossfold
