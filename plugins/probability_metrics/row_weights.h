// The rows that a metric has seen, and what it says if none of them counts.
#pragma once

#include <cstdint>

#include "crossfold_plugin.hpp"

namespace crossfold::probability_metrics {

namespace cf = crossfold::plugin;

class RowWeights {
 public:
  void Add(double weight) {
    ++n_rows_;
    sum_.Add(weight);
  }
  // The sum of the weights. Throws Undefined without rows, or if all weigh nothing.
  double Total() const {
    if (n_rows_ == 0) throw cf::Undefined("there are no rows");
    if (sum_.value() == 0) throw cf::Undefined("the weights of all rows are zero");
    return sum_.value();
  }

 private:
  std::int64_t n_rows_ = 0;
  cf::CompensatedSum sum_;
};

// Weighted mean of one number a row.
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
