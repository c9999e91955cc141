// The Brier score in two parts: how far forecasts are from the observed frequencies (calibration),
// and how uncertain the outcome still is given the forecast (refinement).
#pragma once

#include <cstdint>
#include <optional>

#include "brier.h"
#include "crossfold_plugin.hpp"

namespace crossfold::probability_metrics {

struct BrierPartsParams {
  Scale scale = Scale::kHalf;
  std::optional<std::int64_t> bins;
};

inline constexpr auto kBrierPartsSchema =
    cf::Schema(cf::Choice("scale", &BrierPartsParams::scale, kScaleNames, kScaleDoc),
               cf::Integer("bins", &BrierPartsParams::bins, {.low = 1, .high = 1000000},
                           "Number of bins of equal width; forecasts in the same bin are replaced "
                           "by their mean. none = only equal forecasts are taken together."));

struct BrierCalibration {
  static constexpr cf::MetricInfo kInfo{
      .component = {.id = "crossfold.brier_calibration",
                    .title = "Calibration part of the Brier score",
                    .doc = "Weighted mean of the squared distance between a forecast and the "
                           "frequency of the class among the rows of this forecast. Also called "
                           "reliability.",
                    .source = "Murphy 1973; DeGroot & Fienberg 1983"},
      .needs = CF_NEEDS_PROBABILITIES,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = -1,
      .worst = 2,
      .best = 0};

  using Params = BrierPartsParams;
  static constexpr auto kSchema = kBrierPartsSchema;

  static double Score(const Params& params, const cf::MetricInput& input, const cf::Context&);
};

struct BrierRefinement {
  static constexpr cf::MetricInfo kInfo{
      .component = {.id = "crossfold.brier_refinement",
                    .title = "Refinement part of the Brier score",
                    .doc = "Weighted mean of f (1 - f), where f is the frequency of the class "
                           "among the rows of the same forecast: what the score would be with "
                           "perfect calibration.",
                    .source = "DeGroot & Fienberg 1983"},
      .needs = CF_NEEDS_PROBABILITIES,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = -1,
      .worst = 1,
      .best = 0};

  using Params = BrierPartsParams;
  static constexpr auto kSchema = kBrierPartsSchema;

  static double Score(const Params& params, const cf::MetricInput& input, const cf::Context&);
};

}  // namespace crossfold::probability_metrics
