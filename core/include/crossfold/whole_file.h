// Files that appear whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace crossfold {

// Replaces or makes the file: it is written beside its place and renamed, so that whatever
// interrupts it, the file has its old bytes or the new ones. A link stays one, and the file its
// rights, but for that to be run. Pipes and devices are written to. Throws Error(kIo).
void WriteWholeFile(const std::filesystem::path& path, std::string_view bytes);

}  // namespace crossfold
