// Cumulative gains and lift: what share of the positive rows is found in the share of the rows with
// the highest scores. Berry and Linoff 1997, "Data Mining Techniques".
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "crossfold/scored_rows.h"
#include "crossfold/threshold_table.h"

namespace crossfold {

struct LiftPoint {
  double share = 0;                                        // of all rows, by weight
  double gain = 0;                                         // of the positive rows
  double lift = std::numeric_limits<double>::quiet_NaN();  // gain / share; none at share 0
  ThresholdCounts counts;
};

struct LiftCurve {
  bool defined = false;
  std::string undefined;                                   // the reason, if not
  std::vector<LiftPoint> points;                           // from (0, 0) to (1, 1)
  double area = std::numeric_limits<double>::quiet_NaN();  // under gain over share
};

// The curve is undefined unless there are rows of both classes.
LiftCurve DrawLiftCurve(const ScoredRows& rows);

}  // namespace crossfold
