// Decisions by expected cost (C. Elkan, "The foundations of cost-sensitive learning", IJCAI 2001,
// 973-978).
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace crossfold::stats {

// The expected cost of each decision: the sum over the true classes t of p[t] * costs[t][decision].
// `costs` is row-major, classes x classes, rows by truth. Throws Error for other sizes and for
// numbers that are not finite.
std::vector<double> ExpectedCosts(std::span<const double> p, std::span<const double> costs);

// The decision with the minimum expected cost; ties go to the lower index. Throws as ExpectedCosts.
std::size_t CheapestDecision(std::span<const double> p, std::span<const double> costs);

struct CostThreshold {
  bool defined = false;
  std::string undefined;  // the reason, if not
  double threshold = std::numeric_limits<double>::quiet_NaN();
};

// For two classes: the lowest probability of the second class at which predicting it costs no more
// than predicting the first, (c01 - c00) / ((c01 - c00) + (c10 - c11)). It is undefined unless both
// mistakes cost more than the right answers: otherwise one decision is never worse than the other.
// Throws as ExpectedCosts.
CostThreshold ThresholdOfCosts(std::span<const double> costs);

}  // namespace crossfold::stats
