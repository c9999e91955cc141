#include "crossfold/summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace crossfold {
namespace {

// NIST StRD, univariate: first value, then 500 times (first - 0.1, first + 0.1).
std::vector<double> NumAcc(double first, double low, double high) {
  std::vector<double> values = {first};
  for (int i = 0; i < 500; ++i) {
    values.push_back(low);
    values.push_back(high);
  }
  return values;
}

// Sample standard deviation with n-1 by hand: deviations -3 -1 -1 -1 0 0 2 4, squares sum to 32.
TEST(SummarizeTest, GivesMeanSampleDeviationAndRange) {
  const std::vector<double> values = {2, 4, 4, 4, 5, 5, 7, 9};
  const Summary summary = Summarize(values);
  EXPECT_EQ(summary.n, 8);
  EXPECT_EQ(summary.mean, 5);
  EXPECT_DOUBLE_EQ(summary.sd, std::sqrt(32.0 / 7));
  EXPECT_EQ(summary.min, 2);
  EXPECT_EQ(summary.max, 9);
}

// NIST StRD NumAcc1: 10000001, 10000003, 10000002; certified mean 10000002, deviation 1 (exact).
TEST(SummarizeTest, MeetsNistNumAcc1) {
  const Summary summary = Summarize(std::vector<double>{10000001, 10000003, 10000002});
  EXPECT_EQ(summary.mean, 10000002);
  EXPECT_EQ(summary.sd, 1);
}

// NIST StRD NumAcc2: certified mean 1.2, deviation 0.1.
TEST(SummarizeTest, MeetsNistNumAcc2) {
  const Summary summary = Summarize(NumAcc(1.2, 1.1, 1.3));
  EXPECT_DOUBLE_EQ(summary.mean, 1.2);
  EXPECT_NEAR(summary.sd, 0.1, 1e-15);
}

// NIST StRD NumAcc4: certified mean 10000000.2, deviation 0.1. As doubles the values themselves are
// off by up to 1e-9, which bounds what any method can reach.
TEST(SummarizeTest, MeetsNistNumAcc4) {
  const Summary summary = Summarize(NumAcc(10000000.2, 10000000.1, 10000000.3));
  EXPECT_EQ(summary.mean, 10000000.2);
  EXPECT_NEAR(summary.sd, 0.1, 1e-9);
}

TEST(SummarizeTest, SmallTermsSurviveLargeOnes) {
  EXPECT_EQ(Summarize(std::vector<double>{1, 1e100, 1, -1e100}).mean, 0.5);
}

TEST(SummarizeTest, EqualValuesHaveExactlyNoSpread) {
  const Summary summary = Summarize(std::vector<double>{0.1, 0.1, 0.1});
  EXPECT_EQ(summary.mean, 0.1);
  EXPECT_EQ(summary.sd, 0);
}

TEST(SummarizeTest, OneValueHasNoDeviation) {
  const Summary summary = Summarize(std::vector<double>{0.96});
  EXPECT_EQ(summary.n, 1);
  EXPECT_EQ(summary.mean, 0.96);
  EXPECT_TRUE(std::isnan(summary.sd));
  EXPECT_EQ(summary.min, 0.96);
  EXPECT_EQ(summary.max, 0.96);
}

TEST(SummarizeTest, NoValuesHaveNothing) {
  const Summary summary = Summarize({});
  EXPECT_EQ(summary.n, 0);
  EXPECT_TRUE(std::isnan(summary.mean));
  EXPECT_TRUE(std::isnan(summary.sd));
  EXPECT_TRUE(std::isnan(summary.min));
  EXPECT_TRUE(std::isnan(summary.max));
  EXPECT_TRUE(std::isnan(summary.median));
  EXPECT_TRUE(std::isnan(summary.mode));
}

TEST(SummarizeTest, MedianOfAnOddNumberIsTheMiddleOne) {
  EXPECT_EQ(Summarize(std::vector<double>{9, 1, 4}).median, 4);
  EXPECT_EQ(Summarize(std::vector<double>{0.5}).median, 0.5);
}

TEST(SummarizeTest, MedianOfAnEvenNumberLiesBetweenTheTwoInTheMiddle) {
  EXPECT_EQ(Summarize(std::vector<double>{9, 1, 4, 2}).median, 3);
  EXPECT_EQ(Summarize(std::vector<double>{0.1, 0.1}).median, 0.1);
  EXPECT_EQ(Summarize(std::vector<double>{1.5e308, 1.7e308}).median, 1.6e308);
}

TEST(SummarizeTest, ModeIsTheMostFrequentValueOfAnyOrder) {
  EXPECT_EQ(Summarize(std::vector<double>{7, 3, 7, 2, 3, 7}).mode, 7);
  EXPECT_EQ(Summarize(std::vector<double>{5, 5}).mode, 5);
}

TEST(SummarizeTest, ThereIsNoModeIfNoValueOccursTwiceOrSeveralAreEquallyFrequent) {
  EXPECT_TRUE(std::isnan(Summarize(std::vector<double>{1, 2, 3}).mode));
  EXPECT_TRUE(std::isnan(Summarize(std::vector<double>{0.96}).mode));
  EXPECT_TRUE(std::isnan(Summarize(std::vector<double>{1, 2, 1, 2, 3}).mode));
}

}  // namespace
}  // namespace crossfold
