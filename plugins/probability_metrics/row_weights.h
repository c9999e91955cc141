// The rows that a metric has seen, and its reason if none of them counts.
#pragma once

#include <cstdint>

#include "../weight_total.h"
#include "crossfold_plugin.hpp"

namespace crossfold::probability_metrics {

namespace cf = crossfold::plugin;

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
