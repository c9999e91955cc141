// Expected and maximum calibration error: how far confidence is from the share of right rows, in
// bins of confidence.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../checked_probability.h"
#include "../positive_class.h"
#include "../ranked_scores.h"
#include "crossfold_plugin.hpp"
#include "equal_bins.h"
#include "row_weights.h"

namespace crossfold::probability_metrics {

// Bins of few rows look miscalibrated: docs/metrics_scores.md.
inline constexpr std::int64_t kRowsOfBins = 1000;

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

inline constexpr const char* kOtherwise = "choose of = \"top_class\"";

// The counts of both metrics.
class CalibrationBins {
 public:
  CalibrationBins(const CalibrationParams& params, const cf::MetricInput& about)
      : n_bins_(params.bins), binning_(params.binning) {
    if (binning_ == Binning::kUniform) uniform_.resize(static_cast<std::size_t>(n_bins_));
    if (params.of == Event::kTopClass) return;
    positive_ = bundled::PositiveClass(params.positive, about.num_classes(), about.class_names(),
                                       kOtherwise);
  }
  void Add(const cf::MetricInput& block) {
    for (std::int64_t i = 0; i < block.num_rows(); ++i) {
      const std::span<const double> row = bundled::CheckedProbabilities(block, i);
      // The first of several largest ones.
      const std::int64_t c =
          positive_ >= 0 ? positive_ : std::max_element(row.begin(), row.end()) - row.begin();
      const double confidence = row[static_cast<std::size_t>(c)];
      const bool came_true = block.truth_labels()[static_cast<std::size_t>(i)] == c;
      const double weight = block.weight(i);
      rows_.Add(weight);
      if (binning_ == Binning::kQuantile) {
        all_.push_back({confidence, came_true, weight});
        continue;
      }
      uniform_[EqualBin(confidence, n_bins_)].Add(weight * ((came_true ? 1.0 : 0.0) - confidence),
                                                  weight);
    }
  }
  // Throws Undefined.
  double Total() const { return rows_.Total(); }
  std::vector<CalibrationBin> bins() const {
    return binning_ == Binning::kUniform ? uniform_ : QuantileBins();
  }

 private:
  // Bin b begins where b / n of the weight is below.
  std::vector<CalibrationBin> QuantileBins() const {
    std::vector<CalibrationBin> bins(static_cast<std::size_t>(n_bins_));
    const bundled::RankedScores sorted(
        static_cast<std::int64_t>(all_.size()), true,
        [&](std::int64_t i) { return all_[static_cast<std::size_t>(i)]; });
    const double total = rows_.Total();
    cf::CompensatedSum below;
    sorted.VisitAscending([&](const bundled::Tie& tie) {
      const double place = std::floor(below.value() * static_cast<double>(n_bins_) / total);
      const auto bin = std::min(static_cast<std::size_t>(place), bins.size() - 1);
      bins[bin].Add(tie.positive - tie.score * tie.weight(), tie.weight());
      below.Add(tie.weight());
    });
    return bins;
  }

  std::int64_t n_bins_;
  Binning binning_;
  std::int64_t positive_ = -1;  // -1 = of the top class
  RowWeights rows_;
  std::vector<CalibrationBin> uniform_;
  std::vector<bundled::RankedRow> all_;  // quantile bins are known after the last row
};

inline void CheckCalibration(const CalibrationParams& params, const cf_shape& shape) {
  if (params.of == Event::kTopClass) return;
  bundled::PositiveClass(params.positive, shape.n_classes, shape.class_names, kOtherwise);
}

class ExpectedCalibrationError {
 public:
  static constexpr cf::MetricInfo kInfo =
      ErrorInfo({.id = "crossfold.expected_calibration_error",
                 .title = "Expected calibration error",
                 .doc = "Weighted mean over bins of confidence of the distance between the mean "
                        "confidence and the share of the rows where it came true.",
                 .source = "Naeini, Cooper & Hauskrecht 2015; Guo et al. 2017"},
                1, kRowsOfBins);

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
  double Finish(const cf::Context&) const {
    const double total = bins_.Total();
    cf::CompensatedSum sum;
    for (const CalibrationBin& bin : bins_.bins()) sum.Add(std::fabs(bin.gap()));
    return sum.value() / total;
  }

 private:
  ExpectedCalibrationError(const Params& params, const cf::MetricInput& about)
      : bins_(params, about) {}

  CalibrationBins bins_;
};

class MaxCalibrationError {
 public:
  static constexpr cf::MetricInfo kInfo =
      ErrorInfo({.id = "crossfold.max_calibration_error",
                 .title = "Maximum calibration error",
                 .doc = "The largest distance, over the bins of confidence that have rows, "
                        "between the mean confidence and the share of the rows where it came "
                        "true.",
                 .source = "Naeini, Cooper & Hauskrecht 2015; Guo et al. 2017"},
                1, kRowsOfBins);

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
  double Finish(const cf::Context&) const {
    bins_.Total();  // refuses if nothing counts
    double largest = 0;
    for (const CalibrationBin& bin : bins_.bins()) {
      if (bin.weight() > 0) largest = std::max(largest, std::fabs(bin.gap()) / bin.weight());
    }
    return largest;
  }

 private:
  MaxCalibrationError(const Params& params, const cf::MetricInput& about) : bins_(params, about) {}

  CalibrationBins bins_;
};

}  // namespace crossfold::probability_metrics
