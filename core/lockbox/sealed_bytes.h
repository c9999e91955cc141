// Cryptography of lockboxes, by OpenSSL's libcrypto: AES-256-GCM (NIST SP 800-38D) and HMAC-SHA256
// (RFC 2104).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "crossfold/lockbox.h"
#include "engine/data/sha256.h"

namespace crossfold {

inline constexpr std::size_t kNonceSize = 12;
inline constexpr std::size_t kTagSize = 16;

// Fills 32 bytes with random ones. Throws Error if the system has none.
Digest RandomDigest();

// Returns the nonce, the tag and the encrypted bytes. `open_text` is authenticated with them.
// REQUIRES: the key encrypts nothing else.
std::string Encrypt(std::string_view bytes, std::string_view open_text, const LockboxKey& key);
// Returns nothing if the key is wrong, or a byte was changed.
std::optional<std::string> Decrypt(std::string_view encrypted, std::string_view open_text,
                                   const LockboxKey& key);

Digest Hmac(const Digest& message, const LockboxKey& key);

}  // namespace crossfold
