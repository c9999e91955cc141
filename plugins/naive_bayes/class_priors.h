// Probabilities of the classes before any feature is seen.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "params.h"

namespace crossfold::bundled {

struct ClassPriors {
  std::vector<double> shares;  // 0 for a class that the training rows lack
  std::vector<double> logs;
};

// Throws Error if the `priors` of the setting are not probabilities of this number of classes.
void RefuseBadPriors(const BayesParams& params, std::size_t n_classes);

// Computes the priors from the training weight of each class. Throws Error if no class is possible.
ClassPriors PriorsOf(const BayesParams& params, std::span<const double> class_weights);

}  // namespace crossfold::bundled
