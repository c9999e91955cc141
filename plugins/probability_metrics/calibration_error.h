// Expected and maximum calibration error: how far confidence is from the share of right rows, in
// bins of confidence.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "../ranked_scores.h"
#include "crossfold_plugin.hpp"
#include "row_weights.h"

namespace crossfold::probability_metrics {

enum class Event { kTopClass, kPositive };
inline constexpr std::array<const char*, 2> kEventNames = {"top_class", "positive"};
enum class Binning { kUniform, kQuantile };
inline constexpr std::array<const char*, 2> kBinningNames = {"uniform", "quantile"};

struct CalibrationParams {
  std::int64_t bins = 15;
  Binning binning = Binning::kUniform;
  Event of = Event::kTopClass;
  std::string positive;
};

inline constexpr auto kCalibrationSchema = cf::Schema(
    cf::Integer("bins", &CalibrationParams::bins, {.low = 1, .high = 1000000}, "Number of bins."),
    cf::Choice("binning", &CalibrationParams::binning, kBinningNames,
               "uniform: bins of equal width; quantile: bins of equal weight, where equal "
               "probabilities stay together."),
    cf::Choice("of", &CalibrationParams::of, kEventNames,
               "top_class: the largest probability and whether its class is the true one; "
               "positive: the probability of the positive class and whether it is the true one."),
    cf::Text("positive", &CalibrationParams::positive,
             "The positive class; \"\" = the second of two.", {.active_if = "of=positive"}));

// Sum of weight, and of weight times (came true - confidence).
class CalibrationBin {
 public:
  void Add(double gap, double weight) {
    gap_.Add(gap);
    weight_.Add(weight);
  }
  double gap() const { return gap_.value(); }
  double weight() const { return weight_.value(); }

 private:
  cf::CompensatedSum gap_, weight_;
};

// The counts of both metrics.
class CalibrationBins {
 public:
  CalibrationBins(const CalibrationParams& params, const cf::MetricInput& about);
  void Add(const cf::MetricInput& block);
  // Throws Undefined.
  double Total() const { return rows_.Total(); }
  std::vector<CalibrationBin> bins() const;

 private:
  std::vector<CalibrationBin> QuantileBins() const;

  std::int64_t n_bins_;
  Binning binning_;
  std::int64_t positive_ = -1;  // -1 = of the top class
  RowWeights rows_;
  std::vector<CalibrationBin> uniform_;
  std::vector<bundled::RankedRow> all_;  // quantile bins are known after the last row
};

void CheckCalibration(const CalibrationParams& params, const cf_shape& shape);

class ExpectedCalibrationError {
 public:
  static constexpr cf::MetricInfo kInfo{
      .component = {.id = "crossfold.expected_calibration_error",
                    .title = "Expected calibration error",
                    .doc = "Weighted mean over bins of confidence of the distance between the mean "
                           "confidence and the share of the rows where it came true.",
                    .source = "Naeini, Cooper & Hauskrecht 2015; Guo et al. 2017"},
      .needs = CF_NEEDS_PROBABILITIES,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = -1,
      .worst = 1,
      .best = 0};

  using Params = CalibrationParams;
  static constexpr auto kSchema = kCalibrationSchema;

  static void Check(const Params& params, const cf_shape& shape, const cf::Context&) {
    CheckCalibration(params, shape);
  }
  static ExpectedCalibrationError Begin(const Params& params, const cf::MetricInput& about,
                                        const cf::Context&) {
    return ExpectedCalibrationError(params, about);
  }
  void Add(const cf::MetricInput& block, const cf::Context&) { bins_.Add(block); }
  double Finish(const cf::Context&) const;

 private:
  ExpectedCalibrationError(const Params& params, const cf::MetricInput& about)
      : bins_(params, about) {}

  CalibrationBins bins_;
};

class MaxCalibrationError {
 public:
  static constexpr cf::MetricInfo kInfo{
      .component = {.id = "crossfold.max_calibration_error",
                    .title = "Maximum calibration error",
                    .doc = "The largest distance, over the bins of confidence that have rows, "
                           "between the mean confidence and the share of the rows where it came "
                           "true.",
                    .source = "Naeini, Cooper & Hauskrecht 2015; Guo et al. 2017"},
      .needs = CF_NEEDS_PROBABILITIES,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = -1,
      .worst = 1,
      .best = 0};

  using Params = CalibrationParams;
  static constexpr auto kSchema = kCalibrationSchema;

  static void Check(const Params& params, const cf_shape& shape, const cf::Context&) {
    CheckCalibration(params, shape);
  }
  static MaxCalibrationError Begin(const Params& params, const cf::MetricInput& about,
                                   const cf::Context&) {
    return MaxCalibrationError(params, about);
  }
  void Add(const cf::MetricInput& block, const cf::Context&) { bins_.Add(block); }
  double Finish(const cf::Context&) const;

 private:
  MaxCalibrationError(const Params& params, const cf::MetricInput& about) : bins_(params, about) {}

  CalibrationBins bins_;
};

}  // namespace crossfold::probability_metrics
