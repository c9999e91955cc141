// Forms of numbers as CLDR lists them (en 1,234.5; de 1.234,5; fr 1 234,5 with U+202F; de-CH
// 1'234.5 with U+2019; hi 12,34,567), and what only looks like them.
#include "analysis/facts/number_forms.h"

#include <gtest/gtest.h>

namespace crossfold {
namespace {

TEST(NumberSignsTest, GroupsOfThousandsAreJoined) {
  const NumberSigns english{'.', ','}, german{',', '.'}, french{',', ' '}, swiss{'.', '\''};
  EXPECT_EQ(WithPlainSigns("1,234.5", english), "1234.5");
  EXPECT_EQ(WithPlainSigns("-12,345,678", english), "-12345678");
  EXPECT_EQ(WithPlainSigns("1.234.567,25", german), "1234567.25");
  EXPECT_EQ(WithPlainSigns("1 234,5", french), "1234.5");
  EXPECT_EQ(WithPlainSigns("1\u202F234\u00A0567,5", french), "1234567.5");
  EXPECT_EQ(WithPlainSigns("1'234\u2019567.5", swiss), "1234567.5");
  EXPECT_EQ(WithPlainSigns("1_000_000", {'.', '_'}), "1000000");
  EXPECT_EQ(WithPlainSigns("12,34,567.5", english), "1234567.5");
}

TEST(NumberSignsTest, NumbersWithoutGroupsStayNumbers) {
  EXPECT_EQ(WithPlainSigns("1234.5", {'.', ','}), "1234.5");
  EXPECT_EQ(WithPlainSigns("1234,5", {',', '.'}), "1234.5");
  EXPECT_EQ(WithPlainSigns("0,5", {',', '.'}), "0.5");
  EXPECT_EQ(WithPlainSigns("1,234e3", {'.', ','}), "1234e3");
  EXPECT_EQ(WithPlainSigns("", {'.', ','}), "");
  EXPECT_EQ(WithPlainSigns("-", {'.', ','}), "-");
}

TEST(NumberSignsTest, BlanksAroundANumberDoNotCountWhereTheyAreSigns) {
  EXPECT_EQ(WithPlainSigns("\u00A0 12\u202F\u00A0", {'.', ' '}), "12");
  EXPECT_EQ(WithPlainSigns("\u00A0", {'.', ' '}), "");
  EXPECT_EQ(WithPlainSigns("\u00A012", {'.', ','}), "\u00A012");
}

// 1,23 read as 123 would be wrong by a hundred: whoever wrote it means a decimal comma.
TEST(NumberSignsTest, OtherGroupsAreNoNumbers) {
  for (const char* text : {"1,23", "1,2345", "1234,567", "0,123", "012,345", ",123", "1,,234",
                           "1,234,", "1.5,000", "123,45,678", "1,23,45"}) {
    EXPECT_EQ(WithPlainSigns(text, {'.', ','}), text);
  }
  EXPECT_EQ(WithPlainSigns("1.23", {',', '.'}), "1,23");
  EXPECT_EQ(WithPlainSigns("1.5", {',', '\0'}), "1,5");
}

}  // namespace
}  // namespace crossfold
