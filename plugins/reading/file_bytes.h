// Whole files in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace crossfold::reading {

// Reads a file, pipe or device to its end. A pipe needs a writer within a short time. A device or a
// pipe must end within `most_bytes`. Throws Error, such as "there is no such file".
std::string ReadFileBytes(const std::filesystem::path& path, std::int64_t most_bytes);

}  // namespace crossfold::reading
