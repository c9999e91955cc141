// The prediction without features: the class shares or the mean of the training rows.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

struct Baseline {
  std::vector<double> shares;  // classification: one per class of the dataset, sums to 1
  double mean = 0;             // regression, in the target's unit
};

inline double TotalWeight(const plugin::TrainingView& train) {
  double total = 0;
  for (std::int64_t i = 0; i < train.num_rows(); ++i) total += train.weight(i);
  if (!(total > 0)) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA, "the training rows have a total weight of 0");
  }
  return total;
}

inline Baseline FitBaseline(const plugin::TrainingView& train) {
  const double total = TotalWeight(train);
  Baseline fitted;
  if (train.is_classification()) {
    fitted.shares.resize(static_cast<std::size_t>(train.num_classes()));
    for (std::int64_t i = 0; i < train.num_rows(); ++i) {
      fitted.shares[static_cast<std::size_t>(train.label(i))] += train.weight(i);
    }
    for (double& share : fitted.shares) share /= total;
    return fitted;
  }
  // The second pass removes the rounding error of the first.
  for (std::int64_t i = 0; i < train.num_rows(); ++i) {
    fitted.mean += train.weight(i) * train.value(i);
  }
  fitted.mean /= total;
  double rest = 0;
  for (std::int64_t i = 0; i < train.num_rows(); ++i) {
    rest += train.weight(i) * (train.value(i) - fitted.mean);
  }
  fitted.mean += rest / total;
  if (!std::isfinite(fitted.mean)) {
    throw plugin::Error(CF_E_NUMERIC, "the mean of the training targets is not finite");
  }
  return fitted;
}

}  // namespace crossfold::bundled
