#include "crossfold/signing_key.h"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <vector>

#include "crossfold/error.h"
#include "files/file_bytes.h"
#include "files/file_descriptor.h"

namespace crossfold {
namespace {

using Bytes = std::vector<std::uint8_t>;

// The first bytes of the parts of minisign's files.
constexpr std::array<std::uint8_t, 2> kPlainAlgorithm = {'E', 'd'};   // of keys, old signatures
constexpr std::array<std::uint8_t, 2> kHashedAlgorithm = {'E', 'D'};  // signs the BLAKE2b-512
constexpr std::array<std::uint8_t, 2> kChecksumAlgorithm = {'B', '2'};
constexpr std::array<std::uint8_t, 2> kNoPassword = {0, 0};
constexpr std::string_view kTrustedComment = "trusted comment: ";
constexpr std::string_view kUntrustedComment = "untrusted comment: ";

constexpr std::size_t kPublicBytes = 2 + 8 + 32;
constexpr std::size_t kSignatureBytes = 2 + 8 + 64;
constexpr std::size_t kSaltBytes = 32, kLimitBytes = 8;
// Algorithms of the key, the password and the checksum, the password's parameters, the key's
// number, the key and the checksum.
constexpr std::size_t kSecretBytes = 2 + 2 + 2 + kSaltBytes + 2 * kLimitBytes + 8 + 64 + 32;
constexpr std::size_t kSecretStart = 6 + kSaltBytes + 2 * kLimitBytes;

// This fails only if libcrypto lacks Ed25519 or BLAKE2b, or has no memory or random numbers.
void Require(bool is_done) {
  if (!is_done) throw Error(ErrorKind::kIo, "cannot use libcrypto: it cannot sign with Ed25519");
}

struct FreeKey {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using Key = std::unique_ptr<EVP_PKEY, FreeKey>;
using Context = std::unique_ptr<EVP_MD_CTX, FreeContext>;

std::string ToBase64(std::span<const std::uint8_t> bytes) {
  std::string text((bytes.size() + 2) / 3 * 4, '\0');  // EVP_EncodeBlock also writes its NUL
  EVP_EncodeBlock(reinterpret_cast<std::uint8_t*>(text.data()), bytes.data(),
                  static_cast<int>(bytes.size()));
  return text;
}

// Returns exactly `size` bytes, or nothing. There is one spelling of them.
std::optional<Bytes> FromBase64(std::string_view text, std::size_t size) {
  if (text.size() != (size + 2) / 3 * 4) return std::nullopt;
  Bytes bytes(text.size() / 4 * 3);
  if (EVP_DecodeBlock(bytes.data(), reinterpret_cast<const std::uint8_t*>(text.data()),
                      static_cast<int>(text.size())) < 0) {
    return std::nullopt;
  }
  bytes.resize(size);
  std::string again = ToBase64(bytes);
  const bool is_same = again == text;
  OPENSSL_cleanse(again.data(), again.size());  // it may be a secret key
  if (!is_same) return std::nullopt;
  return bytes;
}

// The lines without their ends.
std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
  }
  return lines;
}

// The line after the comment of a key's file, or the only line.
std::string_view KeyLine(std::string_view text) {
  const std::vector<std::string_view> lines = LinesOf(text);
  if (lines.empty()) return {};
  const bool has_comment = lines.front().starts_with(kUntrustedComment);
  return has_comment && lines.size() > 1 ? lines[1] : lines.front();
}

template <std::size_t n>
bool HasAt(std::span<const std::uint8_t> bytes, std::size_t at,
           const std::array<std::uint8_t, n>& expected) {
  return std::equal(expected.begin(), expected.end(), bytes.begin() + at);
}

using Hash = std::array<std::uint8_t, 64>;

Hash HashOf(std::string_view bytes) {
  Hash hash;
  Require(EVP_Digest(bytes.data(), bytes.size(), hash.data(), nullptr, EVP_blake2b512(), nullptr) ==
          1);
  return hash;
}

using Secret = std::span<const std::uint8_t, 64>;  // the seed of the key, and its public key

Key SecretKey(std::span<const std::uint8_t> secret) {
  Key key(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, secret.data(), 32));
  Require(key != nullptr);
  return key;
}

// The public key of a seed.
std::array<std::uint8_t, 32> PublicOf(std::span<const std::uint8_t> secret) {
  std::array<std::uint8_t, 32> made;
  std::size_t size = made.size();
  Require(EVP_PKEY_get_raw_public_key(SecretKey(secret).get(), made.data(), &size) == 1);
  return made;
}

std::array<std::uint8_t, 64> SignatureOf(std::span<const std::uint8_t> what, Secret secret) {
  const Key key = SecretKey(secret);
  const Context context(EVP_MD_CTX_new());
  std::array<std::uint8_t, 64> signature;
  std::size_t size = signature.size();
  Require(context != nullptr &&
          EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
          EVP_DigestSign(context.get(), signature.data(), &size, what.data(), what.size()) == 1);
  return signature;
}

bool Verifies(const std::uint8_t* signature, std::span<const std::uint8_t> what,
              const PublicKey& by) {
  const Key key(
      EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, by.bytes.data(), by.bytes.size()));
  const Context context(EVP_MD_CTX_new());
  Require(key != nullptr && context != nullptr &&
          EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1);
  return EVP_DigestVerify(context.get(), signature, 64, what.data(), what.size()) == 1;
}

void WriteNewFile(const std::string& path, std::string_view text, mode_t mode) {
  const FileDescriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (file.is_open() && WriteAll(file.get(), text) && ::fsync(file.get()) == 0) return;
  const int failure = errno;
  if (file.is_open()) ::unlink(path.c_str());
  const std::string finding =
      failure == EEXIST ? "there is a file of that name"
                        : "it cannot be written (" + std::generic_category().message(failure) + ")";
  throw Error(ErrorKind::kIo,
              "cannot make key '" + path + "': " + finding + "; choose another name");
}

std::string SecretText(const PublicKey& key, Secret secret) {
  Bytes file;
  const auto add = [&](std::span<const std::uint8_t> bytes) {
    file.insert(file.end(), bytes.begin(), bytes.end());
  };
  add(kPlainAlgorithm);
  add(kNoPassword);
  add(kChecksumAlgorithm);
  file.resize(kSecretStart);
  add(key.number);
  add(secret);
  file.resize(kSecretBytes);  // the checksum is for keys with a password
  std::string text = std::string(kUntrustedComment) + "crossfold secret key " + key.Id() + "\n" +
                     ToBase64(file) + "\n";
  OPENSSL_cleanse(file.data(), file.size());
  return text;
}

// Anyone who can read the key can sign.
void CheckReaders(const std::filesystem::path& file, const std::string& attempt) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0 || (status.st_mode & 077) == 0) return;
  throw Error(ErrorKind::kIo,
              attempt + ": others than its owner may use it; chmod 600 '" + file.string() + "'");
}

}  // namespace

std::string PublicKey::Id() const {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  for (auto byte = number.rbegin(); byte != number.rend(); ++byte) {
    text += {kDigits[*byte >> 4], kDigits[*byte & 15]};
  }
  return text;
}

std::string PublicKey::ToText() const {
  Bytes all(kPlainAlgorithm.begin(), kPlainAlgorithm.end());
  all.insert(all.end(), number.begin(), number.end());
  all.insert(all.end(), bytes.begin(), bytes.end());
  return ToBase64(all);
}

PublicKey ParsePublicKey(std::string_view text, const std::string& attempt) {
  const std::optional<Bytes> all = FromBase64(KeyLine(text), kPublicBytes);
  if (!all || !HasAt(*all, 0, kPlainAlgorithm)) {
    throw Error(ErrorKind::kBadData,
                attempt + ": it is not a public key; use the line of the .pub file, RW...");
  }
  PublicKey key;
  std::copy_n(all->begin() + 2, key.number.size(), key.number.begin());
  std::copy_n(all->begin() + 10, key.bytes.size(), key.bytes.begin());
  return key;
}

PublicKey ReadPublicKey(const std::string& text_or_file) {
  const std::string attempt = "cannot read public key '" + text_or_file + "'";
  std::error_code none;
  const bool is_file = std::filesystem::is_regular_file(text_or_file, none);
  return ParsePublicKey(is_file ? ReadFileBytes(text_or_file, attempt) : text_or_file, attempt);
}

PublicKey MakeKeyFiles(const std::string& name) {
  PublicKey key;
  std::array<std::uint8_t, 64> secret;
  Require(RAND_bytes(key.number.data(), static_cast<int>(key.number.size())) == 1 &&
          RAND_priv_bytes(secret.data(), 32) == 1);
  key.bytes = PublicOf(secret);
  std::copy(key.bytes.begin(), key.bytes.end(), secret.begin() + 32);
  std::string text = SecretText(key, secret);
  OPENSSL_cleanse(secret.data(), secret.size());
  WriteNewFile(name + ".key", text, 0600);
  OPENSSL_cleanse(text.data(), text.size());
  WriteNewFile(name + ".pub",
               std::string(kUntrustedComment) + "crossfold public key " + key.Id() + "\n" +
                   key.ToText() + "\n",
               0666);
  return key;
}

SigningKey::SigningKey(const std::filesystem::path& file) {
  const std::string attempt = "cannot sign with '" + file.string() + "'";
  std::string text = ReadFileBytes(file, attempt);
  CheckReaders(file, attempt);
  std::optional<Bytes> all = FromBase64(KeyLine(text), kSecretBytes);
  OPENSSL_cleanse(text.data(), text.size());
  if (!all || !HasAt(*all, 0, kPlainAlgorithm) || !HasAt(*all, 4, kChecksumAlgorithm)) {
    throw Error(ErrorKind::kBadData,
                attempt + ": it is not a secret key; crossfold registry key makes one");
  }
  if (!HasAt(*all, 2, kNoPassword)) {
    throw Error(ErrorKind::kBadData, attempt +
                                         ": it is encrypted by a password; sign with minisign, or "
                                         "make a key without one (minisign -G -W)");
  }
  auto at = all->begin() + kSecretStart;
  std::copy_n(at, public_.number.size(), public_.number.begin());
  std::copy_n(at + 8, secret_.size(), secret_.begin());
  std::copy_n(at + 8 + 32, public_.bytes.size(), public_.bytes.begin());
  OPENSSL_cleanse(all->data(), all->size());
  // The second half of a secret key is its public key.
  if (const auto made = PublicOf(secret_);
      !std::equal(made.begin(), made.end(), secret_.begin() + 32)) {
    throw Error(ErrorKind::kBadData, attempt + ": it is damaged");
  }
}

SigningKey::~SigningKey() { OPENSSL_cleanse(secret_.data(), secret_.size()); }

std::string SigningKey::Sign(std::string_view bytes, const std::string& comment) const {
  const Hash hash = HashOf(bytes);
  const std::array<std::uint8_t, 64> signature = SignatureOf(hash, secret_);
  Bytes head(kHashedAlgorithm.begin(), kHashedAlgorithm.end());
  head.insert(head.end(), public_.number.begin(), public_.number.end());
  head.insert(head.end(), signature.begin(), signature.end());
  Bytes with_comment(signature.begin(), signature.end());
  with_comment.insert(with_comment.end(), comment.begin(), comment.end());
  const std::array<std::uint8_t, 64> of_comment = SignatureOf(with_comment, secret_);
  return std::string(kUntrustedComment) + "signature by crossfold key " + public_.Id() + "\n" +
         ToBase64(head) + "\n" + std::string(kTrustedComment) + comment + "\n" +
         ToBase64(of_comment) + "\n";
}

std::string SignatureProblem(std::string_view signature, std::string_view bytes,
                             const PublicKey& key) {
  const std::vector<std::string_view> lines = LinesOf(signature);
  const auto has = [&](std::size_t i, std::string_view start) {
    return lines.size() > i && lines[i].starts_with(start);
  };
  if (!has(0, kUntrustedComment) || !has(2, kTrustedComment) || lines.size() < 4) {
    return "it is not a signature file of minisign";
  }
  const std::optional<Bytes> head = FromBase64(lines[1], kSignatureBytes);
  const std::optional<Bytes> of_comment = FromBase64(lines[3], 64);
  if (!head || !of_comment) return "it is not a signature file of minisign";
  if (!HasAt(*head, 2, key.number)) return "it is by another key";
  const std::uint8_t* of_bytes = head->data() + 10;
  const auto* start = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const bool is_hashed = HasAt(*head, 0, kHashedAlgorithm);
  const bool is_right = is_hashed ? Verifies(of_bytes, HashOf(bytes), key)
                                  : HasAt(*head, 0, kPlainAlgorithm) &&
                                        Verifies(of_bytes, {start, bytes.size()}, key);
  if (!is_right) return "it is not of these bytes";
  const std::string_view comment = lines[2].substr(kTrustedComment.size());
  Bytes with_comment(head->begin() + 10, head->end());
  with_comment.insert(with_comment.end(), comment.begin(), comment.end());
  return Verifies(of_comment->data(), with_comment, key) ? "" : "its comment was changed";
}

}  // namespace crossfold
