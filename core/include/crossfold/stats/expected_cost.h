// Decisions by expected cost (C. Elkan, "The foundations of cost-sensitive learning", IJCAI 2001,
// 973-978).
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace crossfold::stats {

// What each decision costs on average: sum over the true classes t of p[t] * costs[t][decision].
// `costs` is row-major, classes x classes, rows by truth. Throws Error for other sizes and numbers
// that are not finite.
std::vector<double> ExpectedCosts(std::span<const double> p, std::span<const double> costs);

// The decision with the least of them; equal ones go to the lower index. Throws as above.
std::size_t CheapestDecision(std::span<const double> p, std::span<const double> costs);

struct CostThreshold {
  bool defined = false;
  std::string undefined;  // the reason, if not
  double threshold = std::numeric_limits<double>::quiet_NaN();
};

// Two classes: the probability of the second from which calling it costs no more,
// (c01 - c00) / ((c01 - c00) + (c10 - c11)). Undefined unless both mistakes cost more than the
// right answers: otherwise one decision is never worse than the other. Throws as above.
CostThreshold ThresholdOfCosts(std::span<const double> costs);

}  // namespace crossfold::stats
