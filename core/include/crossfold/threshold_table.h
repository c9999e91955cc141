// What each threshold on a score decides: the counts that every curve is computed from.
#pragma once

#include <string>
#include <vector>

#include "crossfold/scored_rows.h"

namespace crossfold {

// Weights of the rows that are called positive (score >= threshold) and of those that are not.
struct ThresholdCounts {
  double threshold = 0;
  double tp = 0, fp = 0, tn = 0, fn = 0;
};

struct ThresholdTable {
  double positives = 0, negatives = 0;  // weight of each class
  // From the highest threshold down: first infinity, which calls no row positive, then each
  // distinct score. Equal scores are one step. Empty if no row has a weight.
  std::vector<ThresholdCounts> rows;
};

// Rows of weight 0 are no rows. The order of the rows does not matter, not even to the last bit.
ThresholdTable TabulateThresholds(const ScoredRows& rows);

// Why nothing can be said about two classes: no rows, no weight, or one class only. "" = it can.
std::string FindMissingClass(const ScoredRows& rows, const ThresholdTable& table);

}  // namespace crossfold
