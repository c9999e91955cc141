#include "crossfold/lift_curve.h"

namespace crossfold {

LiftCurve DrawLiftCurve(const ScoredRows& rows) {
  LiftCurve curve;
  const ThresholdTable table = TabulateThresholds(rows);
  curve.undefined = FindMissingClass(rows, table);
  if (!curve.undefined.empty()) return curve;
  curve.defined = true;
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

}  // namespace crossfold
