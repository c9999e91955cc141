// Reading and writing whole files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace crossfold {

// Whether opening it as a file may block, or reading it may never end.
bool IsPipeOrDevice(const std::filesystem::path& path);

inline constexpr std::int64_t kMaxPipeBytes = std::int64_t{4} << 30;

// Reads a file or a pipe to its end. Devices are refused, because they may have no end. A pipe
// needs a writer within a short time. Throws Error(kIo), such as
//   cannot read 'a.csv': there is no such file
std::string ReadFileBytes(const std::filesystem::path& path);
// Does the same; messages begin with `attempt`, such as "cannot load model 'a.cfm'".
std::string ReadFileBytes(const std::filesystem::path& path, const std::string& attempt);
// Reads devices, too. A device or a pipe must end within `most_bytes`.
std::string ReadFileBytes(const std::filesystem::path& path, const std::string& attempt,
                          std::int64_t most_bytes);

// Replaces or makes the file atomically: whatever interrupts it, the file has either its old bytes
// or the new ones. Throws Error(kIo) "<attempt>: <finding>".
void WriteFileBytes(const std::filesystem::path& path, std::string_view bytes,
                    const std::string& attempt);

}  // namespace crossfold
