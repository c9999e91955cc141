// Weighted sums of losses, which say so if they have no finite value.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

// A metric over predicted values with losses from 0 up.
constexpr plugin::MetricInfo LossInfo(plugin::ComponentInfo component, std::uint32_t needs = 0) {
  return {.component = component,
          .needs = CF_NEEDS_VALUES | needs,
          .tasks = CF_TASK_REGRESSION,
          .direction = -1,
          .worst = std::numeric_limits<double>::infinity(),
          .best = 0};
}

// Rows of weight 0 count as absent.
class WeightedLosses {
 public:
  void Add(double weight, double loss) {
    ++n_rows_;
    if (weight == 0) return;
    const double term = weight * loss;
    if (!std::isfinite(term)) {
      is_finite_ = false;
      return;
    }
    sum_.Add(term);
    weight_.Add(weight);
  }

  // Throws Undefined without rows or weight, Error if a loss is not finite.
  double Sum() const {
    if (n_rows_ == 0) throw plugin::Undefined("there are no rows");
    if (is_finite_ && weight_.value() == 0) {
      throw plugin::Undefined("the weights of all rows are zero");
    }
    if (!is_finite_ || !std::isfinite(sum_.value())) {
      throw plugin::Error(CF_E_NUMERIC, "the errors are too large to be summed");
    }
    return sum_.value();
  }
  double Mean() const { return Sum() / weight_.value(); }

 private:
  std::int64_t n_rows_ = 0;
  bool is_finite_ = true;
  plugin::CompensatedSum sum_, weight_;
};

}  // namespace crossfold::bundled
