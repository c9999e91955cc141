// The cost curve: the lowest normalised expected cost for every mix of classes and costs. Drummond
// and Holte 2006, "Cost curves: An improved method for visualizing classifier performance", Machine
// Learning 65.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "crossfold/scored_rows.h"
#include "crossfold/threshold_table.h"

namespace crossfold {

// A corner of the lower envelope. Each threshold is a line from (0, fpr) to (1, fnr):
//   cost = fpr (1 - pc) + fnr pc,   pc = p(+) C(-|+) / (p(+) C(-|+) + p(-) C(+|-)),
// where C(-|+) is the cost of calling a positive row negative.
struct CostPoint {
  double probability_cost = 0, cost = 0;
  // The line that is best from here to the next corner. At the last corner it is the best at
  // probability_cost 1.
  double fpr = 0, fnr = 0;
  ThresholdCounts counts;
};

struct CostCurve {
  bool defined = false;
  std::string undefined;          // the reason, if not
  std::vector<CostPoint> points;  // probability_cost from 0 to 1
  // Area under the envelope, which is the mean cost if every probability_cost is equally likely.
  double area = std::numeric_limits<double>::quiet_NaN();
};

// The curve is undefined unless there are rows of both classes. The lines include those of calling
// all rows one class.
CostCurve DrawCostCurve(const ScoredRows& rows);

}  // namespace crossfold
