#include "crossfold/decision.h"

#include <cmath>

#include "analysis/curves/probabilities.h"
#include "crossfold/stats/expected_cost.h"

namespace crossfold {

Prediction DecideByThreshold(const Prediction& prediction, std::int64_t positive,
                             double threshold) {
  CheckProbabilities("decide by a threshold", prediction);
  if (prediction.n_classes != 2 || positive < 0 || positive > 1 || std::isnan(threshold)) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot decide by a threshold: it takes two classes, one of them positive, and a "
                "number; decide by costs instead");
  }
  Prediction decided = prediction;
  decided.labels.clear();
  for (std::size_t i = 0; i < prediction.rows.size(); ++i) {
    const double p = ProbabilitiesOf(prediction, i)[static_cast<std::size_t>(positive)];
    decided.labels.push_back(static_cast<std::int32_t>(p >= threshold ? positive : 1 - positive));
  }
  return decided;
}

Prediction DecideByCost(const Prediction& prediction, std::span<const double> costs) {
  CheckProbabilities("decide by costs", prediction);
  Prediction decided = prediction;
  decided.labels.clear();
  for (std::size_t i = 0; i < prediction.rows.size(); ++i) {
    decided.labels.push_back(
        static_cast<std::int32_t>(stats::CheapestDecision(ProbabilitiesOf(prediction, i), costs)));
  }
  return decided;
}

}  // namespace crossfold
