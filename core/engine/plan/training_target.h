// The target of the training rows of splits, for metrics that compare with it.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/split.h"
#include "crossfold_plugin/compensated_sum.hpp"

namespace crossfold {

// What metrics are given of it.
struct TrainingTarget {
  std::vector<double> class_weights;  // the sum of the weights of each class; empty in regression
  double mean = std::numeric_limits<double>::quiet_NaN();  // weighted; NaN = there is none
};

// Reads the target of some rows, in their order.
TrainingTarget ReadTrainingTarget(const Dataset& data, std::span<const std::int64_t> rows);

// A compensated sum of terms, from which the compensated sum of all but a few of them follows
// without adding the others again.
class LeftOutSum {
 public:
  // REQUIRES: `term` is finite.
  void Add(double term);
  // Returns what plugin::CompensatedSum gives for the terms other than `left_out`, in the order of
  // this sum, to the last bit; nothing if the rounding errors of both sums leave more than one
  // value. REQUIRES: `left_out` are terms of this sum, in any order.
  std::optional<double> Without(std::span<const double> left_out) const;

 private:
  double sum_ = 0, correction_ = 0;
  double n_ = 0;  // terms
  // Of the correction, in units of half the machine epsilon, and of its error, in their squares.
  double correction_bound_ = 0, error_ = 0;
};

// The target of all rows of a view, so that that of the training rows of a fold takes no time for
// each training row: leave-one-out would read n rows n times.
class TargetTotals {
 public:
  explicit TargetTotals(const DataView& view);
  // Returns what ReadTrainingTarget gives for the rows of the view other than `test`, in ascending
  // order, to the last bit; nothing if only reading them shows it. REQUIRES: `test` are rows of the
  // view, each as often as the view has it.
  std::optional<TrainingTarget> Without(std::span<const std::int64_t> test) const;

 private:
  const Dataset& data_;
  std::vector<double> class_weights_;
  LeftOutSum weights_, values_;  // in regression; of weighted values
};

// The target of the training rows of splits of any plans. Any thread may ask.
class TrainingTargets {
 public:
  // `test` are the test rows of the split.
  TrainingTarget Find(const std::shared_ptr<const SplitPlan>& plan, std::int64_t split,
                      std::span<const std::int64_t> test);

 private:
  const TargetTotals& TotalsOf(const std::shared_ptr<const SplitPlan>& plan);

  std::mutex mutex_;
  // The plans are kept, so that no other one gets their place.
  std::map<std::shared_ptr<const SplitPlan>, TargetTotals> totals_;
};

}  // namespace crossfold
