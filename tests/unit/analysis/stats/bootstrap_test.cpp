#include "crossfold/stats/bootstrap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "crossfold_plugin/random.hpp"
#include "stats_refusal.h"

namespace crossfold::stats {
namespace {

const std::vector<double> kValues = {2.1, 3.4, 0.7, 5.9, 4.4, 8.8, 1.2, 3.3, 2.7, 6.1};

// 40 numbers around the mean of kValues, in no order.
std::vector<double> FixedReplicates() {
  std::vector<double> replicates;
  for (int i = 0; i < 40; ++i) replicates.push_back(3 + 0.05 * ((7 * i) % 40));
  return replicates;
}

BootstrapOptions Options(BootstrapMethod method, std::int64_t samples = 2000) {
  BootstrapOptions options;
  options.method = method;
  options.samples = samples;
  return options;
}

TEST(BootstrapStatisticTest, MedianIsTheMiddleOrTheMeanOfTheTwoInTheMiddle) {
  EXPECT_EQ(MedianOf(std::vector<double>{9, 1, 5}), 5);
  EXPECT_EQ(MedianOf(std::vector<double>{9, 1, 5, 6}), 5.5);
  EXPECT_EQ(MeanOf(std::vector<double>{9, 1, 5, 6}), 5.25);
}

TEST(BootstrapSampleTest, DrawsAsManyOfTheValuesWithReplacement) {
  const std::vector<std::uint64_t> seeds = SampleSeeds(5, 3);
  ASSERT_EQ(seeds.size(), 3u);
  const std::vector<double> sample = BootstrapSample(kValues, seeds[1]);
  EXPECT_EQ(sample.size(), kValues.size());
  for (const double value : sample) {
    EXPECT_NE(std::find(kValues.begin(), kValues.end(), value), kValues.end());
  }
  EXPECT_EQ(sample, BootstrapSample(kValues, seeds[1]));
  EXPECT_NE(sample, BootstrapSample(kValues, seeds[2]));
}

// A longer run begins with the shorter one: samples are seeded one by one.
TEST(BootstrapReplicatesTest, MoreSamplesKeepTheFirst) {
  const auto few = BootstrapReplicates(kValues, MeanOf, 5, 9);
  const auto many = BootstrapReplicates(kValues, MeanOf, 8, 9);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
}

TEST(LeaveOneOutValuesTest, LeavesOutEachValueInTurn) {
  const auto total = [](std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum;
  };
  EXPECT_EQ(LeaveOneOutValues(std::vector<double>{1, 10, 100}, total),
            (std::vector<double>{110, 101, 11}));
}

TEST(SortedQuantileTest, IsLinearBetweenNeighbours) {
  const std::vector<double> sorted = {10, 20, 40};
  EXPECT_EQ(SortedQuantile(sorted, 0), 10);
  EXPECT_EQ(SortedQuantile(sorted, 0.25), 15);
  EXPECT_EQ(SortedQuantile(sorted, 0.75), 30);
  EXPECT_EQ(SortedQuantile(sorted, 1), 40);
}

// scipy.stats._resampling._bca_interval((values,), np.mean, -1, 0.025, replicates, None) of SciPy
// 1.10.1 gives the shares .018902665569394735 and .966139279673214, and the acceleration; the ends
// are np.percentile of the replicates at these shares.
TEST(IntervalOfReplicatesTest, BcaAgreesWithSciPyOnTheSameReplicates) {
  const std::vector<double> replicates = FixedReplicates();
  const BootstrapInterval interval = IntervalOfReplicates(
      MeanOf(kValues), replicates, LeaveOneOutValues(kValues, MeanOf), BootstrapMethod::kBca, 0.95);
  EXPECT_TRUE(interval.defined) << interval.undefined;
  EXPECT_NEAR(interval.bias_correction, -0.12566134685507402, 1e-14);
  EXPECT_NEAR(interval.acceleration, 0.03300693742933387, 1e-14);
  EXPECT_NEAR(interval.low, 3.0368601978603196, 1e-13);
  EXPECT_NEAR(interval.high, 4.883971595362768, 1e-13);
  EXPECT_NEAR(interval.estimate, 3.86, 1e-14);
}

// np.percentile and np.std(ddof=1) of NumPy.
TEST(IntervalOfReplicatesTest, PercentileAgreesWithNumPyOnTheSameReplicates) {
  const BootstrapInterval interval =
      IntervalOfReplicates(3.86, FixedReplicates(), {}, BootstrapMethod::kPercentile, 0.95);
  EXPECT_NEAR(interval.low, 3.0487499999999996, 1e-14);
  EXPECT_NEAR(interval.high, 4.90125, 1e-14);
  EXPECT_NEAR(interval.standard_error, 0.5845225972250061, 1e-14);
  EXPECT_TRUE(std::isnan(interval.bias_correction) && std::isnan(interval.acceleration));
}

TEST(IntervalOfReplicatesTest, WithoutBiasAndAccelerationBcaIsThePercentileInterval) {
  const std::vector<double> replicates = {1, 2, 3, 4, 5, 6, 7};  // 4 is their median
  const std::vector<double> symmetric = {-1, 0, 1};
  const auto bca = IntervalOfReplicates(4, replicates, symmetric, BootstrapMethod::kBca, 0.9);
  const auto plain = IntervalOfReplicates(4, replicates, {}, BootstrapMethod::kPercentile, 0.9);
  EXPECT_NEAR(bca.low, plain.low, 1e-12);
  EXPECT_NEAR(bca.high, plain.high, 1e-12);
}

TEST(BiasCorrectionTest, CountsTiesHalf) {
  EXPECT_EQ(BiasCorrection(std::vector<double>{1, 2, 2, 3}, 2), 0);
  EXPECT_TRUE(std::isinf(BiasCorrection(std::vector<double>{1, 2}, 3)));
  EXPECT_LT(BiasCorrection(std::vector<double>{1, 2}, 0), 0);
}

// Deviations from the mean -> 2 -1 -1: (8 - 1 - 1) / (6 * 6^1.5). Any scale gives the same.
TEST(AccelerationTest, MeetsACalculationByHandAtAnyScale) {
  const double exact = 6 / (6 * std::pow(6, 1.5));
  EXPECT_NEAR(Acceleration(std::vector<double>{-2, 1, 1}), exact, 1e-15);
  EXPECT_NEAR(Acceleration(std::vector<double>{-2e-150, 1e-150, 1e-150}), exact, 1e-15);
  EXPECT_TRUE(std::isnan(Acceleration(std::vector<double>{3, 3, 3})));
}

// scipy.stats.bootstrap((values,), ..., n_resamples=200000, random_state=1): mean, percentile 2.47
// .. 5.39, BCa 2.59 .. 5.56, standard error 0.7458; median, both methods 1.95 .. 5.9.
TEST(BootstrapTest, AgreesWithSciPyInDistribution) {
  const auto percentile = Bootstrap(kValues, MeanOf, Options(BootstrapMethod::kPercentile, 40000));
  EXPECT_NEAR(percentile.low, 2.47, 0.04);
  EXPECT_NEAR(percentile.high, 5.39, 0.04);
  EXPECT_NEAR(percentile.standard_error, 0.7458, 0.01);
  const auto bca = Bootstrap(kValues, MeanOf, Options(BootstrapMethod::kBca, 40000));
  EXPECT_NEAR(bca.low, 2.59, 0.05);
  EXPECT_NEAR(bca.high, 5.56, 0.05);
  const auto median = Bootstrap(kValues, MedianOf, Options(BootstrapMethod::kBca, 40000));
  EXPECT_NEAR(median.low, 1.95, 0.3);
  EXPECT_NEAR(median.high, 5.9, 0.3);
}

TEST(BootstrapTest, TheSeedDecides) {
  BootstrapOptions options;
  const BootstrapInterval one = Bootstrap(kValues, MeanOf, options);
  const BootstrapInterval same = Bootstrap(kValues, MeanOf, options);
  EXPECT_EQ(one.low, same.low);
  EXPECT_EQ(one.high, same.high);
  options.seed = 2;
  EXPECT_NE(Bootstrap(kValues, MeanOf, options).low, one.low);
}

// Of 300 intervals of 90 % around the mean of 40 normal values, 270 hold the true mean on average,
// with a standard deviation of 5.2; BCa is known to hold a little less with few values.
TEST(BootstrapTest, IntervalsHoldTheTrueMeanAsOftenAsTheySay) {
  plugin::Random random(11);
  BootstrapOptions options = Options(BootstrapMethod::kBca, 300);
  options.confidence = 0.9;
  int hits = 0;
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> values(40);
    for (double& value : values) value = random.Normal();
    options.seed = random.Next();
    const BootstrapInterval interval = Bootstrap(values, MeanOf, options);
    hits += interval.low <= 0 && 0 <= interval.high ? 1 : 0;
  }
  EXPECT_GE(hits, 250);
  EXPECT_LE(hits, 286);
}

std::string Undefined(const std::vector<double>& values, const Statistic& statistic,
                      BootstrapMethod method = BootstrapMethod::kBca) {
  const BootstrapInterval interval = Bootstrap(values, statistic, Options(method, 200));
  EXPECT_FALSE(interval.defined);
  EXPECT_TRUE(std::isnan(interval.low) && std::isnan(interval.high));
  EXPECT_TRUE(std::isnan(interval.standard_error));
  return interval.undefined;
}

TEST(BootstrapTest, ValuesThatDoNotVaryHaveNoInterval) {
  EXPECT_EQ(Undefined({0.9, 0.9, 0.9}, MeanOf), "all values are equal: every sample is the same");
  EXPECT_EQ(Undefined({0.9}, MeanOf), "one value does not show how values vary");
  EXPECT_EQ(Bootstrap(std::vector<double>{0.9}, MeanOf, {}).estimate, 0.9);
}

TEST(IntervalOfReplicatesTest, AnEstimateBeyondItsReplicatesHasNoBcaInterval) {
  const BootstrapInterval interval = IntervalOfReplicates(
      100, std::vector<double>{1, 2, 3}, std::vector<double>{1, 2, 4}, BootstrapMethod::kBca, 0.95);
  EXPECT_FALSE(interval.defined);
  EXPECT_EQ(interval.undefined,
            "every replicate is on the same side of the estimate: the bias correction is "
            "infinite");
  EXPECT_EQ(interval.estimate, 100);
  EXPECT_TRUE(std::isnan(interval.low) && std::isnan(interval.high));
}

TEST(BootstrapTest, AStatisticThatNoOneValueMovesHasNoAcceleration) {
  EXPECT_EQ(Undefined({1, 2, 2, 2, 3}, MedianOf),
            "the statistic is the same, or undefined, without any one value: there is no "
            "acceleration; use the percentile method");
}

TEST(BootstrapTest, AStatisticThatIsUndefinedOnSomeSamplesIsTold) {
  const auto inverse_spread = [](std::span<const double> values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return *low < *high ? 1 / (*high - *low) : std::numeric_limits<double>::quiet_NaN();
  };
  const std::string reason = Undefined({1, 2}, inverse_spread, BootstrapMethod::kPercentile);
  EXPECT_TRUE(reason.starts_with("the statistic is not a finite number in ")) << reason;
  EXPECT_TRUE(reason.ends_with(" of 200 samples")) << reason;
  EXPECT_EQ(Undefined({1, 2}, [](auto) { return std::nan(""); }),
            "the statistic of the values is not a finite number");
}

TEST(BootstrapTest, RefusesBadArguments) {
  const auto refusal = [](const std::vector<double>& values, double confidence,
                          std::int64_t samples) {
    return Refusal([&] {
      Bootstrap(values, MeanOf, {BootstrapMethod::kBca, samples, confidence, 1});
    });
  };
  EXPECT_EQ(refusal({}, 0.95, 10),
            "cannot compute a bootstrap interval: there are no values; give a list of numbers");
  EXPECT_EQ(refusal({1, std::nan("")}, 0.95, 10),
            "cannot compute a bootstrap interval: value 2 is nan; give finite numbers only");
  EXPECT_EQ(refusal({1, 2}, 95, 10),
            "cannot compute a bootstrap interval: confidence is 95; it must be between 0 and 1");
  EXPECT_EQ(refusal({1, 2}, 0.95, 1),
            "cannot compute a bootstrap interval: samples is 1; draw at least 2");
}

}  // namespace
}  // namespace crossfold::stats
