// The share of the variation of the truth that the predictions explain.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "crossfold_plugin.hpp"
#include "weighted_losses.h"

namespace crossfold::bundled {

// A share with 1 as its best; below 0 it is worse than a constant.
constexpr plugin::MetricInfo ExplainedInfo(plugin::ComponentInfo component) {
  return {.component = component,
          .needs = CF_NEEDS_VALUES,
          .tasks = CF_TASK_REGRESSION,
          .direction = 1,
          .worst = -std::numeric_limits<double>::infinity(),
          .best = 1,
          .least_rows = 100};  // docs/metrics_scores.md has what was measured
}

// The rows that count, for two passes: a mean first, then squares of what is left. In one pass the
// squares of targets with a large offset would cancel.
class CountedRows {
 public:
  // Throws Undefined if the truth of these rows does not vary.
  explicit CountedRows(const plugin::MetricInput& input) {
    if (input.num_rows() == 0) throw plugin::Undefined("there are no rows");
    for (std::int64_t i = 0; i < input.num_rows(); ++i) {
      const auto row = static_cast<std::size_t>(i);
      if (input.weight(i) == 0) continue;
      weights_.push_back(input.weight(i));
      truth_.push_back(input.truth_values()[row]);
      errors_.push_back(input.truth_values()[row] - input.values()[row]);
    }
    if (weights_.empty()) throw plugin::Undefined("the weights of all rows are zero");
    if (weights_.size() < 2) throw plugin::Undefined("there is only one row");
    const auto [low, high] = std::minmax_element(truth_.begin(), truth_.end());
    if (*low == *high) throw plugin::Undefined("the true values are all the same");
    ScaleBy(*high - *low);
  }

  double TruthSquares() const { return SquaresAroundMean(truth_); }
  double ErrorSquares() const {
    WeightedLosses squares;
    for (std::size_t i = 0; i < errors_.size(); ++i) {
      squares.Add(weights_[i], errors_[i] * errors_[i]);
    }
    return squares.Sum();
  }
  double CentredErrorSquares() const { return SquaresAroundMean(errors_); }

 private:
  // Uses units of a power of two near `spread` if squares would underflow or overflow. Ratios of
  // squares do not change.
  void ScaleBy(double spread) {
    constexpr int kSquaresKeepDigits = 400;  // 2^-800 and 2^800 leave room for weights
    if (!std::isfinite(spread)) return;      // the sums will say so
    const int exponent = std::ilogb(spread);
    if (std::abs(exponent) <= kSquaresKeepDigits) return;
    for (double& truth : truth_) truth = std::scalbn(truth, -exponent);
    for (double& error : errors_) error = std::scalbn(error, -exponent);
  }
  // Uses only deviations from the first entry, because a mean with a large offset would be rounded
  // in units of the offset.
  double SquaresAroundMean(const std::vector<double>& entries) const {
    WeightedLosses deviations, squares;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      deviations.Add(weights_[i], entries[i] - entries[0]);
    }
    const double mean = deviations.Mean();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const double deviation = entries[i] - entries[0] - mean;
      squares.Add(weights_[i], deviation * deviation);
    }
    return squares.Sum();
  }

  std::vector<double> weights_, truth_, errors_;
};

struct RSquared {
  static constexpr plugin::MetricInfo kInfo =
      ExplainedInfo({.id = "crossfold.r2",
                     .title = "Coefficient of determination",
                     .doc = "1 - sum of squared errors / sum of squared deviations of the truth "
                            "from its mean.",
                     .source = "S. Wright, Correlation and causation, Journal of Agricultural "
                               "Research 20 (1921) 557-585"});
  using Params = plugin::NoParams;
  static constexpr auto kSchema = plugin::kNoSchema;

  static double Score(const Params&, const plugin::MetricInput& input, const plugin::Context&) {
    const CountedRows rows(input);
    return 1 - rows.ErrorSquares() / rows.TruthSquares();
  }
};

struct ExplainedVariance {
  static constexpr plugin::MetricInfo kInfo =
      ExplainedInfo({.id = "crossfold.explained_variance",
                     .title = "Explained variance",
                     .doc = "1 - variance of the errors / variance of the truth: r2 if a constant "
                            "error is forgiven."});
  using Params = plugin::NoParams;
  static constexpr auto kSchema = plugin::kNoSchema;

  static double Score(const Params&, const plugin::MetricInput& input, const plugin::Context&) {
    const CountedRows rows(input);
    return 1 - rows.CentredErrorSquares() / rows.TruthSquares();
  }
};

}  // namespace crossfold::bundled
