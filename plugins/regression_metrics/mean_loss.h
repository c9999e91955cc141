// Means of a loss of each row (squared, absolute, relative, of a quantile), and losses relative to
// those of always predicting the mean of the training rows.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "crossfold_plugin.hpp"
#include "weighted_losses.h"

namespace crossfold::bundled {

struct SquaredLoss {
  static constexpr plugin::MetricInfo kInfo =
      LossInfo({.id = "crossfold.mse",
                .title = "Mean squared error",
                .doc = "Weighted mean of the squares of truth minus prediction."});
  using Params = plugin::NoParams;
  static constexpr auto kSchema = plugin::kNoSchema;

  static double Of(const Params&, double truth, double value) {
    return (truth - value) * (truth - value);
  }
  // Whether the square has lost precision; its root would then be wrong, or 0.
  static bool Vanishes(double truth, double value) {
    return truth != value && Of({}, truth, value) < std::numeric_limits<double>::min();
  }
  static double Result(double mean) { return mean; }
};

// From this number of rows on the mean over test sets is within 1 % of the root of all rows.
inline constexpr std::int64_t kRowsOfRoot = 20;

struct RootSquaredLoss : SquaredLoss {
  static constexpr plugin::MetricInfo kInfo =
      LossInfo({.id = "crossfold.rmse",
                .title = "Root mean squared error",
                .doc = "Root of the mean squared error, in units of the target."},
               0, kRowsOfRoot);
  static double Result(double mean) { return std::sqrt(mean); }
};

struct AbsoluteLoss {
  static constexpr plugin::MetricInfo kInfo =
      LossInfo({.id = "crossfold.mae",
                .title = "Mean absolute error",
                .doc = "Weighted mean of the absolute differences of truth and prediction."});
  using Params = plugin::NoParams;
  static constexpr auto kSchema = plugin::kNoSchema;

  static double Of(const Params&, double truth, double value) { return std::abs(truth - value); }
  static double Result(double mean) { return mean; }
};

struct RelativeLoss {
  static constexpr plugin::MetricInfo kInfo =
      LossInfo({.id = "crossfold.mape",
                .title = "Mean absolute percentage error",
                .doc = "Weighted mean of |truth - prediction| / |truth|: a share, 0.1 = 10 "
                       "percent. No value if a truth is 0.",
                .source = "R. J. Hyndman and A. B. Koehler, Another look at measures of forecast "
                          "accuracy, International Journal of Forecasting 22 (2006) 679-688"});
  using Params = plugin::NoParams;
  static constexpr auto kSchema = plugin::kNoSchema;

  static double Of(const Params&, double truth, double value) {
    if (truth == 0) throw plugin::Undefined("a true value is 0, so the error is not a share of it");
    return std::abs((truth - value) / truth);
  }
  static double Result(double mean) { return mean; }
};

struct PinballLoss {
  static constexpr plugin::MetricInfo kInfo =
      LossInfo({.id = "crossfold.pinball",
                .title = "Pinball loss",
                .doc = "Loss of a predicted quantile q: q times what the truth is above it, 1 - q "
                       "times what it is below.",
                .source = "R. Koenker and G. Bassett, Regression quantiles, Econometrica 46 "
                          "(1978) 33-50"});
  struct Params {
    double quantile = 0.5;
  };
  static constexpr auto kSchema = plugin::Schema(
      plugin::Real("quantile", &Params::quantile, {.low = 0, .high = 1},
                   "Which quantile was predicted; 0.5 = the median, which gives half the mean "
                   "absolute error.",
                   {.flags = CF_PF_LO_OPEN | CF_PF_HI_OPEN}));

  static double Of(const Params& params, double truth, double value) {
    return truth >= value ? params.quantile * (truth - value)
                          : (1 - params.quantile) * (value - truth);
  }
  static double Result(double mean) { return mean; }
};

// Whether a loss above 0 is too small for a number; only squares are.
template <class Loss>
bool LossVanishes(double truth, double value) {
  if constexpr (requires { Loss::Vanishes(truth, value); }) return Loss::Vanishes(truth, value);
  return false;
}

// The metric of such a loss.
template <class Loss>
class MeanLoss {
 public:
  static constexpr plugin::MetricInfo kInfo = Loss::kInfo;
  using Params = typename Loss::Params;
  static constexpr auto kSchema = Loss::kSchema;

  static MeanLoss Begin(const Params& params, const plugin::MetricInput&, const plugin::Context&) {
    return MeanLoss(params);
  }
  void Add(const plugin::MetricInput& block, const plugin::Context&) {
    for (std::int64_t i = 0; i < block.num_rows(); ++i) {
      const auto row = static_cast<std::size_t>(i);
      const double weight = block.weight(i);
      const bool counts = weight != 0;  // what a row of weight 0 would lose does not matter
      const double truth = block.truth_values()[row], value = block.values()[row];
      losses_.Add(weight, counts ? Loss::Of(params_, truth, value) : 0,
                  LossVanishes<Loss>(truth, value));
    }
  }
  double Finish(const plugin::Context&) const { return Loss::Result(losses_.Mean()); }

 private:
  explicit MeanLoss(const Params& params) : params_(params) {}

  Params params_;
  WeightedLosses losses_;
};

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
      const double value = block.values()[row];
      losses_.Add(block.weight(i), Loss::Of({}, truth, value), LossVanishes<Loss>(truth, value));
      of_mean_.Add(block.weight(i), Loss::Of({}, truth, training_mean_),
                   LossVanishes<Loss>(truth, training_mean_));
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
