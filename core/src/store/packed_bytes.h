// Bytes packed by zlib, and checksums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace crossfold {

std::string PackBytes(std::string_view bytes);
// Throws plugin::Error if these are no packed bytes, or more than `most` come of them.
std::string UnpackBytes(std::string_view packed, std::size_t most);

// CRC-32 of further bytes; begins with 0.
std::uint32_t AddToChecksum(std::uint32_t checksum, std::string_view bytes);

}  // namespace crossfold
