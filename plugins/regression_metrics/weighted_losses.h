// Weighted sums of losses, which are refused if they have no finite value.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "../weight_total.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

// A metric over predicted values with losses from 0 up.
constexpr plugin::MetricInfo LossInfo(plugin::ComponentInfo component, std::uint32_t needs = 0,
                                      std::int64_t least_rows = 0) {
  return {.component = component,
          .needs = CF_NEEDS_VALUES | needs,
          .tasks = CF_TASK_REGRESSION,
          .direction = -1,
          .worst = std::numeric_limits<double>::infinity(),
          .best = 0,
          .least_rows = least_rows};
}

// Rows of weight 0 count as absent.
class WeightedLosses {
 public:
  // `vanished`: the loss is above 0, but too small for a number of full precision.
  void Add(double weight, double loss, bool vanished = false) {
    ++n_rows_;
    if (weight == 0) return;
    vanished_ |= vanished;
    const double term = weight * loss;
    if (!std::isfinite(term)) {
      is_finite_ = false;
      return;
    }
    sum_.Add(term);
    weight_.Add(weight);
  }

  // Throws Undefined without rows or weight, Error if a loss is not finite or all have vanished.
  double Sum() const {
    if (n_rows_ == 0) throw plugin::Undefined("there are no rows");
    if (is_finite_) CheckedWeightTotal(weight_.value());
    if (!is_finite_ || !std::isfinite(sum_.value())) {
      throw plugin::Error(CF_E_NUMERIC, "the errors are too large to be summed");
    }
    if (vanished_ && sum_.value() < kLeast) {
      throw plugin::Error(CF_E_NUMERIC, "the errors are too small to be squared");
    }
    return sum_.value();
  }
  double Mean() const { return Sum() / weight_.value(); }

 private:
  static constexpr double kLeast = 1e-290;  // a sum below it may be made of what vanished

  std::int64_t n_rows_ = 0;
  bool is_finite_ = true;
  bool vanished_ = false;
  plugin::CompensatedSum sum_, weight_;
};

}  // namespace crossfold::bundled
