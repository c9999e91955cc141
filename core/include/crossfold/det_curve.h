// The detection error tradeoff: both error rates, and their normal deviates as axes. Martin,
// Doddington, Kamm, Ordowski and Przybocki 1997, "The DET curve in assessment of detection task
// performance".
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "crossfold/scored_rows.h"
#include "crossfold/threshold_table.h"

namespace crossfold {

struct DetPoint {
  double fpr = 0, fnr = 0;
  // Standard normal quantiles of the rates; NaN where the rate is 0 or 1.
  double probit_fpr = std::numeric_limits<double>::quiet_NaN();
  double probit_fnr = std::numeric_limits<double>::quiet_NaN();
  ThresholdCounts counts;
};

struct DetCurve {
  bool defined = false;
  std::string undefined;         // the reason, if not
  std::vector<DetPoint> points;  // by falling threshold, from fpr 0, fnr 1
};

// The curve is undefined unless there are rows of both classes.
DetCurve DrawDetCurve(const ScoredRows& rows);

}  // namespace crossfold
