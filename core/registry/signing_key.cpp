#include "crossfold/signing_key.h"

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
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

// libsodium may be initialised any number of times, by any threads.
void Prepare() {
  if (sodium_init() < 0) throw Error(ErrorKind::kIo, "cannot use libsodium: it cannot start");
}

std::string ToBase64(std::span<const std::uint8_t> bytes) {
  std::string text(sodium_base64_encoded_len(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(),
                    sodium_base64_VARIANT_ORIGINAL);
  text.pop_back();  // the NUL at its end
  return text;
}

// Returns exactly `size` bytes, or nothing.
std::optional<Bytes> FromBase64(std::string_view text, std::size_t size) {
  Bytes bytes(size);
  std::size_t length = 0;
  const char* end = nullptr;
  if (sodium_base642bin(bytes.data(), size, text.data(), text.size(), nullptr, &length, &end,
                        sodium_base64_VARIANT_ORIGINAL) != 0 ||
      length != size || end != text.data() + text.size()) {
    return std::nullopt;
  }
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
  crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()),
                     bytes.size(), nullptr, 0);
  return hash;
}

// Whether the second half of a secret key, its public key, belongs to the first.
bool IsWhole(std::span<const std::uint8_t, 64> secret) {
  std::array<std::uint8_t, 32> made;
  std::array<std::uint8_t, 64> again;
  crypto_sign_seed_keypair(made.data(), again.data(), secret.data());
  const bool is_whole = std::equal(made.begin(), made.end(), secret.begin() + 32);
  sodium_memzero(again.data(), again.size());
  return is_whole;
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

std::string SecretText(const PublicKey& key, std::span<const std::uint8_t, 64> secret) {
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
  sodium_memzero(file.data(), file.size());
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
  Prepare();
  PublicKey key;
  std::array<std::uint8_t, 64> secret;
  randombytes_buf(key.number.data(), key.number.size());
  crypto_sign_keypair(key.bytes.data(), secret.data());
  std::string text = SecretText(key, secret);
  sodium_memzero(secret.data(), secret.size());
  WriteNewFile(name + ".key", text, 0600);
  sodium_memzero(text.data(), text.size());
  WriteNewFile(name + ".pub",
               std::string(kUntrustedComment) + "crossfold public key " + key.Id() + "\n" +
                   key.ToText() + "\n",
               0666);
  return key;
}

SigningKey::SigningKey(const std::filesystem::path& file) {
  Prepare();
  const std::string attempt = "cannot sign with '" + file.string() + "'";
  std::string text = ReadFileBytes(file, attempt);
  CheckReaders(file, attempt);
  std::optional<Bytes> all = FromBase64(KeyLine(text), kSecretBytes);
  sodium_memzero(text.data(), text.size());
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
  sodium_memzero(all->data(), all->size());
  if (!IsWhole(secret_)) {
    throw Error(ErrorKind::kBadData, attempt + ": it is damaged");
  }
}

SigningKey::~SigningKey() { sodium_memzero(secret_.data(), secret_.size()); }

std::string SigningKey::Sign(std::string_view bytes, const std::string& comment) const {
  const Hash hash = HashOf(bytes);
  std::array<std::uint8_t, 64> signature;
  crypto_sign_detached(signature.data(), nullptr, hash.data(), hash.size(), secret_.data());
  Bytes head(kHashedAlgorithm.begin(), kHashedAlgorithm.end());
  head.insert(head.end(), public_.number.begin(), public_.number.end());
  head.insert(head.end(), signature.begin(), signature.end());
  Bytes with_comment(signature.begin(), signature.end());
  with_comment.insert(with_comment.end(), comment.begin(), comment.end());
  std::array<std::uint8_t, 64> of_comment;
  crypto_sign_detached(of_comment.data(), nullptr, with_comment.data(), with_comment.size(),
                       secret_.data());
  return std::string(kUntrustedComment) + "signature by crossfold key " + public_.Id() + "\n" +
         ToBase64(head) + "\n" + std::string(kTrustedComment) + comment + "\n" +
         ToBase64(of_comment) + "\n";
}

std::string SignatureProblem(std::string_view signature, std::string_view bytes,
                             const PublicKey& key) {
  Prepare();
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
  const auto verifies = [&](const std::uint8_t* signed_by, std::span<const std::uint8_t> what) {
    return crypto_sign_verify_detached(signed_by, what.data(), what.size(), key.bytes.data()) == 0;
  };
  const std::uint8_t* of_bytes = head->data() + 10;
  const auto* start = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const bool is_hashed = HasAt(*head, 0, kHashedAlgorithm);
  const bool is_right =
      is_hashed ? verifies(of_bytes, HashOf(bytes))
                : HasAt(*head, 0, kPlainAlgorithm) && verifies(of_bytes, {start, bytes.size()});
  if (!is_right) return "it is not of these bytes";
  const std::string_view comment = lines[2].substr(kTrustedComment.size());
  Bytes with_comment(head->begin() + 10, head->end());
  with_comment.insert(with_comment.end(), comment.begin(), comment.end());
  return verifies(of_comment->data(), with_comment) ? "" : "its comment was changed";
}

}  // namespace crossfold
