#include "crossfold/det_curve.h"

#include "analysis/stats/distributions.h"

namespace crossfold {
namespace {

double Probit(double rate) {
  return rate > 0 && rate < 1 ? stats::NormalQuantile(rate)
                              : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

DetCurve DrawDetCurve(const ScoredRows& rows) {
  DetCurve curve;
  const ThresholdTable table = TabulateThresholds(rows);
  curve.undefined = FindMissingClass(rows, table);
  if (!curve.undefined.empty()) return curve;
  curve.defined = true;
  for (const ThresholdCounts& c : table.rows) {
    const double fpr = c.fp / table.negatives, fnr = c.fn / table.positives;
    curve.points.push_back({fpr, fnr, Probit(fpr), Probit(fnr), c});
  }
  return curve;
}

}  // namespace crossfold
