// Decisions for each threshold on a score, as the counts from which all curves are computed.
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
  // The counts from the highest threshold down: first infinity, which calls no row positive, then
  // each distinct score. Equal scores are one step. It is empty if no row has a weight.
  std::vector<ThresholdCounts> rows;
};

// Rows of weight 0 do not count. The order of the rows does not affect any bit of the result.
ThresholdTable TabulateThresholds(const ScoredRows& rows);

// Returns why two classes cannot be compared: there are no rows, no weights, or only one class. ""
// = they can.
std::string FindMissingClass(const ScoredRows& rows, const ThresholdTable& table);

}  // namespace crossfold
