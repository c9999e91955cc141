// Equal error rate: where as large a share of the negatives as of the positives is wrong.
#pragma once

#include <array>
#include <string>

#include "average.h"
#include "crossfold_plugin.hpp"

namespace crossfold::ranking_metrics {

enum class Convention { kInterpolate, kNearest, kHull };
inline constexpr std::array<const char*, 3> kConventionNames = {"interpolate", "nearest", "hull"};

struct EqualErrorRate {
  static constexpr cf::MetricInfo kInfo{
      .component = {.id = "crossfold.equal_error_rate",
                    .title = "Equal error rate",
                    .doc = "The rate at the threshold where false positives among the negatives "
                           "are as frequent as false negatives among the positives.",
                    .source = "ISO/IEC 19795-1; Fawcett 2006 (convex hull)"},
      .needs = CF_NEEDS_PROBABILITIES,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = -1,
      .worst = 1,
      .best = 0};

  struct Params {
    Convention convention = Convention::kInterpolate;
    std::string positive;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Choice("convention", &Params::convention, kConventionNames,
                 "interpolate: straight lines between the points of the ROC curve; nearest: the "
                 "mean of both rates at the threshold where they differ least; hull: straight "
                 "lines on the convex hull of the ROC curve."),
      cf::Text("positive", &Params::positive,
               "The class that should get high probabilities; \"\" = the second of two."));

  static void Check(const Params& params, const cf_shape& shape, const cf::Context&);
  static double Score(const Params& params, const cf::MetricInput& input, const cf::Context&);
};

}  // namespace crossfold::ranking_metrics
