// Brier score: the mean squared distance between the probabilities and the truth.
#pragma once

#include <array>

#include "crossfold_plugin.hpp"
#include "row_weights.h"

namespace crossfold::probability_metrics {

// Half of the sum over the classes is, for two classes, the squared error of one probability.
enum class Scale { kHalf, kSum };
inline constexpr std::array<const char*, 2> kScaleNames = {"half", "sum"};
inline constexpr const char* kScaleDoc =
    "sum: the sum over all classes, 0 to 2, as in Brier 1950; half: half of that, 0 to 1, which "
    "for two classes is (p - y) squared of one class.";
inline double Factor(Scale scale) { return scale == Scale::kHalf ? 0.5 : 1.0; }

class Brier {
 public:
  static constexpr cf::MetricInfo kInfo{
      .component = {.id = "crossfold.brier",
                    .title = "Brier score",
                    .doc = "Weighted mean of the squared distance between the probabilities and "
                           "the truth (1 for the true class, 0 for the others).",
                    .source = "Brier 1950"},
      .needs = CF_NEEDS_PROBABILITIES,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = -1,
      .worst = 2,
      .best = 0};

  struct Params {
    Scale scale = Scale::kHalf;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Choice("scale", &Params::scale, kScaleNames, kScaleDoc));

  static Brier Begin(const Params& params, const cf::MetricInput&, const cf::Context&) {
    return Brier(Factor(params.scale));
  }
  void Add(const cf::MetricInput& block, const cf::Context&);
  double Finish(const cf::Context&) const { return factor_ * mean_.Finish(); }

 private:
  explicit Brier(double factor) : factor_(factor) {}

  double factor_;
  RowMean mean_;
};

}  // namespace crossfold::probability_metrics
