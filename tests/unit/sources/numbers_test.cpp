#include "reading/numbers.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>

namespace crossfold::reading {
namespace {

// 1 + 2^-24 + 2^-54 is nearer to 1 + 2^-23 than to 1, but as a double first it becomes the tie
// 1 + 2^-24, which would go to 1.
TEST(ParseFloatTest, RoundsOnce) {
  EXPECT_EQ(ParseFloat("1.0000000596046448315"), 1.00000011920928955F);
  EXPECT_EQ(ParseFloat("1e39"), std::nullopt);
  EXPECT_EQ(ParseFloat("-inf"), -std::numeric_limits<float>::infinity());
}

TEST(IsDecimalNumberTest, CountsNumbersOfAnySizeAndNoWords) {
  for (const char* text : {"0", "-1.5", "+.5", "1e400", "99999999999999999999"}) {
    EXPECT_TRUE(IsDecimalNumber(text)) << text;
  }
  for (const char* text : {"", "inf", "nan", "0x1p3", "1e", "1 2", "-"}) {
    EXPECT_FALSE(IsDecimalNumber(text)) << text;
  }
}

}  // namespace
}  // namespace crossfold::reading
