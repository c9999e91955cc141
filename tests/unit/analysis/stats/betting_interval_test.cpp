#include "crossfold/stats/betting_interval.h"

#include <gtest/gtest.h>

#include <vector>

#include "crossfold/error.h"

namespace crossfold::stats {
namespace {

// The multiples of 0.1 up to 0.9, five times, in the order 0, 7, 4, 1, ...
std::vector<double> Spread() {
  std::vector<double> values;
  for (int i = 0; i < 50; ++i) values.push_back(7 * i % 10 / 10.0);
  return values;
}

// From gostevehoward/confseq, betting.py: the means with max over time of betting_mart(x, m, alpha
// = 0.05, trunc_scale = 0.9) below 20, by bisection in Python.
TEST(BettingIntervalTest, IsThatOfConfseq) {
  const MeanInterval spread = BettingInterval(Spread(), 0, 1);
  EXPECT_NEAR(spread.low, 0.304541265200, 1e-11);
  EXPECT_NEAR(spread.high, 0.562968685811, 1e-11);
  std::vector<double> narrow;
  for (int i = 0; i < 100; ++i) narrow.push_back(0.9 + 0.01 * (3 * i % 5));
  const MeanInterval high = BettingInterval(narrow, 0, 1);
  EXPECT_NEAR(high.low, 0.883032577229, 1e-11);
  EXPECT_NEAR(high.high, 0.935468784604, 1e-11);
}

TEST(BettingIntervalTest, ScalesWithTheRange) {
  std::vector<double> scaled;
  for (const double value : Spread()) scaled.push_back(20 * value - 10);
  const MeanInterval interval = BettingInterval(scaled, -10, 10);
  EXPECT_NEAR(interval.low, 20 * 0.304541265200 - 10, 1e-9);
  EXPECT_NEAR(interval.high, 20 * 0.562968685811 - 10, 1e-9);
}

TEST(BettingIntervalTest, WithoutValuesItIsTheRange) {
  const MeanInterval interval = BettingInterval({}, -1, 3);
  EXPECT_EQ(interval.low, -1);
  EXPECT_EQ(interval.high, 3);
}

TEST(BettingIntervalTest, NeverGrowsWithMoreValues) {
  const std::vector<double> all = Spread();
  MeanInterval before = BettingInterval({}, 0, 1);
  for (std::size_t n = 1; n <= all.size(); ++n) {
    const MeanInterval now = BettingInterval(std::span(all).first(n), 0, 1);
    EXPECT_GE(now.low, before.low);
    EXPECT_LE(now.high, before.high);
    before = now;
  }
}

// No mean fits values that jump from one end of the range to the other.
TEST(BettingIntervalTest, IsEmptyForValuesThatAreNoDrawsOfOneDistribution) {
  std::vector<double> values(100, 0.0);
  values.insert(values.end(), 400, 1.0);
  const MeanInterval interval = BettingInterval(values, 0, 1);
  EXPECT_GT(interval.low, interval.high);
}

void ExpectBettingRefusal(const std::vector<double>& values, double least, double most,
                          const std::string& finding) {
  try {
    BettingInterval(values, least, most);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(e.what(), "cannot bound the mean of values: " + finding);
  }
}

TEST(BettingIntervalTest, ValuesOutsideTheRangeAreRefused) {
  ExpectBettingRefusal({0.5, 1.5}, 0, 1,
                       "value 2 is 1.5, outside 0 to 1; give the range of all values");
  ExpectBettingRefusal({0.5}, 1, 1,
                       "they have no range; give a least value below a finite most value");
}

}  // namespace
}  // namespace crossfold::stats
