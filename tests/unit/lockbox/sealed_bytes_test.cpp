#include "lockbox/sealed_bytes.h"

#include <gtest/gtest.h>

#include <string>

namespace crossfold {
namespace {

std::string FromHex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

// McGrew and Viega, "The Galois/Counter Mode of Operation", test case 14: a key and a nonce of
// zeros, 16 bytes of zeros.
TEST(SealedBytesTest, DecryptGivesThePublishedBytes) {
  const std::string encrypted = FromHex(
      "000000000000000000000000"
      "d0d1c8a799996bf0265b98b5d48ab919"
      "cea7403d4d606b6e074ec5d3baf39d18");
  EXPECT_EQ(Decrypt(encrypted, "", LockboxKey()), std::string(16, '\0'));
}

TEST(SealedBytesTest, EncryptedBytesComeBackWithTheirKeyAndOpenTextOnly) {
  const LockboxKey key{RandomDigest()}, other{RandomDigest()};
  const std::string encrypted = Encrypt("some rows", "header", key);
  EXPECT_EQ(Decrypt(encrypted, "header", key), "some rows");
  EXPECT_EQ(Decrypt(encrypted, "Header", key), std::nullopt);
  EXPECT_EQ(Decrypt(encrypted, "header", other), std::nullopt);
  EXPECT_EQ(Decrypt(encrypted.substr(0, 20), "header", key), std::nullopt);
}

// Computed by Python: hmac.new(bytes(32), hashlib.sha256(b"").digest(), "sha256").hexdigest()
TEST(SealedBytesTest, HmacIsThatOfAnotherProgram) {
  EXPECT_EQ(ToHex(Hmac(Sha256Of(""), LockboxKey())),
            "af7220c93e5c02736bfc91499f00b1e2c939dda1e12f88e43e898489c94db4a5");
}

}  // namespace
}  // namespace crossfold
