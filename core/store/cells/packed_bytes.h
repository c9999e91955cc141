// Bytes packed by zlib, and checksums.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace crossfold {

std::string PackBytes(std::string_view bytes);
// Throws plugin::Error if these are not packed bytes, or unpack to more than `most`.
std::string UnpackBytes(std::string_view packed, std::size_t most);

// Maximum size of unpacked fold numbers and row ids of a dataset (0 = unknown): more than any split
// needs, less than a decompression bomb.
constexpr std::size_t MostUnpacked(std::size_t packed, std::size_t n_rows = 0) {
  constexpr std::size_t kRatio = 200, kSmall = std::size_t{64} << 20;
  constexpr std::size_t kPerRow = 16;  // an id and a fold are 12 bytes, however well they pack
  return std::max({kRatio * packed, kPerRow * n_rows, kSmall});
}

// The size of a part of a dataset before it is packed; the last one is smaller.
inline constexpr std::size_t kDatasetPartBytes = std::size_t{16} << 20;

// Continues a CRC-32, which starts with 0, with further bytes.
std::uint32_t AddToChecksum(std::uint32_t checksum, std::string_view bytes);

}  // namespace crossfold
