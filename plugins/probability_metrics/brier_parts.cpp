#include "brier_parts.h"

#include <algorithm>
#include <cstddef>
#include <functional>

#include "../checked_probability.h"
#include "../ranked_scores.h"
#include "equal_bins.h"

namespace crossfold::probability_metrics {
namespace {

using bundled::RankedScores;
using bundled::Tie;
using cf::CompensatedSum;

// Rows whose forecast of one class counts as the same.
struct Group {
  double weight;
  double forecast;   // mean
  double frequency;  // share of the class
};

using PartOf = double (*)(const Group&);

double Calibration(const Group& g) {
  return (g.forecast - g.frequency) * (g.forecast - g.frequency);
}

double Refinement(const Group& g) { return g.frequency * (1 - g.frequency); }

RankedScores ForecastsOf(const cf::MetricInput& input, std::int64_t c) {
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
double Part(const BrierPartsParams& params, const cf::MetricInput& input, PartOf part) {
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

}  // namespace

double BrierCalibration::Score(const Params& params, const cf::MetricInput& input,
                               const cf::Context&) {
  return Part(params, input, Calibration);
}

double BrierRefinement::Score(const Params& params, const cf::MetricInput& input,
                              const cf::Context&) {
  return Part(params, input, Refinement);
}

}  // namespace crossfold::probability_metrics
