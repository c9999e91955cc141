#include "lockbox/sealed_bytes.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <algorithm>
#include <memory>

#include "crossfold/error.h"

namespace crossfold {
namespace {

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

void Require(bool ok) {
  if (!ok) throw Error(ErrorKind::kFailed, "cannot seal rows: libcrypto cannot encrypt here");
}

const unsigned char* Unsigned(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

// Encrypts or decrypts bytes in portions, because libcrypto takes their number as an int. `out` is
// null for bytes that are only authenticated.
void Update(EVP_CIPHER_CTX* context, std::string_view bytes, char* out) {
  constexpr std::size_t kPortion = std::size_t{1} << 30;
  for (std::size_t at = 0; at < bytes.size(); at += kPortion) {
    const std::string_view portion = bytes.substr(at, kPortion);
    auto* to = out == nullptr ? nullptr : reinterpret_cast<unsigned char*>(out + at);
    int written = 0;
    Require(EVP_CipherUpdate(context, to, &written, Unsigned(portion),
                             static_cast<int>(portion.size())) == 1);
  }
}

Context Start(std::string_view nonce, std::string_view open_text, const LockboxKey& key,
              bool encrypt) {
  Context context(EVP_CIPHER_CTX_new());
  Require(context != nullptr);
  Require(EVP_CipherInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, key.bytes.data(),
                            Unsigned(nonce), encrypt ? 1 : 0) == 1);
  Update(context.get(), open_text, nullptr);
  return context;
}

}  // namespace

Digest RandomDigest() {
  Digest bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) {
    throw Error(ErrorKind::kFailed, "cannot seal rows: the system has no random bytes");
  }
  return bytes;
}

std::string Encrypt(std::string_view bytes, std::string_view open_text, const LockboxKey& key) {
  const Digest random = RandomDigest();
  std::string made(kNonceSize + kTagSize + bytes.size(), '\0');
  std::copy_n(random.begin(), kNonceSize, made.begin());
  const Context context = Start(std::string_view(made).substr(0, kNonceSize), open_text, key, true);
  Update(context.get(), bytes, made.data() + kNonceSize + kTagSize);
  unsigned char none[kTagSize];
  int written = 0;
  Require(EVP_CipherFinal_ex(context.get(), none, &written) == 1);
  Require(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, static_cast<int>(kTagSize),
                              made.data() + kNonceSize) == 1);
  return made;
}

std::optional<std::string> Decrypt(std::string_view encrypted, std::string_view open_text,
                                   const LockboxKey& key) {
  if (encrypted.size() < kNonceSize + kTagSize) return std::nullopt;
  const Context context = Start(encrypted.substr(0, kNonceSize), open_text, key, false);
  const std::string_view body = encrypted.substr(kNonceSize + kTagSize);
  std::string made(body.size(), '\0');
  Update(context.get(), body, made.data());
  std::string tag(encrypted.substr(kNonceSize, kTagSize));
  Require(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, static_cast<int>(kTagSize),
                              tag.data()) == 1);
  unsigned char none[kTagSize];
  int written = 0;
  if (EVP_CipherFinal_ex(context.get(), none, &written) != 1) return std::nullopt;
  return made;
}

Digest Hmac(const Digest& message, const LockboxKey& key) {
  Digest made{};
  unsigned int size = 0;
  const auto* done = HMAC(EVP_sha256(), key.bytes.data(), static_cast<int>(key.bytes.size()),
                          message.data(), message.size(), made.data(), &size);
  Require(done != nullptr && size == made.size());
  return made;
}

}  // namespace crossfold
