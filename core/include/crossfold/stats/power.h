// Plans a comparison of two learners before it runs: what difference of their accuracies a number
// of rows can show. The functions are pure.
//
// The model. On each row the difference of the two is 1, 0 or -1; `disagreement` is the share of
// rows on which exactly one is right, so a difference of d has the variance disagreement - d^2 per
// row. A resampling scheme measures the difference on J splits; a split of n_test rows has the
// variance (disagreement - d^2) / n_test + training_sd^2. The corrected resampled t test (Nadeau &
// Bengio 2003, Machine Learning 52, 239-281) takes that variance times (1/J + n_test/n_train) for
// the variance of the mean, with J - 1 degrees of freedom. Under it the statistic has a noncentral
// t distribution.
//
// Its limits. The correction is derived for random splits; for k-fold it is a rule of thumb. If the
// rows are the only source of randomness, the mean of a k-fold varies less than the test assumes:
// then the true power is higher than the one computed here wherever that is above one half, clearly
// for one repeat, and by a few points for ten. docs/statistics_ranks.md has numbers.
#pragma once

#include <cstdint>
#include <string>

namespace crossfold::stats {

// How the splits are made. Sizes are means: 105 rows in 10 folds test 10.5 rows per split.
struct SplitScheme {
  double test_share = 0.1;    // of the rows; in (0, 1)
  std::int64_t splits = 100;  // J; at least 2
};

// The scheme of a repeated k-fold, and that of random splits. Both functions throw if a number is
// out of range.
SplitScheme FoldScheme(std::int64_t folds, std::int64_t repeats);    // folds >= 2
SplitScheme HoldoutScheme(double test_share, std::int64_t repeats);  // random splits

struct ComparisonModel {
  // The share of rows on which exactly one is right. Two learners that are each right on 80 to 90 %
  // of the rows often disagree on about this share; measure it in a pilot run if you can.
  double disagreement = 0.1;
  // The standard deviation of the true difference between training sets of one size; 0 = rows are
  // the only source of randomness.
  double training_sd = 0;
  double alpha = 0.05;  // two-sided
};

// A planned number, or the reason why it is undefined.
struct Plan {
  bool defined = false;
  std::string undefined;  // the reason; then all numbers are NaN
  double power = 0;       // probability of a significant result, in either direction
  double difference = 0;  // of the accuracies, as a share
  double rows = 0;
  double standard_error = 0;  // of the measured mean difference; NaN for McNemar's test
};

// All functions throw if |difference| > disagreement, which is impossible, or if a number is out of
// range: a split needs a row to test and a row to train on.

// The power of the corrected resampled t test.
Plan PowerOfSplits(std::int64_t rows, double difference, const SplitScheme& scheme,
                   const ComparisonModel& model);
// The smallest difference that is found with probability `power`, alpha < power < 1.
Plan DetectableBySplits(std::int64_t rows, double power, const SplitScheme& scheme,
                        const ComparisonModel& model);
// The smallest number of rows, up to 1e12, with which `difference` is found with that probability.
Plan RowsForSplits(double difference, double power, const SplitScheme& scheme,
                   const ComparisonModel& model);

// The same for McNemar's test on one test set of `rows` rows, with fixed models: normal
// approximation of Connor 1987, "Sample size for testing differences in proportions for the
// paired-sample design", Biometrics 43, 207-211. `training_sd` is ignored.
Plan PowerOfMcNemar(std::int64_t rows, double difference, const ComparisonModel& model);
Plan DetectableByMcNemar(std::int64_t rows, double power, const ComparisonModel& model);
Plan RowsForMcNemar(double difference, double power, const ComparisonModel& model);

}  // namespace crossfold::stats
