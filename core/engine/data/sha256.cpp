#include "engine/data/sha256.h"

#include <openssl/evp.h>

#include <cassert>
#include <stdexcept>

namespace crossfold {
namespace {

// This fails only if libcrypto has no SHA-256 or no memory, which is not a mistake of the user.
void Require(int openssl_status) {
  if (openssl_status != 1) throw std::runtime_error("libcrypto cannot compute SHA-256");
}

// It is looked up once, because that takes longer than hashing a short string.
const EVP_MD* Algorithm() {
  static const EVP_MD* const fetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return fetched;
}

}  // namespace

struct Sha256::Impl {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  bool finished = false;

  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : impl_(std::make_unique<Impl>()) {
  Require(impl_->context != nullptr ? 1 : 0);
  Require(EVP_DigestInit_ex(impl_->context, Algorithm(), nullptr));
}

Sha256::~Sha256() = default;

void Sha256::Add(const void* bytes, std::size_t n) {
  assert(!impl_->finished);
  Require(EVP_DigestUpdate(impl_->context, bytes, n));
}

void Sha256::AddInteger(std::uint64_t value) {
  std::array<std::uint8_t, 8> bytes;
  for (std::uint8_t& byte : bytes) {
    byte = static_cast<std::uint8_t>(value & 0xFF);
    value >>= 8;
  }
  Add(bytes.data(), bytes.size());
}

void Sha256::AddText(std::string_view text) {
  AddInteger(text.size());
  Add(text.data(), text.size());
}

Digest Sha256::Finish() {
  assert(!impl_->finished);
  impl_->finished = true;
  Digest digest;
  Require(EVP_DigestFinal_ex(impl_->context, digest.data(), nullptr));
  return digest;
}

Digest Sha256Of(std::string_view bytes) {
  Sha256 hash;
  hash.Add(bytes.data(), bytes.size());
  return hash.Finish();
}

std::string ToHex(const Digest& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0xF];
  }
  return text;
}

bool IsSha256(std::string_view text) {
  return text.size() == 2 * Digest().size() &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace crossfold
