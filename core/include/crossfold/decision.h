// Which class is called, decided from the probabilities of a prediction; these stay as they are.
#pragma once

#include <cstdint>
#include <span>

#include "crossfold/outcome.h"

namespace crossfold {

// Two classes: `positive` (an index) where its probability is at least `threshold`, the other class
// elsewhere. Infinite thresholds call one class always. Throws Error without probabilities, for
// other than two classes and for NaN.
Prediction DecideByThreshold(const Prediction& prediction, std::int64_t positive, double threshold);

// The class with the least expected cost, see stats/expected_cost.h. `costs` is classes x classes,
// rows by truth. Throws Error without probabilities and for other costs.
Prediction DecideByCost(const Prediction& prediction, std::span<const double> costs);

}  // namespace crossfold
