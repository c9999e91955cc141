#include "crossfold/cost_curve.h"

#include "crossfold/roc_curve.h"

namespace crossfold {
namespace {

// Where `best` is the best line.
CostPoint Corner(double probability_cost, const RocPoint& best) {
  const ThresholdCounts& c = best.counts;
  const double fnr = c.fn / (c.fn + c.tp);
  const double cost = best.fpr * (1 - probability_cost) + fnr * probability_cost;
  return {probability_cost, cost, best.fpr, fnr, c};
}

}  // namespace

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
