#include "engine/data/sha256.h"

#include <gtest/gtest.h>

#include <string>

namespace crossfold {
namespace {

// FIPS 180-4, example computations of NIST.
constexpr const char* kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* kEmpty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

TEST(Sha256Test, MeetsTheVectorsOfTheStandard) {
  EXPECT_EQ(ToHex(Sha256Of("abc")), kAbc);
  EXPECT_EQ(ToHex(Sha256Of("")), kEmpty);
  EXPECT_EQ(ToHex(Sha256Of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256Test, PortionsDoNotMatter) {
  Sha256 hash;
  hash.Add("a", 1);
  hash.Add("", 0);
  hash.Add("bc", 2);
  EXPECT_EQ(ToHex(hash.Finish()), kAbc);
}

TEST(Sha256Test, IntegersAreEightBytesFromTheLowest) {
  Sha256 hash;
  hash.AddInteger(0x0102030405060708U);
  EXPECT_EQ(hash.Finish(), Sha256Of("\x08\x07\x06\x05\x04\x03\x02\x01"));
}

TEST(Sha256Test, TextsCarryTheirLength) {
  Sha256 hash;
  hash.AddText("abc");
  EXPECT_EQ(hash.Finish(), Sha256Of(std::string("\x03\0\0\0\0\0\0\0abc", 11)));
}

}  // namespace
}  // namespace crossfold
