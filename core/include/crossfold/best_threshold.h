// The best threshold on a score for a goal, on the rows given.
#pragma once

#include <array>
#include <limits>
#include <string>

#include "crossfold/scored_rows.h"
#include "crossfold/threshold_table.h"

namespace crossfold {

enum class ThresholdGoal {
  kAccuracy,
  kFBeta,
  kYouden,            // sensitivity + specificity - 1
  kBalancedAccuracy,  // their mean
  kMatthews,          // the correlation coefficient of Matthews
  kCost               // the mean cost of a row; the only goal that is minimised
};

struct ThresholdChoice {
  ThresholdGoal goal = ThresholdGoal::kAccuracy;
  double beta = 1;  // of kFBeta
  // Costs by truth and decision, the negative class first: {{tn, fp}, {fn, tp}}.
  std::array<std::array<double, 2>, 2> costs = {{{0, 1}, {1, 0}}};
};

struct BestThreshold {
  bool defined = false;
  std::string undefined;                                    // the reason, if not
  double value = std::numeric_limits<double>::quiet_NaN();  // of the goal
  // The threshold in the counts is midway between the lowest score that is called positive and the
  // next lower one. It is infinity if no row is called positive, -infinity if all are.
  ThresholdCounts counts{std::numeric_limits<double>::quiet_NaN(), 0, 0, 0, 0};
};

// The value of a goal for some counts; NaN where it does not exist.
double GoalValue(const ThresholdChoice& choice, const ThresholdCounts& counts);

// Finds the best threshold; of equally good ones it is the highest. With whole-number weights ties
// are recognised exactly as long as the products of counts in the goal stay below 2^53. Undefined
// without rows, and for the goals that need them without rows of both classes (kFBeta: without
// positive ones). Throws Error unless beta > 0 and the costs are finite.
BestThreshold FindBestThreshold(const ScoredRows& rows, const ThresholdChoice& choice);

}  // namespace crossfold
