// What the metrics share: their ranges, the rows that they have seen, and the reason if none
// counts.
#pragma once

#include <cstdint>

#include "../weight_total.h"
#include "crossfold_plugin.hpp"

namespace crossfold::probability_metrics {

namespace cf = crossfold::plugin;

// A metric with 0 as its best.
constexpr cf::MetricInfo ErrorInfo(cf::ComponentInfo component, double worst = 1,
                                   std::int64_t least_rows = 0) {
  return {.component = component,
          .needs = CF_NEEDS_PROBABILITIES,
          .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
          .direction = -1,
          .worst = worst,
          .best = 0,
          .least_rows = least_rows};
}

// A metric from 0 up to 1, its best.
constexpr cf::MetricInfo ShareInfo(cf::ComponentInfo component) {
  return {.component = component,
          .needs = CF_NEEDS_PROBABILITIES,
          .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
          .direction = 1,
          .worst = 0,
          .best = 1};
}

class RowWeights {
 public:
  void Add(double weight) {
    ++n_rows_;
    sum_.Add(weight);
  }
  // The sum of the weights. Throws Undefined without rows, or if all weigh nothing; Error if the
  // sum is out of range.
  double Total() const {
    if (n_rows_ == 0) throw cf::Undefined("there are no rows");
    return bundled::CheckedWeightTotal(sum_.value());
  }

 private:
  std::int64_t n_rows_ = 0;
  cf::CompensatedSum sum_;
};

// Weighted mean of one number per row.
class RowMean {
 public:
  void Add(double value, double weight) {
    rows_.Add(weight);
    sum_.Add(weight * value);
  }
  // Throws Undefined.
  double Finish() const { return sum_.value() / rows_.Total(); }

 private:
  RowWeights rows_;
  cf::CompensatedSum sum_;
};

}  // namespace crossfold::probability_metrics
