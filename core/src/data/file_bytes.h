// A whole file in memory.
#pragma once

#include <filesystem>
#include <string>

namespace crossfold {

// Pipes and devices are read to their end. Throws Error(kIo), such as
//   cannot read 'a.csv': there is no such file
std::string ReadFileBytes(const std::filesystem::path& path);

}  // namespace crossfold
