// The middle and the largest of the absolute errors.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "crossfold_plugin.hpp"
#include "weighted_losses.h"

namespace crossfold::bundled {

struct MedianAbsoluteError {
  static constexpr plugin::MetricInfo kInfo =
      LossInfo({.id = "crossfold.median_absolute_error",
                .title = "Median absolute error",
                .doc = "Weighted median of the absolute differences of truth and prediction."},
               0, 20);
  using Params = plugin::NoParams;
  static constexpr auto kSchema = plugin::kNoSchema;

  // The error at which half of the weight is reached; the mean of two if it is reached exactly
  // between them. It needs all errors at once, so it is not counted block by block.
  static double Score(const Params&, const plugin::MetricInput& input, const plugin::Context&) {
    if (input.num_rows() == 0) throw plugin::Undefined("there are no rows");
    std::vector<std::pair<double, double>> errors;  // with their weights
    plugin::CompensatedSum total;
    for (std::int64_t i = 0; i < input.num_rows(); ++i) {
      const auto row = static_cast<std::size_t>(i);
      if (input.weight(i) == 0) continue;
      const double error = std::abs(input.truth_values()[row] - input.values()[row]);
      if (!std::isfinite(error)) throw plugin::Error(CF_E_NUMERIC, "an error is not finite");
      errors.emplace_back(error, input.weight(i));
      total.Add(input.weight(i));
    }
    const double half = CheckedWeightTotal(total.value()) / 2;
    std::sort(errors.begin(), errors.end());
    plugin::CompensatedSum reached;
    std::size_t i = 0;
    for (; i + 1 < errors.size(); ++i) {
      reached.Add(errors[i].second);
      if (reached.value() >= half) break;
    }
    const bool between = i + 1 < errors.size() && reached.value() == half;
    return between ? std::midpoint(errors[i].first, errors[i + 1].first) : errors[i].first;
  }
};

class MaxError {
 public:
  static constexpr plugin::MetricInfo kInfo =
      LossInfo({.id = "crossfold.max_error",
                .title = "Maximum error",
                .doc = "Largest absolute difference of truth and prediction."});
  using Params = plugin::NoParams;
  static constexpr auto kSchema = plugin::kNoSchema;

  static MaxError Begin(const Params&, const plugin::MetricInput&, const plugin::Context&) {
    return {};
  }
  void Add(const plugin::MetricInput& block, const plugin::Context&) {
    n_rows_ += block.num_rows();
    for (std::int64_t i = 0; i < block.num_rows(); ++i) {
      const auto row = static_cast<std::size_t>(i);
      if (block.weight(i) == 0) continue;
      has_weight_ = true;
      const double error = std::abs(block.truth_values()[row] - block.values()[row]);
      if (!std::isfinite(error)) throw plugin::Error(CF_E_NUMERIC, "an error is not finite");
      largest_ = std::max(largest_, error);
    }
  }
  double Finish(const plugin::Context&) const {
    if (n_rows_ == 0) throw plugin::Undefined("there are no rows");
    if (!has_weight_) throw plugin::Undefined("the weights of all rows are zero");
    return largest_;
  }

 private:
  std::int64_t n_rows_ = 0;
  bool has_weight_ = false;
  double largest_ = 0;
};

}  // namespace crossfold::bundled
