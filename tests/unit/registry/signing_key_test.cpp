#include "crossfold/signing_key.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "message_of.h"
#include "temporary_folder.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
using test::MessageOf;

// Made by minisign 0.11: `minisign -G -W -p k.pub -s k.key`, `minisign -S -s k.key -m m -t "a
// comment"` on a file with the bytes "hello\n", and the same with -l, the older form, and the
// comment "old".
constexpr const char* kPublic = "RWTudwiqgQzIfK25Un6ZEOQuVDfEBmyY9k5QIvIcxe6Ei5yQ3m+ISFL9";
constexpr const char* kSecret =
    "untrusted comment: minisign encrypted secret key\n"
    "RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA7ncIqoEMyHzY1V+CTEYPu/"
    "VL6oAK0y71RLPyN/iiH4qfAGj+7FoBA625Un6ZEOQuVDfEBmyY9k5QIvIcxe6Ei5yQ3m+"
    "ISFL9AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n";
constexpr const char* kSignature =
    "untrusted comment: signature from minisign secret key\n"
    "RUTudwiqgQzIfKYyEkjNehxB4Vc9iPeb/w4IwDZrQskXPlf8K33N+hLR5uEKetxY0dS+odYX3GwS6y/"
    "aMp85pvFjBksbKuFTjQE=\n"
    "trusted comment: a comment\n"
    "1NnjvJl4LbTuXRo5gmI41Gp3IhMCaV73jl4VIpTcaqSziJZD5fAqKJyVczRB4eTsvN29JZ6icC8rvr/"
    "YFc/zAQ==\n";
constexpr const char* kOldSignature =
    "untrusted comment: signature from minisign secret key\n"
    "RWTudwiqgQzIfIDYkHEw7epy9V2qmMKe7gp8nRlCuHNV1NjuRxbnnGHW7Cc2L1wFXIdkZwBP7jBo0I3PB9RZEjImeA7uOH"
    "1S"
    "fgI=\n"
    "trusted comment: old\n"
    "+GO3K5BsIW6ngt+NBOtNcA/"
    "kMV84bSO9FYpcjP5TfNbBTnRS4Rt/iAN0VHt+CP8nlj7RarMNkQRN5FpFUucDAA==\n";
constexpr const char* kBytes = "hello\n";

PublicKey Key() { return ParsePublicKey(kPublic, "cannot read"); }

class SigningKeyTest : public testing::Test {
 protected:
  fs::path Write(const std::string& name, const std::string& text, fs::perms rights) const {
    const fs::path path = scratch_.path() / name;
    std::ofstream(path) << text;
    fs::permissions(path, rights);
    return path;
  }
  static constexpr fs::perms kOwnerOnly = fs::perms::owner_read | fs::perms::owner_write;

  const test::TemporaryFolder scratch_;
};

TEST_F(SigningKeyTest, PublicKeysOfMinisignAreRead) {
  EXPECT_EQ(Key().Id(), "7CC80C81AA0877EE");  // as minisign prints it
  EXPECT_EQ(Key().ToText(), kPublic);
}

TEST_F(SigningKeyTest, SignaturesOfMinisignAreVerifiedInBothForms) {
  EXPECT_EQ(SignatureProblem(kSignature, kBytes, Key()), "");
  EXPECT_EQ(SignatureProblem(kOldSignature, kBytes, Key()), "");
}

TEST_F(SigningKeyTest, SecretKeysOfMinisignSign) {
  const SigningKey key(Write("k.key", kSecret, kOwnerOnly));
  EXPECT_EQ(key.public_key(), Key());
  EXPECT_EQ(SignatureProblem(key.Sign(kBytes, "a note"), kBytes, Key()), "");
  // Ed25519 is deterministic, so the signature is that of minisign.
  const auto without_first_line = [](const std::string& text) {
    return text.substr(text.find('\n'));
  };
  EXPECT_EQ(without_first_line(key.Sign(kBytes, "a comment")), without_first_line(kSignature));
}

TEST_F(SigningKeyTest, EveryChangeOfBytesCommentOrSignatureIsFound) {
  EXPECT_EQ(SignatureProblem(kSignature, "hello", Key()), "it is not of these bytes");
  std::string changed = kSignature;
  changed.replace(changed.find("a comment"), 1, "b");
  EXPECT_EQ(SignatureProblem(changed, kBytes, Key()), "its comment was changed");
  changed = kSignature;
  changed[changed.find("Yy")] = 'Z';
  EXPECT_EQ(SignatureProblem(changed, kBytes, Key()), "it is not of these bytes");
  EXPECT_EQ(SignatureProblem("", kBytes, Key()), "it is not a signature file of minisign");
}

TEST_F(SigningKeyTest, SignaturesOfOtherKeysAreRefused) {
  const PublicKey other = MakeKeyFiles(scratch_.path() / "other");
  EXPECT_EQ(SignatureProblem(kSignature, kBytes, other), "it is by another key");
  PublicKey forged = other;
  forged.number = Key().number;
  EXPECT_EQ(SignatureProblem(kSignature, kBytes, forged), "it is not of these bytes");
}

TEST_F(SigningKeyTest, MadeKeysSignAndAreForTheirOwnerOnly) {
  const PublicKey key = MakeKeyFiles(scratch_.path() / "own");
  EXPECT_EQ(ReadPublicKey(scratch_.path() / "own.pub"), key);
  const fs::path secret = scratch_.path() / "own.key";
  EXPECT_EQ(fs::status(secret).permissions(), kOwnerOnly);
  EXPECT_EQ(SignatureProblem(SigningKey(secret).Sign(kBytes, "c"), kBytes, key), "");
  EXPECT_EQ(MessageOf([&] { MakeKeyFiles(scratch_.path() / "own"); }),
            "cannot make key '" + secret.string() +
                "': there is a file of that name; choose another name");
}

TEST_F(SigningKeyTest, KeysThatOthersMayReadAreRefused) {
  const fs::path key = Write("k.key", kSecret, kOwnerOnly | fs::perms::group_read);
  EXPECT_EQ(MessageOf([&] { const SigningKey opened(key); }),
            "cannot sign with '" + key.string() +
                "': others than its owner may use it; chmod 600 '" + key.string() + "'");
}

TEST_F(SigningKeyTest, DamagedAndEncryptedKeysAreRefused) {
  std::string damaged = kSecret;
  damaged[damaged.find("EYPu")] = 'F';
  const fs::path key = Write("d.key", damaged, kOwnerOnly);
  EXPECT_EQ(MessageOf([&] { const SigningKey opened(key); }),
            "cannot sign with '" + key.string() + "': it is damaged");
  std::string encrypted = kSecret;
  encrypted.replace(encrypted.find("RWQAAEIy"), 8, "RWRTY0Iy");  // the method "Sc", scrypt
  const fs::path locked = Write("e.key", encrypted, kOwnerOnly);
  EXPECT_EQ(MessageOf([&] { const SigningKey opened(locked); }),
            "cannot sign with '" + locked.string() +
                "': it is encrypted by a password; sign with minisign, or make a key without one "
                "(minisign -G -W)");
}

TEST_F(SigningKeyTest, TextThatIsNotAKeyIsRefused) {
  EXPECT_EQ(MessageOf([] { ReadPublicKey("RWTudw"); }),
            "cannot read public key 'RWTudw': it is not a public key; use the line of the .pub "
            "file, RW...");
}

}  // namespace
}  // namespace crossfold
