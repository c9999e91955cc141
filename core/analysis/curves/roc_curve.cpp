#include "crossfold/roc_curve.h"

#include <utility>

namespace crossfold {
namespace {

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

}  // namespace

RocCurve DrawRocCurve(const ScoredRows& rows, bool drop_collinear) {
  RocCurve curve;
  const ThresholdTable table = TabulateThresholds(rows);
  curve.undefined = FindMissingClass(rows, table);
  if (!curve.undefined.empty()) return curve;
  curve.defined = true;
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

}  // namespace crossfold
