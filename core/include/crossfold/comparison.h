// Which of the learners of an experiment is better, by a test that is valid for its splits. The
// numbers are those of cf.compare in Lua for one dataset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "crossfold/experiment.h"
#include "crossfold/stats/multiple_testing.h"

namespace crossfold {

// kAgreement counts rows and tests nothing; it is for leave-one-out and cannot be requested.
enum class PairTest { kCorrectedT, kMcNemar, kFiveByTwoT, kFiveByTwoF, kAgreement };
// The names of those that can be requested, in order, then null.
inline constexpr const char* kPairTestNames[] = {"corrected_t", "mcnemar", "five_by_two_t",
                                                 "five_by_two_f", nullptr};

struct ComparisonOptions {
  std::size_t metric = 0;             // its place in the experiment
  std::vector<std::size_t> learners;  // their places in the experiment; empty = all
  std::optional<std::size_t>
      control;                   // every other learner is compared with it; nullopt = all pairs
  std::optional<PairTest> test;  // nullopt = one that is valid for the splits
  double alpha = 0.05;           // level of the tests
  double confidence = 0.95;      // of the intervals
  // Half-width of the region of practical equivalence; nullopt = 0.01 for metrics from 0 to 1, and
  // none for others.
  std::optional<double> rope;
  stats::Adjustment adjust = stats::Adjustment::kHolm;  // of p-values over the pairs
};

// Two learners compared. A number that does not exist is NaN. Differences are first - second.
struct ComparedPair {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::size_t first = 0, second = 0;               // places of the learners in the experiment
  std::string test;                                // for people: "corrected resampled t"
  std::int64_t splits = 0, splits_of = 0;          // that have both scores; all
  double mean_first = kNone, mean_second = kNone;  // over the splits with both scores
  double difference = kNone, low = kNone, high = kNone;
  double statistic = kNone, df = kNone;
  double p = kNone, p_adjusted = kNone;
  // Probabilities that the first one is worse, alike and better, given `rope`.
  double rope = kNone, p_worse = kNone, p_alike = kNone, p_better = kNone;
  // Tested rows, and those on which only one of them is right; 0 for tests that do not count rows.
  std::int64_t rows = 0, only_first = 0, only_second = 0;
  std::optional<std::size_t> better;  // the better learner, if the test found one
  bool significant = false;           // p_adjusted < alpha
  std::string undefined;  // why there is no p-value or why it is a convention; "" = neither
  std::string left_out;   // why splits were left out; "" = none were
  std::string as_worst;   // in how many splits a learner has the worst value; "" = in none
};

// Returns the pairs in the order of the learners. Throws Error(kInvalidArgument) for options out of
// range, fewer than two learners, and a test that is not valid for the splits:
//   cannot compare the learners: test 'corrected_t' is not valid for one split; ...
// REQUIRES: `result` is what RunExperiment returned for `experiment`.
std::vector<ComparedPair> CompareLearners(const Experiment& experiment,
                                          const ExperimentResult& result,
                                          const ComparisonOptions& options = {});

}  // namespace crossfold
