#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "crossfold/stats/bootstrap.h"
#include "crossfold/stats/bootstrap_632.h"
#include "crossfold_plugin/random.hpp"
#include "unit/engine/data/refusal.h"
#include "vectors.h"

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
            "every replicate is on the same side of the estimate: the bias correction is infinite");
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
    return RefusedArgument([&] {
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

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

TEST(Bootstrap632Test, MeetsEveryVector) {
  for (int i = 0; i <= 5; ++i) {
    const VectorValue vector = TestVector("b632_" + std::to_string(i));
    const VectorValue &in = vector.at("in"), &out = vector.at("out");
    const Bootstrap632 result = CombineErrors(in.at("err"), in.at("err1"), in.at("gamma"));
    const double tolerance = vector.at("tol");
    EXPECT_NEAR(result.estimate_632, out.at("e632"), tolerance) << i;
    EXPECT_NEAR(result.relative_overfitting, out.at("R"), tolerance) << i;
    EXPECT_NEAR(result.weight, out.at("w"), tolerance) << i;
    EXPECT_TRUE(result.estimate_632_plus.defined);
    EXPECT_NEAR(result.estimate_632_plus.value, out.at("e632plus"), tolerance) << i;
  }
}

TEST(Bootstrap632Test, WithoutTheNoInformationErrorThereIsNoPlus) {
  const Bootstrap632 result = CombineErrors(0.1, 0.3, kUnknown);
  EXPECT_DOUBLE_EQ(result.estimate_632, 0.2264);
  EXPECT_FALSE(result.estimate_632_plus.defined);
  EXPECT_EQ(result.estimate_632_plus.undefined, "the no-information error is not known");
  EXPECT_TRUE(std::isnan(result.estimate_632_plus.value) && std::isnan(result.weight));
}

// .632+ lies between the training error and Err(1), and between .632 and Err(1) if Err(1) is
// below gamma.
TEST(Bootstrap632Test, PlusLiesBetweenItsParts) {
  plugin::Random random(3);
  for (int i = 0; i < 500; ++i) {
    const double err = random.Uniform(), err1 = random.Uniform(), gamma = random.Uniform();
    const Bootstrap632 result = CombineErrors(err, err1, gamma);
    EXPECT_GE(result.relative_overfitting, 0);
    EXPECT_LE(result.relative_overfitting, 1);
    const double capped = std::fmin(err1, gamma);
    EXPECT_GE(result.estimate_632_plus.value, std::fmin(err, capped) - 1e-15);
    EXPECT_LE(result.estimate_632_plus.value, std::fmax(err, capped) + 1e-15);
    if (err < err1 && err1 < gamma) {
      EXPECT_GE(result.estimate_632_plus.value, result.estimate_632 - 1e-15);
    }
  }
}

TEST(Bootstrap632Test, RefusesWhatIsNoError) {
  EXPECT_EQ(RefusedArgument([] { CombineErrors(-0.1, 0.3, 0.5); }),
            "cannot combine bootstrap errors: the training error is -0.1; an error is a finite "
            "number from 0 on");
  EXPECT_EQ(RefusedArgument([] { CombineErrors(0.1, kUnknown, 0.5); }),
            "cannot combine bootstrap errors: the out-of-bag error is nan; an error is a finite "
            "number from 0 on");
  EXPECT_EQ(RefusedArgument([] { CombineErrors(0.1, 0.3, -1); }),
            "cannot combine bootstrap errors: the no-information error is -1; an error is a finite "
            "number from 0 on");
}

// frameworks.md 4.8.
TEST(NoInformationErrorTest, MeetsTheReference) {
  const std::vector<std::int64_t> y = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
  const std::vector<std::int64_t> half = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
  EXPECT_DOUBLE_EQ(NoInformationError(y, half), 0.5);
  const std::vector<std::int64_t> three = {0, 0, 0, 1, 1, 2, 2, 2, 2, 2};
  const std::vector<std::int64_t> guessed = {0, 0, 0, 1, 1, 1, 1, 2, 2, 2};
  EXPECT_DOUBLE_EQ(NoInformationError(three, guessed), 0.68);
}

// Both against their definition, the mean loss over all pairs.
TEST(NoInformationErrorTest, IsTheMeanLossOverAllPairs) {
  plugin::Random random(5);
  std::vector<std::int64_t> labels, predictions;
  std::vector<double> truth, predicted;
  for (int i = 0; i < 30; ++i) {
    labels.push_back(static_cast<std::int64_t>(random.Below(4)));
    predictions.push_back(static_cast<std::int64_t>(random.Below(5)));
    truth.push_back(random.Normal() + 3);
    predicted.push_back(2 * random.Normal());
  }
  double wrong = 0, squares = 0;
  for (std::size_t i = 0; i < 30; ++i) {
    for (std::size_t j = 0; j < 30; ++j) {
      wrong += labels[i] != predictions[j] ? 1 : 0;
      squares += (truth[i] - predicted[j]) * (truth[i] - predicted[j]);
    }
  }
  EXPECT_DOUBLE_EQ(NoInformationError(labels, predictions), wrong / 900);
  EXPECT_NEAR(NoInformationSquaredError(truth, predicted), squares / 900, 1e-12);
}

TEST(NoInformationErrorTest, OneRowHasOnePair) {
  EXPECT_EQ(NoInformationSquaredError(std::vector<double>{3}, std::vector<double>{5}), 4);
}

TEST(NoInformationErrorTest, RefusesListsThatDoNotFit) {
  EXPECT_EQ(RefusedArgument([] { NoInformationError({}, {}); }),
            "cannot compute the no-information error: there are no rows; give at least one");
  EXPECT_EQ(RefusedArgument([] {
              NoInformationSquaredError(std::vector<double>{1, 2}, std::vector<double>{1});
            }),
            "cannot compute the no-information error: there are 2 true values and 1 predictions; "
            "give one prediction per row");
  EXPECT_EQ(
      RefusedArgument(
          [] { NoInformationSquaredError(std::vector<double>{1}, std::vector<double>{kUnknown}); }),
      "cannot compute the no-information error: prediction 1 is nan; give finite numbers only");
}

// frameworks.md 4.8: y = 0 1 1 0 1, out-of-bag predictions {2:0} {0:0} {2:1} {1:0 3:1}. The mean a
// row is .625; a replicate it would be .5, pooled .6.
TEST(LeaveOneOutBootstrapErrorTest, AveragesByRowAndCountsRowsNeverOutOfBag) {
  const std::vector<OutOfBagLoss> losses = {{2, 1}, {0, 0}, {2, 0}, {1, 1}, {3, 1}};
  const OutOfBagError result = LeaveOneOutBootstrapError(5, losses);
  EXPECT_TRUE(result.error.defined);
  EXPECT_DOUBLE_EQ(result.error.value, 0.625);
  EXPECT_EQ(result.rows_used, 4);
  EXPECT_EQ(result.rows_left_out, 1);
}

TEST(LeaveOneOutBootstrapErrorTest, WithoutAnyLossIsUndefined) {
  const OutOfBagError result = LeaveOneOutBootstrapError(3, {});
  EXPECT_FALSE(result.error.defined);
  EXPECT_EQ(result.error.undefined, "no row was ever out of bag");
  EXPECT_TRUE(std::isnan(result.error.value));
  EXPECT_EQ(result.rows_left_out, 3);
}

TEST(LeaveOneOutBootstrapErrorTest, RefusesUnknownRowsAndLosses) {
  const auto refusal = [](std::int64_t rows, OutOfBagLoss loss) {
    return RefusedArgument([&] { LeaveOneOutBootstrapError(rows, {&loss, 1}); });
  };
  EXPECT_EQ(refusal(3, {3, 0}),
            "cannot compute the out-of-bag error: row 3 is not one of 3 rows; rows count from 0");
  EXPECT_EQ(refusal(3, {0, kUnknown}),
            "cannot compute the out-of-bag error: loss 1 is nan; give finite numbers only");
  EXPECT_EQ(refusal(0, {0, 0}),
            "cannot compute the out-of-bag error: there are no rows; give at least one");
}

TEST(NoInformationErrorTest, SquaresTooLargeForANumberAreRefused) {
  const std::vector<double> truth = {1e200, 1}, predicted = {-1e200, 2};
  EXPECT_EQ(RefusedArgument([&] { NoInformationSquaredError(truth, predicted); }),
            "cannot compute the no-information error: the squares are too large for a number; "
            "divide all values by one number");
}

TEST(LeaveOneOutBootstrapErrorTest, TakesMemoryForTestedRowsOnly) {
  const std::int64_t rows = 1'000'000'000'000'000'000;
  const std::vector<OutOfBagLoss> losses = {{rows - 1, 0.25}};
  const OutOfBagError result = LeaveOneOutBootstrapError(rows, losses);
  EXPECT_EQ(result.error.value, 0.25);
  EXPECT_EQ(result.rows_left_out, rows - 1);
}

}  // namespace
}  // namespace crossfold::stats
