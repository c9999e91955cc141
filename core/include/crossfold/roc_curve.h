// The ROC curve: share of the positive rows found against share of the negative rows hit, over all
// thresholds. Fawcett 2006, "An introduction to ROC analysis", Pattern Recognition Letters 27.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "crossfold/scored_rows.h"
#include "crossfold/threshold_table.h"

namespace crossfold {

struct RocPoint {
  double fpr = 0, tpr = 0;
  ThresholdCounts counts;
};

struct RocCurve {
  bool defined = false;
  std::string undefined;         // the reason, if not
  std::vector<RocPoint> points;  // from (0, 0), threshold infinity, to (1, 1)
  // The area under the straight lines between the points, which is the probability that a positive
  // row has a higher score than a negative one; equal scores count one half (Mann-Whitney).
  double auc = std::numeric_limits<double>::quiet_NaN();
};

// The curve is undefined unless there are rows of both classes. Without collinear points the curve
// and its area are the same; `drop_collinear` leaves out what lies exactly on the line between its
// neighbours.
RocCurve DrawRocCurve(const ScoredRows& rows, bool drop_collinear = false);

// Returns the points on the upper convex hull, from (0, 0) to (1, 1), without collinear ones; none
// if the curve is undefined. Thresholds between two of them are not optimal for any costs.
std::vector<RocPoint> ConvexHull(const RocCurve& curve);

// Returns the area under the straight lines between the points. REQUIRES: fpr does not fall.
double AreaUnder(std::span<const RocPoint> points);

}  // namespace crossfold
