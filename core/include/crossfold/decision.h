// Decisions for a class from the probabilities of a prediction, which stay as they are.
#pragma once

#include <cstdint>
#include <span>

#include "crossfold/outcome.h"

namespace crossfold {

// Decides between two classes: for `positive` (an index) where its probability is at least
// `threshold`, else for the other class. With an infinite threshold all rows get the same class.
// Throws Error if there are no probabilities, unless there are two classes, and for NaN.
Prediction DecideByThreshold(const Prediction& prediction, std::int64_t positive, double threshold);

// Decides for the class with the minimum expected cost, see stats/expected_cost.h. `costs` is
// classes x classes, rows by truth. Throws Error without probabilities and for costs of another
// shape.
Prediction DecideByCost(const Prediction& prediction, std::span<const double> costs);

}  // namespace crossfold
