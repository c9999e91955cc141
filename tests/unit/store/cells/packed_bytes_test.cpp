#include "store/cells/packed_bytes.h"

#include <gtest/gtest.h>

#include "crossfold_plugin/error.hpp"

namespace crossfold {
namespace {

TEST(PackedBytesTest, BytesComeBack) {
  std::string bytes(100'000, 'a');
  for (std::size_t i = 0; i < bytes.size(); i += 7) bytes[i] = static_cast<char>(i);
  const std::string packed = PackBytes(bytes);
  EXPECT_LT(packed.size(), bytes.size());
  EXPECT_EQ(UnpackBytes(packed, bytes.size()), bytes);
  EXPECT_EQ(UnpackBytes(PackBytes(""), 0), "");
}

TEST(PackedBytesTest, MoreThanAllowedIsRefused) {
  EXPECT_THROW(UnpackBytes(PackBytes(std::string(1000, 'x')), 999), plugin::Error);
}

TEST(PackedBytesTest, EveryCutAndAnythingBehindIsRefused) {
  const std::string packed = PackBytes("crossfold crossfold crossfold");
  for (std::size_t n = 0; n < packed.size(); ++n) {
    EXPECT_THROW(UnpackBytes(packed.substr(0, n), 1000), plugin::Error) << n;
  }
  EXPECT_THROW(UnpackBytes(packed + "x", 1000), plugin::Error);
}

// CRC-32 of "123456789" is CBF43926, as its catalogues say.
TEST(PackedBytesTest, TheChecksumIsCrc32AndCanBeContinued) {
  EXPECT_EQ(AddToChecksum(0, "123456789"), 0xCBF43926u);
  EXPECT_EQ(AddToChecksum(AddToChecksum(0, "1234"), "56789"), 0xCBF43926u);
}

}  // namespace
}  // namespace crossfold
