#include "calibration_error.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "../checked_probability.h"
#include "../positive_class.h"
#include "equal_bins.h"

namespace crossfold::probability_metrics {
namespace {

constexpr const char* kOtherwise = "choose of = \"top_class\"";

}  // namespace

void CheckCalibration(const CalibrationParams& params, const cf_shape& shape) {
  if (params.of == Event::kTopClass) return;
  bundled::PositiveClass(params.positive, shape.n_classes, shape.class_names, kOtherwise);
}

CalibrationBins::CalibrationBins(const CalibrationParams& params, const cf::MetricInput& about)
    : n_bins_(params.bins), binning_(params.binning) {
  if (binning_ == Binning::kUniform) uniform_.resize(static_cast<std::size_t>(n_bins_));
  if (params.of == Event::kTopClass) return;
  positive_ =
      bundled::PositiveClass(params.positive, about.num_classes(), about.class_names(), kOtherwise);
}

void CalibrationBins::Add(const cf::MetricInput& block) {
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

std::vector<CalibrationBin> CalibrationBins::bins() const {
  return binning_ == Binning::kUniform ? uniform_ : QuantileBins();
}

// Bin b begins where b / n of the weight is below.
std::vector<CalibrationBin> CalibrationBins::QuantileBins() const {
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

double ExpectedCalibrationError::Finish(const cf::Context&) const {
  const double total = bins_.Total();
  cf::CompensatedSum sum;
  for (const CalibrationBin& bin : bins_.bins()) sum.Add(std::fabs(bin.gap()));
  return sum.value() / total;
}

double MaxCalibrationError::Finish(const cf::Context&) const {
  bins_.Total();  // refuses if nothing counts
  double largest = 0;
  for (const CalibrationBin& bin : bins_.bins()) {
    if (bin.weight() > 0) largest = std::max(largest, std::fabs(bin.gap()) / bin.weight());
  }
  return largest;
}

}  // namespace crossfold::probability_metrics
