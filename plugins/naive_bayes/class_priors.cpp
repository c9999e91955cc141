#include "class_priors.h"

#include <cmath>
#include <string>

#include "../number_text.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

void RefuseBadPriors(const BayesParams& params, std::size_t n_classes) {
  if (params.prior != PriorRule::kGiven) return;
  if (params.priors.size() != n_classes) {
    throw plugin::Error(CF_E_INVALID_ARGUMENT,
                        "priors has " + std::to_string(params.priors.size()) + " entries for " +
                            std::to_string(n_classes) + " classes");
  }
  double sum = 0;
  for (const double prior : params.priors) sum += prior;
  if (!(std::fabs(sum - 1) <= 1e-6)) {
    throw plugin::Error(CF_E_INVALID_ARGUMENT, "priors sums to " + NumberText(sum) + ", not to 1");
  }
}

ClassPriors PriorsOf(const BayesParams& params, std::span<const double> class_weights) {
  const std::size_t n_classes = class_weights.size();
  ClassPriors priors{std::vector<double>(n_classes), std::vector<double>(n_classes)};
  bool any = false;
  double total = 0;
  for (std::size_t c = 0; c < n_classes; ++c) {
    if (class_weights[c] < 0) {
      throw plugin::Error(CF_E_INVALID_ARGUMENT, "the rows to remove are not in the model");
    }
    if (class_weights[c] == 0) continue;  // a class that the training rows lack is impossible
    any = true;
    if (params.prior == PriorRule::kLearned) priors.shares[c] = class_weights[c];
    if (params.prior == PriorRule::kUniform) priors.shares[c] = 1;
    if (params.prior == PriorRule::kGiven) priors.shares[c] = params.priors[c];
    total += priors.shares[c];
  }
  if (!any) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA, "the training rows have a total weight of 0");
  }
  if (!(total > 0)) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                        "priors is 0 for every class that the training rows have");
  }
  for (std::size_t c = 0; c < n_classes; ++c) {
    priors.shares[c] /= total;
    priors.logs[c] = std::log(priors.shares[c]);
  }
  return priors;
}

}  // namespace crossfold::bundled
