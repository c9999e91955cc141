// Areas under the curve of precision by recall: average precision (steps) and others.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <tuple>

#include "../positive_class.h"
#include "average.h"
#include "crossfold_plugin.hpp"

namespace crossfold::ranking_metrics {

// Of each class; precision at few positives is too high: docs/metrics_scores.md.
inline constexpr std::int64_t kRowsOfPrecision = 20;

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

inline double StepArea(const RankedScores& ranked) {
  cf::CompensatedSum area;
  VisitSteps(ranked, [&](const Found& from, const Found& to) {
    area.Add((to.positive - from.positive) * to.precision());
  });
  return area.value() / ranked.weight(true);
}

struct CurveParams {
  Average average = Average::kBinary;
  std::string positive;
};

inline constexpr auto kCurveSchema = cf::Schema(
    cf::Choice("average", &CurveParams::average, kOneVsRestNames,
               "binary: the positive class against the rest; ovr: the mean over the classes, each "
               "against the rest; weighted: classes are weighted by their rows."),
    cf::Text("positive", &CurveParams::positive,
             "The class that should get high probabilities; \"\" = the second of two.",
             {.active_if = "average=binary"}));

inline void CheckPositive(const CurveParams& params, const cf_shape& shape) {
  if (params.average != Average::kBinary) return;
  bundled::PositiveClass(params.positive, shape.n_classes, shape.class_names, kOneVsRestOtherwise);
}

struct AveragePrecision {
  static constexpr cf::MetricInfo kInfo =
      RankingInfo({.id = "crossfold.average_precision",
                   .title = "Average precision",
                   .doc = "Sum over the thresholds of precision times the gain in recall: the "
                          "area under the precision-recall curve in steps.",
                   .source = "Manning, Raghavan & Schuetze 2008, section 8.4"},
                  0, kRowsOfPrecision);

  using Params = CurveParams;
  static constexpr auto kSchema = kCurveSchema;

  static void Check(const Params& params, const cf_shape& shape, const cf::Context&) {
    CheckPositive(params, shape);
  }
  static double Score(const Params& params, const cf::MetricInput& input, const cf::Context&) {
    return OneVsRest(params.average, params.positive, input, StepArea);
  }
};

enum class Interpolation { kHyperbolic, kTrapezoid };
inline constexpr std::array<const char*, 2> kInterpolationNames = {"hyperbolic", "trapezoid"};

// Starts at precision 1 for recall 0.
inline double TrapezoidArea(const RankedScores& ranked) {
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
inline double HyperbolicStep(const Found& from, const Found& to) {
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

inline double HyperbolicArea(const RankedScores& ranked) {
  cf::CompensatedSum area;
  VisitSteps(ranked,
             [&](const Found& from, const Found& to) { area.Add(HyperbolicStep(from, to)); });
  return area.value() / ranked.weight(true);
}

struct PrAuc {
  static constexpr cf::MetricInfo kInfo =
      RankingInfo({.id = "crossfold.pr_auc",
                   .title = "Area under the precision-recall curve",
                   .doc = "The area with interpolation between thresholds: hyperbolic, as a "
                          "classifier between the two would behave, or linear.",
                   .source = "Davis & Goadrich 2006; Keilwagen, Grosse & Grau 2014"},
                  0, kRowsOfPrecision);

  struct Params : CurveParams {
    Interpolation interpolation = Interpolation::kHyperbolic;
  };
  static constexpr auto kSchema =
      std::tuple_cat(cf::Schema(cf::Choice(
                         "interpolation", &Params::interpolation, kInterpolationNames,
                         "hyperbolic: false positives grow evenly with the true ones; trapezoid: "
                         "straight lines, which overestimate the area.")),
                     kCurveSchema);

  static void Check(const Params& params, const cf_shape& shape, const cf::Context&) {
    CheckPositive(params, shape);
  }
  static double Score(const Params& params, const cf::MetricInput& input, const cf::Context&) {
    return OneVsRest(
        params.average, params.positive, input,
        params.interpolation == Interpolation::kTrapezoid ? TrapezoidArea : HyperbolicArea);
  }
};

}  // namespace crossfold::ranking_metrics
