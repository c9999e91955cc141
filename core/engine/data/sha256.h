// SHA-256 (FIPS 180-4), by OpenSSL's libcrypto.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace crossfold {

using Digest = std::array<std::uint8_t, 32>;

// Hashes bytes that come in portions. Not thread-safe.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void Add(const void* bytes, std::size_t n);
  // Adds 8 bytes, little-endian on every machine.
  void AddInteger(std::uint64_t value);
  // Adds the length (as AddInteger does), then the bytes.
  void AddText(std::string_view text);
  // Returns the digest. REQUIRES: it is called once.
  Digest Finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

Digest Sha256Of(std::string_view bytes);
std::string ToHex(const Digest& digest);
// Whether a string is what ToHex returns: 64 digits 0-9, a-f.
bool IsSha256(std::string_view text);

}  // namespace crossfold
