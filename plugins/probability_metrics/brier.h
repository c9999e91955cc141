// The Brier score, the mean squared distance between the probabilities and the truth, and its two
// parts: how far forecasts are from the observed frequencies (calibration), and how uncertain the
// outcome still is given the forecast (refinement).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../checked_probability.h"
#include "../ranked_scores.h"
#include "crossfold_plugin.hpp"
#include "equal_bins.h"
#include "row_weights.h"

namespace crossfold::probability_metrics {

// Half of the sum over the classes is, for two classes, the squared error of one probability.
enum class Scale { kHalf, kSum };
inline constexpr std::array<const char*, 2> kScaleNames = {"half", "sum"};
inline constexpr const char* kScaleDoc =
    "sum: the sum over all classes, 0 to 2, as in Brier 1950; half: half of that, 0 to 1, which "
    "for two classes is (p - y) squared of one class.";
inline double Factor(Scale scale) { return scale == Scale::kHalf ? 0.5 : 1.0; }

inline double SquaredDistance(std::span<const double> probabilities, std::size_t truth) {
  double sum = 0;
  for (std::size_t c = 0; c < probabilities.size(); ++c) {
    const double error = probabilities[c] - (c == truth ? 1.0 : 0.0);
    sum += error * error;
  }
  return sum;
}

using bundled::RankedScores;
using bundled::Tie;
using cf::CompensatedSum;

class Brier {
 public:
  static constexpr cf::MetricInfo kInfo =
      ErrorInfo({.id = "crossfold.brier",
                 .title = "Brier score",
                 .doc = "Weighted mean of the squared distance between the probabilities and "
                        "the truth (1 for the true class, 0 for the others).",
                 .source = "Brier 1950"},
                2);

  struct Params {
    Scale scale = Scale::kHalf;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Choice("scale", &Params::scale, kScaleNames, kScaleDoc));

  static Brier Begin(const Params& params, const cf::MetricInput&, const cf::Context&) {
    return Brier(Factor(params.scale));
  }
  void Add(const cf::MetricInput& block, const cf::Context&) {
    for (std::int64_t i = 0; i < block.num_rows(); ++i) {
      const auto truth =
          static_cast<std::size_t>(block.truth_labels()[static_cast<std::size_t>(i)]);
      mean_.Add(SquaredDistance(bundled::CheckedProbabilities(block, i), truth), block.weight(i));
    }
  }
  double Finish(const cf::Context&) const { return factor_ * mean_.Finish(); }

 private:
  explicit Brier(double factor) : factor_(factor) {}

  double factor_;
  RowMean mean_;
};

struct BrierPartsParams {
  Scale scale = Scale::kHalf;
  std::optional<std::int64_t> bins;
};

inline constexpr auto kBrierPartsSchema =
    cf::Schema(cf::Choice("scale", &BrierPartsParams::scale, kScaleNames, kScaleDoc),
               cf::Integer("bins", &BrierPartsParams::bins, {.low = 1, .high = 1000000},
                           "Number of bins of equal width; forecasts in the same bin are replaced "
                           "by their mean. none = only equal forecasts are taken together."));

// Rows whose forecast of one class counts as the same.
struct Group {
  double weight;
  double forecast;   // mean
  double frequency;  // share of the class
};

using PartOf = double (*)(const Group&);

inline double Calibration(const Group& g) {
  return (g.forecast - g.frequency) * (g.forecast - g.frequency);
}

inline RankedScores ForecastsOf(const cf::MetricInput& input, std::int64_t c) {
  return RankedScores(input.num_rows(), input.has_weights(), [&](std::int64_t i) {
    return bundled::RankedRow{bundled::CheckedProbability(input, i, c),
                              input.truth_labels()[static_cast<std::size_t>(i)] == c,
                              input.weight(i)};
  });
}

// Ties of neighbouring scores as one group.
class Merged {
 public:
  void Add(const Tie& tie) {
    weight_.Add(tie.weight());
    positive_.Add(tie.positive);
    forecast_.Add(tie.weight() * tie.score);
  }
  bool is_empty() const { return weight_.value() == 0; }
  Group group() const {
    const double weight = weight_.value();
    return {weight, forecast_.value() / weight, positive_.value() / weight};
  }

 private:
  CompensatedSum weight_, positive_, forecast_;
};

template <class Visit>
void VisitGroups(const RankedScores& forecasts, std::optional<std::int64_t> bins, Visit visit) {
  if (!bins) {
    forecasts.VisitAscending([&](const Tie& tie) {
      visit(Group{tie.weight(), tie.score, tie.positive / tie.weight()});
    });
    return;
  }
  Merged merged;
  std::size_t current = 0;
  forecasts.VisitAscending([&](const Tie& tie) {
    const std::size_t bin = EqualBin(tie.score, *bins);
    if (bin != current && !merged.is_empty()) {
      visit(merged.group());
      merged = Merged();
    }
    current = bin;
    merged.Add(tie);
  });
  if (!merged.is_empty()) visit(merged.group());
}

// Class by class: each is the forecast of one event.
inline double Part(const BrierPartsParams& params, const cf::MetricInput& input, PartOf part) {
  RowWeights rows;
  for (std::int64_t i = 0; i < input.num_rows(); ++i) rows.Add(input.weight(i));
  const double total = rows.Total();
  CompensatedSum sum;
  for (std::int64_t c = 0; c < input.num_classes(); ++c) {
    VisitGroups(ForecastsOf(input, c), params.bins,
                [&](const Group& g) { sum.Add(g.weight * part(g)); });
  }
  return Factor(params.scale) * sum.value() / total;
}

struct BrierCalibration {
  static constexpr cf::MetricInfo kInfo =
      ErrorInfo({.id = "crossfold.brier_calibration",
                 .title = "Calibration part of the Brier score",
                 .doc = "Weighted mean of the squared distance between a forecast and the "
                        "frequency of the class among the rows of this forecast. Also called "
                        "reliability.",
                 .source = "Murphy 1973; DeGroot & Fienberg 1983"},
                2);

  using Params = BrierPartsParams;
  static constexpr auto kSchema = kBrierPartsSchema;

  static double Score(const Params& params, const cf::MetricInput& input, const cf::Context&) {
    return Part(params, input, Calibration);
  }
};

inline double Refinement(const Group& g) { return g.frequency * (1 - g.frequency); }

struct BrierRefinement {
  static constexpr cf::MetricInfo kInfo =
      ErrorInfo({.id = "crossfold.brier_refinement",
                 .title = "Refinement part of the Brier score",
                 .doc = "Weighted mean of f (1 - f), where f is the frequency of the class "
                        "among the rows of the same forecast: what the score would be with "
                        "perfect calibration.",
                 .source = "DeGroot & Fienberg 1983"});

  using Params = BrierPartsParams;
  static constexpr auto kSchema = kBrierPartsSchema;

  static double Score(const Params& params, const cf::MetricInput& input, const cf::Context&) {
    return Part(params, input, Refinement);
  }
};

}  // namespace crossfold::probability_metrics
