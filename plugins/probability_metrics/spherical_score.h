// Spherical score: the probability of the true class by the length of the vector of probabilities.
#pragma once

#include "crossfold_plugin.hpp"
#include "row_weights.h"

namespace crossfold::probability_metrics {

class SphericalScore {
 public:
  static constexpr cf::MetricInfo kInfo{
      .component = {.id = "crossfold.spherical_score",
                    .title = "Spherical score",
                    .doc = "Weighted mean of the probability of the true class divided by the "
                           "square root of the sum of the squares of all probabilities.",
                    .source = "Roby 1965; Gneiting & Raftery 2007"},
      .needs = CF_NEEDS_PROBABILITIES,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = 1,
      .worst = 0,
      .best = 1};

  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;

  static SphericalScore Begin(const Params&, const cf::MetricInput&, const cf::Context&) {
    return {};
  }
  void Add(const cf::MetricInput& block, const cf::Context&);
  double Finish(const cf::Context&) const { return mean_.Finish(); }

 private:
  RowMean mean_;
};

}  // namespace crossfold::probability_metrics
