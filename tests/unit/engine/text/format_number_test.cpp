#include "engine/text/format_number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "unit/engine/text/comma_locale.h"

namespace crossfold {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(FormatShortestTest, WritesTheShortestTextThatReadsBack) {
  EXPECT_EQ(FormatShortest(0.1), "0.1");
  EXPECT_EQ(FormatShortest(1e-7), "1e-07");
  EXPECT_EQ(FormatShortest(3), "3");
  EXPECT_EQ(FormatShortest(0.1 + 0.2), "0.30000000000000004");  // Python 3.11: repr(0.1 + 0.2)
  EXPECT_EQ(FormatShortest(1.0 / 3), "0.3333333333333333");     // Python 3.11: repr(1 / 3)
}

TEST(FormatShortestTest, NamesWhatIsNotFinite) {
  EXPECT_EQ(FormatShortest(kInfinity), "inf");
  EXPECT_EQ(FormatShortest(-kInfinity), "-inf");
  EXPECT_EQ(FormatShortest(kNaN), "nan");
  EXPECT_EQ(FormatShortest(std::copysign(kNaN, -1.0)), "nan");
}

TEST(FormatShortestTest, IsReadBackByParseDouble) {
  for (const double value : {0.1, -0.0, 5e-324, 1.7976931348623157e308, kInfinity, -kInfinity}) {
    const auto back = ParseDouble(FormatShortest(value));
    ASSERT_TRUE(back.has_value()) << value;
    EXPECT_EQ(*back, value);
    EXPECT_EQ(std::signbit(*back), std::signbit(value));
  }
  EXPECT_TRUE(std::isnan(ParseDouble(FormatShortest(kNaN)).value()));
}

TEST(FormatFixedTest, WritesAsManyDecimalsAsAskedFor) {
  EXPECT_EQ(FormatFixed(0.96, 4), "0.9600");
  EXPECT_EQ(FormatFixed(2, 0), "2");
  EXPECT_EQ(FormatFixed(-1.5, 1), "-1.5");
}

// The double nearest to 2.675 lies below it; 0.125 is exact, and a tie goes to the even digit.
// Python 3.11 agrees: f"{2.675:.2f}", f"{0.125:.2f}", f"{0.375:.2f}".
TEST(FormatFixedTest, RoundsTheExactValue) {
  EXPECT_EQ(FormatFixed(2.675, 2), "2.67");
  EXPECT_EQ(FormatFixed(0.125, 2), "0.12");
  EXPECT_EQ(FormatFixed(0.375, 2), "0.38");
}

TEST(FormatFixedTest, ZeroHasNoSign) {
  EXPECT_EQ(FormatFixed(-0.00001, 4), "0.0000");
  EXPECT_EQ(FormatFixed(-0.0, 1), "0.0");
  EXPECT_EQ(FormatFixed(-0.4, 0), "0");
  EXPECT_EQ(FormatFixed(-0.00005001, 4), "-0.0001");
}

TEST(FormatFixedTest, HasRoomForTheLargestDouble) {
  const std::string text = FormatFixed(-std::numeric_limits<double>::max(), 3);
  EXPECT_EQ(text.size(), 1U + 309U + 1U + 3U);
  EXPECT_EQ(text.substr(0, 10), "-179769313");
}

TEST(FormatFixedTest, NamesWhatIsNotFinite) {
  EXPECT_EQ(FormatFixed(kInfinity, 4), "inf");
  EXPECT_EQ(FormatFixed(-kInfinity, 4), "-inf");
  EXPECT_EQ(FormatFixed(kNaN, 4), "nan");
}

TEST(ParseDoubleTest, TakesDecimalNumbersOnly) {
  EXPECT_EQ(ParseDouble("5"), 5);
  EXPECT_EQ(ParseDouble("-2.5e3"), -2500);
  EXPECT_EQ(ParseDouble("+0.5"), 0.5);
  EXPECT_EQ(ParseDouble(".5"), 0.5);
  EXPECT_EQ(ParseDouble("5."), 5);
  for (const char* text : {"", " 5", "5 ", "5x", "0x10", "1,5", "1e", ".", "-", "+", "+-5", "-+5",
                           "--5", "infinity", "INF", "+inf", "NaN", "-nan", "1_000"}) {
    EXPECT_EQ(ParseDouble(text), std::nullopt) << text;
  }
}

TEST(ParseDoubleTest, RefusesWhatIsTooLargeAndRoundsWhatIsTiny) {
  EXPECT_EQ(ParseDouble("1e400"), std::nullopt);
  EXPECT_EQ(ParseDouble("-1e400"), std::nullopt);
  EXPECT_EQ(ParseDouble("1e-400"), 0);
}

TEST(ParseIntegerTest, TakesDigitsWithASign) {
  EXPECT_EQ(ParseInteger("007"), 7);
  EXPECT_EQ(ParseInteger("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(ParseInteger("+9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  for (const char* text :
       {"", " 1", "1 ", "1.0", "1e3", "0x1", "+", "+-1", "--1", "9223372036854775808"}) {
    EXPECT_EQ(ParseInteger(text), std::nullopt) << text;
  }
}

// As Python's '%.1e' and so on.
TEST(FormatScientificTest, OneDigitStandsBeforeThePoint) {
  EXPECT_EQ(FormatScientific(9.25e-16, 1), "9.3e-16");
  EXPECT_EQ(FormatScientific(-1234.5, 4), "-1.2345e+03");
  EXPECT_EQ(FormatScientific(5e-324, 0), "5e-324");
  EXPECT_EQ(FormatScientific(0, 2), "0.00e+00");
}

TEST(NumberLocaleTest, ADecimalCommaChangesNothing) {
  const CommaLocale locale;
  ASSERT_EQ(locale.Problem(), "");
  std::ostringstream stream;
  stream << 1234.5;
  ASSERT_EQ(stream.str(), "1.234,5");  // the locale is in force

  EXPECT_EQ(FormatShortest(1234.5), "1234.5");
  EXPECT_EQ(FormatFixed(1234.5, 2), "1234.50");
  EXPECT_EQ(ParseDouble("1234.5"), 1234.5);
  EXPECT_EQ(ParseDouble("1234,5"), std::nullopt);
}

}  // namespace
}  // namespace crossfold
