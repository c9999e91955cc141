#include "precision_recall.h"

#include <cmath>

#include "../positive_class.h"

namespace crossfold::ranking_metrics {
namespace {

// Weights of the rows at or above a threshold.
struct Found {
  double positive, negative;
  double precision() const { return positive / (positive + negative); }
};

// Calls visit(from, to) for each step to a lower threshold, from none found to all found.
template <class Visit>
void VisitSteps(const RankedScores& ranked, Visit visit) {
  cf::CompensatedSum positives, negatives;
  Found from{0, 0};
  ranked.VisitDescending([&](const Tie& tie) {
    positives.Add(tie.positive);
    negatives.Add(tie.negative);
    const Found to{positives.value(), negatives.value()};
    visit(from, to);
    from = to;
  });
}

double StepArea(const RankedScores& ranked) {
  cf::CompensatedSum area;
  VisitSteps(ranked, [&](const Found& from, const Found& to) {
    area.Add((to.positive - from.positive) * to.precision());
  });
  return area.value() / ranked.weight(true);
}

// Starts at precision 1 for recall 0.
double TrapezoidArea(const RankedScores& ranked) {
  cf::CompensatedSum area;
  double precision = 1;
  VisitSteps(ranked, [&](const Found& from, const Found& to) {
    area.Add((to.positive - from.positive) * (precision + to.precision()) / 2);
    precision = to.precision();
  });
  return area.value() / ranked.weight(true);
}

// Integral of t / (t + f(t)) over the true positives t of a step, where the false positives f(t)
// are linear in t: t / (s t + b) with s t + b = all found and s = 1 + df / dt = 1 / share.
double HyperbolicStep(const Found& from, const Found& to) {
  const double gained = to.positive - from.positive;
  const double found = from.positive + from.negative;
  if (gained == 0) return 0;
  if (found == 0) return gained * to.precision();
  const double more = gained + (to.negative - from.negative);
  // Shares of the step, since the slope itself may be too large for a number.
  const double share = gained / more, rest = (to.negative - from.negative) / more;
  const double growth = more / found;
  const double logarithm =
      std::isfinite(growth) ? std::log1p(growth) : std::log(more) - std::log(found);
  return share * (gained - (share * from.negative - rest * from.positive) * logarithm);
}

double HyperbolicArea(const RankedScores& ranked) {
  cf::CompensatedSum area;
  VisitSteps(ranked,
             [&](const Found& from, const Found& to) { area.Add(HyperbolicStep(from, to)); });
  return area.value() / ranked.weight(true);
}

void CheckPositive(Average average, const std::string& positive, const cf_shape& shape) {
  if (average != Average::kBinary) return;
  bundled::PositiveClass(positive, shape.n_classes, shape.class_names, kOneVsRestOtherwise);
}

}  // namespace

void AveragePrecision::Check(const Params& params, const cf_shape& shape, const cf::Context&) {
  CheckPositive(params.average, params.positive, shape);
}

double AveragePrecision::Score(const Params& params, const cf::MetricInput& input,
                               const cf::Context&) {
  return OneVsRest(params.average, params.positive, input, StepArea);
}

void PrAuc::Check(const Params& params, const cf_shape& shape, const cf::Context&) {
  CheckPositive(params.average, params.positive, shape);
}

double PrAuc::Score(const Params& params, const cf::MetricInput& input, const cf::Context&) {
  return OneVsRest(
      params.average, params.positive, input,
      params.interpolation == Interpolation::kTrapezoid ? TrapezoidArea : HyperbolicArea);
}

}  // namespace crossfold::ranking_metrics
