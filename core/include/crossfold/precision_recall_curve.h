// The precision-recall curve over all thresholds.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "crossfold/scored_rows.h"
#include "crossfold/threshold_table.h"

namespace crossfold {

struct PrecisionRecallPoint {
  double recall = 0, precision = 0;
  ThresholdCounts counts;
};

struct PrecisionRecallCurve {
  bool defined = false;
  std::string undefined;  // the reason, if not
  // The points by falling threshold, and so by rising recall. The first one has the highest score
  // as its threshold: if no row is called positive, precision does not exist, and there is no point
  // for it.
  std::vector<PrecisionRecallPoint> points;
  // Sum of (R_n - R_(n-1)) P_n, with R_0 = 0. It does not interpolate, because lines between the
  // points are too optimistic (Davis and Goadrich 2006, "The relationship between precision-recall
  // and ROC curves").
  double average_precision = std::numeric_limits<double>::quiet_NaN();
};

// The curve is undefined unless there are rows of both classes.
PrecisionRecallCurve DrawPrecisionRecallCurve(const ScoredRows& rows);

}  // namespace crossfold
