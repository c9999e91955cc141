// Errors relative to those of always predicting the mean of the training rows.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "crossfold_plugin.hpp"
#include "mean_loss.h"
#include "weighted_losses.h"

namespace crossfold::bundled {

struct AbsoluteComparison {
  static constexpr plugin::MetricInfo kInfo =
      LossInfo({.id = "crossfold.rae",
                .title = "Relative absolute error",
                .doc = "Sum of the absolute errors / that of predicting the training mean.",
                .source = "I. H. Witten, E. Frank and M. A. Hall, Data Mining, 3rd edition, Morgan "
                          "Kaufmann 2011, section 5.8"},
               CF_NEEDS_TRAINING_TARGET);
  using Loss = AbsoluteLoss;
  static double Result(double ratio) { return ratio; }
};

struct RootSquaredComparison {
  static constexpr plugin::MetricInfo kInfo =
      LossInfo({.id = "crossfold.rrse",
                .title = "Root relative squared error",
                .doc = "Root of: sum of the squared errors / that of predicting the training mean.",
                .source = "I. H. Witten, E. Frank and M. A. Hall, Data Mining, 3rd edition, Morgan "
                          "Kaufmann 2011, section 5.8"},
               CF_NEEDS_TRAINING_TARGET);
  using Loss = SquaredLoss;
  static double Result(double ratio) { return std::sqrt(ratio); }
};

template <class Comparison>
class RelativeError {
 public:
  static constexpr plugin::MetricInfo kInfo = Comparison::kInfo;
  using Params = plugin::NoParams;
  static constexpr auto kSchema = plugin::kNoSchema;

  static RelativeError Begin(const Params&, const plugin::MetricInput& about,
                             const plugin::Context&) {
    return RelativeError(about.training_mean());
  }
  void Add(const plugin::MetricInput& block, const plugin::Context&) {
    using Loss = typename Comparison::Loss;
    for (std::int64_t i = 0; i < block.num_rows(); ++i) {
      const auto row = static_cast<std::size_t>(i);
      const double truth = block.truth_values()[row];
      losses_.Add(block.weight(i), Loss::Of({}, truth, block.values()[row]));
      of_mean_.Add(block.weight(i), Loss::Of({}, truth, training_mean_));
    }
  }
  double Finish(const plugin::Context&) const {
    const double losses = losses_.Sum();
    const double of_mean = of_mean_.Sum();
    if (of_mean == 0) {
      throw plugin::Undefined("every true value is the mean of the training rows");
    }
    return Comparison::Result(losses / of_mean);
  }

 private:
  explicit RelativeError(double training_mean) : training_mean_(training_mean) {
    if (std::isnan(training_mean)) {
      throw plugin::Undefined("the mean of the training rows is not known");
    }
  }

  double training_mean_;
  WeightedLosses losses_, of_mean_;
};

}  // namespace crossfold::bundled
