#include "bindings/lua/draw_number.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "crossfold/error.h"
#include "engine/text/format_number.h"

namespace crossfold {
namespace {

constexpr std::uint64_t kDraws = 20000;

std::vector<double> Sorted(const RealRange& range) {
  std::vector<double> drawn;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) drawn.push_back(DrawReal(range, seed * 977));
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

TEST(DrawRealTest, LinearDrawsAreUniform) {
  const std::vector<double> drawn = Sorted({-1, 3});
  EXPECT_GE(drawn.front(), -1);
  EXPECT_LE(drawn.back(), 3);
  // The standard error of a quartile is 4 sqrt(0.25 * 0.75 / 20000) = 0.012.
  EXPECT_NEAR(drawn[kDraws / 4], 0, 0.05);
  EXPECT_NEAR(drawn[kDraws / 2], 1, 0.05);
  EXPECT_NEAR(drawn[3 * kDraws / 4], 2, 0.05);
}

TEST(DrawRealTest, LogarithmicDrawsAreUniformInTheExponent) {
  const std::vector<double> drawn = Sorted({.low = 1e-3, .high = 1e3, .log = true});
  EXPECT_GE(drawn.front(), 1e-3);
  EXPECT_LE(drawn.back(), 1e3);
  EXPECT_NEAR(std::log10(drawn[kDraws / 4]), -1.5, 0.08);
  EXPECT_NEAR(std::log10(drawn[kDraws / 2]), 0, 0.08);
  EXPECT_NEAR(std::log10(drawn[3 * kDraws / 4]), 1.5, 0.08);
}

TEST(DrawRealTest, NumbersHaveSixSignificantDigits) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::string text = FormatShortest(DrawReal({.low = 0.001, .high = 1, .log = true}, seed));
    const auto digits =
        std::count_if(text.begin() + 2, text.end(), [](char c) { return c != '0'; });
    EXPECT_LE(digits, 6) << text;
  }
}

TEST(DrawRealTest, ARangeTooNarrowForSixDigitsKeepsAllDigits) {
  const RealRange range{1.0000001, 1.0000002};
  const double drawn = DrawReal(range, 1);
  EXPECT_GE(drawn, range.low);
  EXPECT_LE(drawn, range.high);
}

TEST(DrawRealTest, OpenBoundsAreNeverDrawn) {
  // Half of the rounded draws of this range would be 1.
  const RealRange range{1, 1.00001, true, true, false};
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const double drawn = DrawReal(range, seed);
    EXPECT_GT(drawn, range.low);
    EXPECT_LT(drawn, range.high);
  }
}

TEST(DrawRealTest, ARangeWithoutNumbersIsRefused) {
  const double next = std::nextafter(1.0, 2.0);
  try {
    DrawReal({1, next, true, true, false}, 1);
    FAIL() << "an error was expected";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot draw between 1 and 1.0000000000000002: there is no number between them; "
                 "widen the range");
  }
}

TEST(DrawRealTest, TheWidestRangeDoesNotOverflow) {
  constexpr double kMost = std::numeric_limits<double>::max();
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    EXPECT_TRUE(std::isfinite(DrawReal({-kMost, kMost}, seed)));
  }
}

std::map<std::int64_t, int> Counted(std::int64_t low, std::int64_t high, bool log) {
  std::map<std::int64_t, int> counts;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
    ++counts[DrawInteger(low, high, log, seed * 977)];
  }
  return counts;
}

TEST(DrawIntegerTest, LinearDrawsHaveEveryNumberAsOften) {
  const auto counts = Counted(-2, 2, false);
  ASSERT_EQ(counts.size(), 5u);
  for (const auto& [number, count] : counts) EXPECT_NEAR(count, 4000, 250) << number;
}

TEST(DrawIntegerTest, LogarithmicDrawsFollowTheIntervalOfEachNumber) {
  // ln((k + 0.5) / (k - 0.5)) / ln(4.5 / 0.5) for k = 1 .. 4: 1/2, 0.2325, 0.1531, 0.1144.
  const auto counts = Counted(1, 4, true);
  ASSERT_EQ(counts.size(), 4u);
  EXPECT_NEAR(counts.at(1), 10000, 300);
  EXPECT_NEAR(counts.at(2), 4650, 250);
  EXPECT_NEAR(counts.at(3), 3063, 220);
  EXPECT_NEAR(counts.at(4), 2287, 200);
}

TEST(RealAtTest, TheSharesOfARangeAreItsValues) {
  EXPECT_EQ(RealAt({2, 6}, 0), 2);
  EXPECT_EQ(RealAt({2, 6}, 0.25), 3);
  EXPECT_EQ(RealAt({2, 6}, 1), 6);
  EXPECT_EQ(RealAt({.low = 0.01, .high = 100, .log = true}, 0.5), 1);
}

TEST(RealAtTest, AnOpenBoundIsNotReached) {
  EXPECT_GT(RealAt({.low = 0, .high = 1, .low_open = true}, 0), 0);
  EXPECT_LT(RealAt({.low = 0, .high = 1, .high_open = true}, 1), 1);
}

TEST(IntegerAtTest, EveryIntegerHasItsPartOfTheRange) {
  EXPECT_EQ(IntegerAt(1, 4, false, 0), 1);
  EXPECT_EQ(IntegerAt(1, 4, false, 0.26), 2);
  EXPECT_EQ(IntegerAt(1, 4, false, 1), 4);
  // ln(1.5 / 0.5) / ln(4.5 / 0.5) = 1/2 of the logarithmic scale is the end of 1.
  EXPECT_EQ(IntegerAt(1, 4, true, 0.49), 1);
  EXPECT_EQ(IntegerAt(1, 4, true, 0.51), 2);
  EXPECT_EQ(IntegerAt(1, 4, true, 1), 4);
}

TEST(DrawIntegerTest, TheGreatestIntegersStayInRange) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    EXPECT_GE(DrawInteger(kMost - 1, kMost, true, seed), kMost - 1);
    EXPECT_GE(DrawInteger(kMost - 1, kMost, false, seed), kMost - 1);
  }
}

}  // namespace
}  // namespace crossfold
