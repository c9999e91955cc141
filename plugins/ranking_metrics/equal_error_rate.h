// Equal error rate: where as large a share of the negatives as of the positives is wrong.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "../positive_class.h"
#include "average.h"
#include "class_units.h"
#include "crossfold_plugin.hpp"

namespace crossfold::ranking_metrics {

enum class Convention { kInterpolate, kNearest, kHull };
inline constexpr std::array<const char*, 3> kConventionNames = {"interpolate", "nearest", "hull"};

// A point of the ROC curve in weights: false and true positives.
struct Point {
  double false_positive, true_positive;
};

// visit(const Point&) from (0, 0), the highest threshold first.
template <class Visit>
void VisitPoints(const RankedScores& ranked, Visit visit) {
  const ClassUnits units(ranked);
  cf::CompensatedSum false_positive, true_positive;
  visit(Point{0, 0});
  ranked.VisitDescending([&](const Tie& tie) {
    false_positive.Add(units.Negative(tie.negative));
    true_positive.Add(units.Positive(tie.positive));
    visit(Point{false_positive.value(), true_positive.value()});
  });
}

// The rates of a ranking's points, scaled so that whole weights stay whole.
class Rates {
 public:
  explicit Rates(const RankedScores& ranked)
      : positives_(ClassUnits(ranked).Positive(ranked.weight(true))),
        negatives_(ClassUnits(ranked).Negative(ranked.weight(false))) {}

  // (FPR - FNR) x positives x negatives: grows from one point of the curve to the next.
  double Difference(const Point& p) const {
    return p.false_positive * positives_ - (positives_ - p.true_positive) * negatives_;
  }
  // The equal rate on the line between points where the difference changes its sign.
  double Cross(const Point& from, const Point& to) const {
    const double before = -Difference(from);
    const double part = before / (before + Difference(to));
    return (from.false_positive + part * (to.false_positive - from.false_positive)) / negatives_;
  }
  double Mean(const Point& p) const {
    return (p.false_positive / negatives_ + (positives_ - p.true_positive) / positives_) / 2;
  }

 private:
  double positives_, negatives_;
};

inline double Interpolated(const RankedScores& ranked) {
  const Rates rates(ranked);
  Point last{0, 0};
  double value = std::numeric_limits<double>::quiet_NaN();
  VisitPoints(ranked, [&](const Point& p) {
    if (std::isnan(value) && rates.Difference(p) >= 0) value = rates.Cross(last, p);
    last = p;
  });
  return value;
}

inline double Nearest(const RankedScores& ranked) {
  const Rates rates(ranked);
  double least = std::numeric_limits<double>::infinity();
  double value = std::numeric_limits<double>::quiet_NaN();
  VisitPoints(ranked, [&](const Point& p) {
    const double difference = std::fabs(rates.Difference(p));
    if (difference >= least) return;
    least = difference;
    value = rates.Mean(p);
  });
  return value;
}

// Whether b is on or below the line from a to c.
inline bool IsBelow(const Point& a, const Point& b, const Point& c) {
  return (b.true_positive - a.true_positive) * (c.false_positive - a.false_positive) <=
         (c.true_positive - a.true_positive) * (b.false_positive - a.false_positive);
}

inline double OnHull(const RankedScores& ranked) {
  std::vector<Point> hull;
  VisitPoints(ranked, [&](const Point& p) {
    while (hull.size() >= 2 && IsBelow(hull[hull.size() - 2], hull.back(), p)) hull.pop_back();
    hull.push_back(p);
  });
  const Rates rates(ranked);
  for (std::size_t i = 1; i < hull.size(); ++i) {
    if (rates.Difference(hull[i]) >= 0) return rates.Cross(hull[i - 1], hull[i]);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

struct EqualErrorRate {
  static constexpr cf::MetricInfo kInfo{
      .component = {.id = "crossfold.equal_error_rate",
                    .title = "Equal error rate",
                    .doc = "The rate at the threshold where false positives among the negatives "
                           "are as frequent as false negatives among the positives.",
                    .source = "ISO/IEC 19795-1; Fawcett 2006 (convex hull)"},
      .needs = CF_NEEDS_PROBABILITIES | CF_TAKES_SCORES,
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

  static void Check(const Params& params, const cf_shape& shape, const cf::Context&) {
    bundled::PositiveClass(params.positive, shape.n_classes, shape.class_names);
  }
  static double Score(const Params& params, const cf::MetricInput& input, const cf::Context&) {
    const RankingValue value = params.convention == Convention::kInterpolate ? Interpolated
                               : params.convention == Convention::kNearest   ? Nearest
                                                                             : OnHull;
    return OneVsRest(Average::kBinary, params.positive, input, value);
  }
};

}  // namespace crossfold::ranking_metrics
