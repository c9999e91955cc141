#include "crossfold/precision_recall_curve.h"

namespace crossfold {

PrecisionRecallCurve DrawPrecisionRecallCurve(const ScoredRows& rows) {
  PrecisionRecallCurve curve;
  const ThresholdTable table = TabulateThresholds(rows);
  curve.undefined = FindMissingClass(rows, table);
  if (!curve.undefined.empty()) return curve;
  curve.defined = true;
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

}  // namespace crossfold
