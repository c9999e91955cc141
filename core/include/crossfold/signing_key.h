// Keys and signatures of Ed25519 in the file formats of minisign
// (https://jedisct1.github.io/minisign), so that its program can make and verify them, too.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace crossfold {

// A public key: whoever has it can verify signatures.
struct PublicKey {
  std::array<std::uint8_t, 8> number{};  // names the key; random
  std::array<std::uint8_t, 32> bytes{};

  // Its number as 16 digits 0-9, A-F, as minisign prints it.
  std::string Id() const;
  // One line of base64, which begins with "RW".
  std::string ToText() const;
  bool operator==(const PublicKey&) const = default;
};

// Reads the line of ToText(), or a file of minisign with such a line. Throws Error(kBadData)
// "<attempt>: it is not a public key; ...".
PublicKey ParsePublicKey(std::string_view text, const std::string& attempt);
// Does the same for a file if there is one of that name, else for the text itself.
PublicKey ReadPublicKey(const std::string& text_or_file);

// Makes a key pair: `name`.key, which only its owner may read and which is not encrypted, and
// `name`.pub. Returns the public key. Throws Error(kIo); files that exist are never replaced.
PublicKey MakeKeyFiles(const std::string& name);

// Signs bytes with the key in a file of minisign. Not copied, so that the key is in memory once and
// is erased with the object.
class SigningKey {
 public:
  // Throws Error(kIo) if the file cannot be read, or others than its owner may read it, and
  // Error(kBadData) if it is not a key, or is encrypted by a password: minisign itself can sign
  // with that.
  explicit SigningKey(const std::filesystem::path& file);
  ~SigningKey();
  SigningKey(const SigningKey&) = delete;
  SigningKey& operator=(const SigningKey&) = delete;

  const PublicKey& public_key() const { return public_; }
  // Returns the file of a signature of `bytes`, with a comment that it also signs: one line.
  std::string Sign(std::string_view bytes, const std::string& comment) const;

 private:
  PublicKey public_;
  std::array<std::uint8_t, 64> secret_{};
};

// Returns what is wrong with the signature file for these bytes and this key, such as "the bytes
// were changed"; "" = the signature is right. Any text is safe.
std::string SignatureProblem(std::string_view signature, std::string_view bytes,
                             const PublicKey& key);

}  // namespace crossfold
