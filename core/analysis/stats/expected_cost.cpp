#include "crossfold/stats/expected_cost.h"

#include <algorithm>

#include "analysis/stats/refuse_argument.h"

namespace crossfold::stats {
namespace {

void CheckCosts(std::size_t k, std::span<const double> costs) {
  const std::string attempt = "compute expected costs";
  if (k == 0 || costs.size() != k * k) {
    RefuseArgument(attempt,
                   "there are " + std::to_string(costs.size()) + " costs for " + std::to_string(k) +
                       " classes",
                   "give classes x classes of them");
  }
  CheckFinite(attempt, "cost", costs);
}

}  // namespace

std::vector<double> ExpectedCosts(std::span<const double> p, std::span<const double> costs) {
  const std::size_t k = p.size();
  CheckCosts(k, costs);
  CheckFinite("compute expected costs", "probability", p);
  std::vector<double> expected(k, 0.0);
  for (std::size_t truth = 0; truth < k; ++truth) {
    for (std::size_t decision = 0; decision < k; ++decision) {
      expected[decision] += p[truth] * costs[truth * k + decision];
    }
  }
  return expected;
}

std::size_t CheapestDecision(std::span<const double> p, std::span<const double> costs) {
  const std::vector<double> expected = ExpectedCosts(p, costs);
  return static_cast<std::size_t>(std::min_element(expected.begin(), expected.end()) -
                                  expected.begin());
}

CostThreshold ThresholdOfCosts(std::span<const double> costs) {
  CheckCosts(2, costs);
  CostThreshold result;
  const double false_alarm = costs[1] - costs[0], miss = costs[2] - costs[3];
  if (!(false_alarm > 0 && miss > 0)) {
    result.undefined = "a mistake costs no more than the right answer";
    return result;
  }
  result.defined = true;
  result.threshold = false_alarm / (false_alarm + miss);
  return result;
}

}  // namespace crossfold::stats
