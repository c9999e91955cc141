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
  // By falling threshold, so by rising recall. The first has the highest score as its threshold:
  // where no row is called positive, precision does not exist, and no point is made up for it.
  std::vector<PrecisionRecallPoint> points;
  // Sum of (R_n - R_(n-1)) P_n, R_0 = 0. No interpolation: lines between the points would be too
  // good (Davis and Goadrich 2006, "The relationship between precision-recall and ROC curves").
  double average_precision = std::numeric_limits<double>::quiet_NaN();
};

// Undefined unless there are rows of both classes.
PrecisionRecallCurve DrawPrecisionRecallCurve(const ScoredRows& rows);

}  // namespace crossfold
