// Files of models after a change: with the checksums that fit them, so that what is after the
// checksums is reached.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "crossfold_plugin/stream.hpp"
#include "engine/data/sha256.h"

namespace crossfold::fuzz {

constexpr std::size_t kDigestSize = 32;

// What the last plugin of a model saved reaches up to the digest, after its length, and ends in a
// checksum of its own.
inline void ResealLastBlob(std::string& bytes, std::size_t end) {
  for (std::size_t at = 0; at + 16 <= end; ++at) {
    std::uint64_t length = 0;
    for (std::size_t i = 8; i > 0; --i) {
      length = length << 8 | static_cast<unsigned char>(bytes[at + i - 1]);
    }
    if (length < 8 || length != end - at - 8) continue;
    plugin::internal::Checksum checksum;
    checksum.Add({reinterpret_cast<const unsigned char*>(bytes.data()) + at + 8,
                  static_cast<std::size_t>(length) - 8});
    for (std::size_t i = 0; i < 8; ++i) {
      bytes[end - 8 + i] = static_cast<char>(checksum.value() >> (8 * i));
    }
    return;
  }
}

// `bytes` as they are if they are too short for a digest.
inline std::string Resealed(std::string_view given) {
  std::string bytes(given);
  if (bytes.size() < kDigestSize) return bytes;
  const std::size_t end = bytes.size() - kDigestSize;
  ResealLastBlob(bytes, end);
  const Digest digest = Sha256Of(std::string_view(bytes).substr(0, end));
  bytes.replace(end, kDigestSize, reinterpret_cast<const char*>(digest.data()), digest.size());
  return bytes;
}

}  // namespace crossfold::fuzz
