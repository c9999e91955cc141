// Whole files: from disk to memory and back.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace crossfold {

// Pipes and devices are read to their end. Throws Error(kIo), such as
//   cannot read 'a.csv': there is no such file
std::string ReadFileBytes(const std::filesystem::path& path);
// The same; messages begin with `attempt`, such as "cannot load model 'a.cfm'".
std::string ReadFileBytes(const std::filesystem::path& path, const std::string& attempt);

// Replaces or makes the file at once: whatever interrupts it, the file has its old bytes or the new
// ones. Throws Error(kIo) "<attempt>: <finding>".
void WriteFileBytes(const std::filesystem::path& path, std::string_view bytes,
                    const std::string& attempt);

}  // namespace crossfold
