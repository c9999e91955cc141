// The quick way to read a number has the bits of the thorough one.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>

#include "crossfold_plugin/random.hpp"
#include "reading/numbers.h"
#include "reading/plain_decimal.h"

namespace crossfold::sources {
namespace {

using plugin::Random;
using reading::kPlainDecimalReach;
using reading::ParseDouble;
using reading::ParseInteger;
using reading::PlainDecimal;
using reading::ReadPlainDecimal;

PlainDecimal Read(const std::string& text) {
  const std::string padded = text + std::string(kPlainDecimalReach, ',');
  PlainDecimal number = ReadPlainDecimal(padded.data());
  if (number.end != nullptr) number.end = text.data() + (number.end - padded.data());
  return number;
}

std::string Digits(Random& random, std::uint64_t n) {
  std::string digits;
  for (std::uint64_t i = 0; i < n; ++i) digits += static_cast<char>('0' + random.Below(10));
  return digits;
}

TEST(PlainDecimalTest, HasTheBitsOfFastFloat) {
  Random random(1);
  int taken = 0;
  for (int i = 0; i < 200000; ++i) {
    std::string text = (random.Below(2) == 0 ? "-" : "") + Digits(random, 1 + random.Below(12));
    if (random.Below(4) > 0) text += "." + Digits(random, random.Below(19));
    const PlainDecimal number = Read(text);
    if (!number.has_exact_double()) continue;
    ++taken;
    ASSERT_EQ(number.end, text.data() + text.size()) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(number.ToDouble()),
              std::bit_cast<std::uint64_t>(ParseDouble(text).value()))
        << text;
  }
  EXPECT_GT(taken, 100000);
}

TEST(PlainDecimalTest, WholeNumbersAreThoseOfFromChars) {
  Random random(2);
  for (int i = 0; i < 20000; ++i) {
    const std::string text =
        (random.Below(2) == 0 ? "-" : "") + Digits(random, 1 + random.Below(18));
    ASSERT_TRUE(Read(text).has_integer()) << text;
    ASSERT_EQ(Read(text).ToInteger(), ParseInteger(text).value()) << text;
  }
}

TEST(PlainDecimalTest, StopsBehindTheNumber) {
  for (const char* text : {"1x2", "12.5e3", "-3 ", "0.25\n", "1.5/"}) {
    const std::string padded = text + std::string(kPlainDecimalReach, '9');
    const PlainDecimal number = ReadPlainDecimal(padded.data());
    ASSERT_NE(number.end, nullptr) << text;
    EXPECT_EQ(number.end - padded.data(),
              static_cast<std::ptrdiff_t>(std::string(text).find_first_not_of("-.0123456789")))
        << text;
  }
}

TEST(PlainDecimalTest, LeavesOtherFormsAlone) {
  for (const char* text : {"", "+1", ".5", "5.", "-", "x", "1234567890123456789",
                           "12.34567890123456789", "\x81", "\xB0"}) {
    EXPECT_EQ(Read(text).end, nullptr) << text;
  }
}

}  // namespace
}  // namespace crossfold::sources
