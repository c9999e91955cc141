// The one number that stands for the scores of several test sets. It is the mean of the scores,
// except where that is a number of something else: docs/metrics_scores.md has the rule and what was
// measured.
#pragma once

#include <cstdint>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/log_sink.h"
#include "crossfold/spec.h"
#include "crossfold/split.h"

namespace crossfold {

// kMean: the mean of the scores. kByWeight: the same, test sets counting by the weight of their
// rows, which for a mean over rows is the score of all rows. kPooled: the score of all rows
// together.
enum class Aggregation { kMean, kByWeight, kPooled };
// "mean over folds", "weighted by rows", "pooled over predictions".
const char* AggregationName(Aggregation aggregation);

// The sizes of test sets on average, and the weight of each.
struct TestSets {
  double rows = 0;              // with weights Kish's effective number, (sum w)^2 / sum w^2
  double class_rows = 0;        // of the rarest class that is tested; 0 in regression
  std::vector<double> weights;  // empty = the rows have none
};
TestSets MeasureTestSets(const SplitPlan& splits);

// The size of a test set that a metric needs (crossfold.test-size/1); 0 = any.
struct TestSize {
  std::int64_t rows = 0, class_rows = 0;
};
TestSize TestSizeOf(const Spec& metric);

// Whether the score of some rows is the weighted mean of the scores of each alone, found by scoring
// a few rows of `data` with made-up predictions.
bool IsMeanOverRows(const Spec& metric, const Dataset& data, const LogSink& log = LogSink());

// The rule. `needed` is what the metric needs.
Aggregation ChooseAggregation(const TestSets& sets, TestSize needed, bool is_mean_over_rows);

}  // namespace crossfold
