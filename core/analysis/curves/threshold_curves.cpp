// The decisions at every threshold, and the curves that they give.
#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "analysis/stats/distributions.h"
#include "crossfold/cost_curve.h"
#include "crossfold/det_curve.h"
#include "crossfold/lift_curve.h"
#include "crossfold/precision_recall_curve.h"
#include "crossfold/roc_curve.h"
#include "crossfold/threshold_table.h"

namespace crossfold {
namespace {

// Row indices by falling score. Class and weight decide among equal scores only so that the sums
// are the same for every order of the rows.
std::vector<std::size_t> ByFallingScore(const ScoredRows& rows) {
  std::vector<std::size_t> order;
  order.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows.weight(i) > 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(-rows.scores[a], rows.positive[a], rows.weight(a)) <
           std::tuple(-rows.scores[b], rows.positive[b], rows.weight(b));
  });
  return order;
}

// The table that a curve is drawn from, if both classes are there; otherwise `curve` says why not.
template <class Curve>
ThresholdTable BeginCurve(const ScoredRows& rows, Curve& curve) {
  ThresholdTable table = TabulateThresholds(rows);
  curve.undefined = FindMissingClass(rows, table);
  curve.defined = curve.undefined.empty();
  return table;
}

// Twice the area of the triangle, > 0 if the way a, b, c turns left. In counts, not in rates, so
// that whole-number weights give exact results.
double Turn(const ThresholdCounts& a, const ThresholdCounts& b, const ThresholdCounts& c) {
  return (b.fp - a.fp) * (c.tp - b.tp) - (b.tp - a.tp) * (c.fp - b.fp);
}

std::vector<RocPoint> WithoutCollinear(const std::vector<RocPoint>& points) {
  std::vector<RocPoint> kept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool is_end = i == 0 || i + 1 == points.size();
    if (is_end || Turn(kept.back().counts, points[i].counts, points[i + 1].counts) != 0) {
      kept.push_back(points[i]);
    }
  }
  return kept;
}

double Probit(double rate) {
  return rate > 0 && rate < 1 ? stats::NormalQuantile(rate)
                              : std::numeric_limits<double>::quiet_NaN();
}

// Where `best` is the best line.
CostPoint Corner(double probability_cost, const RocPoint& best) {
  const ThresholdCounts& c = best.counts;
  const double fnr = c.fn / (c.fn + c.tp);
  const double cost = best.fpr * (1 - probability_cost) + fnr * probability_cost;
  return {probability_cost, cost, best.fpr, fnr, c};
}

}  // namespace

ThresholdTable TabulateThresholds(const ScoredRows& rows) {
  CheckScoredRows(rows);
  ThresholdTable table;
  const std::vector<std::size_t> order = ByFallingScore(rows);
  if (order.empty()) return table;
  table.rows.push_back({std::numeric_limits<double>::infinity(), 0, 0, 0, 0});
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t row = order[i];
    // Plain sums of positive terms rise, as the curves must; compensated ones might not.
    (rows.positive[row] != 0 ? table.positives : table.negatives) += rows.weight(row);
    const bool last_of_step =
        i + 1 == order.size() || rows.scores[order[i + 1]] != rows.scores[row];
    if (!last_of_step) continue;
    table.rows.push_back({rows.scores[row], table.positives, table.negatives, 0, 0});
  }
  for (ThresholdCounts& counts : table.rows) {
    counts.fn = table.positives - counts.tp;
    counts.tn = table.negatives - counts.fp;
  }
  return table;
}

std::string FindMissingClass(const ScoredRows& rows, const ThresholdTable& table) {
  if (rows.size() == 0) return "there are no rows";
  if (table.rows.empty()) return "all rows have weight 0";
  if (table.positives == 0) return "there is no row of the positive class";
  if (table.negatives == 0) return "there is no row of the negative class";
  return "";
}

RocCurve DrawRocCurve(const ScoredRows& rows, bool drop_collinear) {
  RocCurve curve;
  const ThresholdTable table = BeginCurve(rows, curve);
  if (!curve.defined) return curve;
  double twice_area = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const ThresholdCounts& c = table.rows[i];
    curve.points.push_back({c.fp / table.negatives, c.tp / table.positives, c});
    if (i == 0) continue;
    const ThresholdCounts& before = table.rows[i - 1];
    twice_area += (c.fp - before.fp) * (c.tp + before.tp);
  }
  curve.auc = twice_area / (2 * table.positives * table.negatives);
  if (drop_collinear) curve.points = WithoutCollinear(curve.points);
  return curve;
}

std::vector<RocPoint> ConvexHull(const RocCurve& curve) {
  std::vector<RocPoint> hull;  // Andrew's monotone chain; the points are sorted already
  for (const RocPoint& point : curve.points) {
    while (hull.size() >= 2 &&
           Turn(hull[hull.size() - 2].counts, hull.back().counts, point.counts) >= 0) {
      hull.pop_back();
    }
    hull.push_back(point);
  }
  return hull;
}

double AreaUnder(std::span<const RocPoint> points) {
  double area = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const RocPoint &a = points[i - 1], &b = points[i];
    area += (b.fpr - a.fpr) * (a.tpr + b.tpr) / 2;
  }
  return area;
}

PrecisionRecallCurve DrawPrecisionRecallCurve(const ScoredRows& rows) {
  PrecisionRecallCurve curve;
  const ThresholdTable table = BeginCurve(rows, curve);
  if (!curve.defined) return curve;
  double area = 0;
  for (std::size_t i = 1; i < table.rows.size(); ++i) {
    const ThresholdCounts& c = table.rows[i];
    const double precision = c.tp / (c.tp + c.fp);
    curve.points.push_back({c.tp / table.positives, precision, c});
    area += (c.tp - table.rows[i - 1].tp) * precision;
  }
  curve.average_precision = area / table.positives;
  return curve;
}

DetCurve DrawDetCurve(const ScoredRows& rows) {
  DetCurve curve;
  const ThresholdTable table = BeginCurve(rows, curve);
  if (!curve.defined) return curve;
  for (const ThresholdCounts& c : table.rows) {
    const double fpr = c.fp / table.negatives, fnr = c.fn / table.positives;
    curve.points.push_back({fpr, fnr, Probit(fpr), Probit(fnr), c});
  }
  return curve;
}

LiftCurve DrawLiftCurve(const ScoredRows& rows) {
  LiftCurve curve;
  const ThresholdTable table = BeginCurve(rows, curve);
  if (!curve.defined) return curve;
  const double total = table.positives + table.negatives;
  double twice_area = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const ThresholdCounts& c = table.rows[i];
    LiftPoint point{(c.tp + c.fp) / total, c.tp / table.positives,
                    std::numeric_limits<double>::quiet_NaN(), c};
    if (i > 0) {
      const ThresholdCounts& before = table.rows[i - 1];
      point.lift = c.tp * total / ((c.tp + c.fp) * table.positives);
      twice_area += (c.tp + c.fp - before.tp - before.fp) * (c.tp + before.tp);
    }
    curve.points.push_back(point);
  }
  curve.area = twice_area / (2 * total * table.positives);
  return curve;
}

// A line of the envelope is a point of the ROC convex hull, and a corner the slope between two
// neighbours on the hull: their lines meet where both cost the same.
CostCurve DrawCostCurve(const ScoredRows& rows) {
  CostCurve curve;
  const RocCurve roc = DrawRocCurve(rows);
  curve.undefined = roc.undefined;
  if (!roc.defined) return curve;
  curve.defined = true;
  const std::vector<RocPoint> hull = ConvexHull(roc);
  curve.points.push_back(Corner(0, hull.front()));
  for (std::size_t i = 1; i < hull.size(); ++i) {
    const double dfpr = hull[i].fpr - hull[i - 1].fpr, dtpr = hull[i].tpr - hull[i - 1].tpr;
    const double at = dfpr / (dfpr + dtpr);
    if (at == 0) curve.points.pop_back();  // (0, 0) of the hull is best nowhere
    if (at < 1) curve.points.push_back(Corner(at, hull[i]));
  }
  curve.points.push_back(curve.points.back());
  curve.points.back().probability_cost = 1;
  curve.points.back().cost = curve.points.back().fnr;
  double area = 0;
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    const CostPoint &a = curve.points[i - 1], &b = curve.points[i];
    area += (b.probability_cost - a.probability_cost) * (a.cost + b.cost) / 2;
  }
  curve.area = area;
  return curve;
}

}  // namespace crossfold
