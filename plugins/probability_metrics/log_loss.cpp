#include "log_loss.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "../checked_probability.h"

namespace crossfold::probability_metrics {

void LogLoss::Add(const cf::MetricInput& block, const cf::Context&) {
  for (std::int64_t i = 0; i < block.num_rows(); ++i) {
    // Clipping would hide values that are not probabilities.
    const double given =
        bundled::CheckedProbability(block, i, block.truth_labels()[static_cast<std::size_t>(i)]);
    const double p = std::clamp(given, clip_, 1 - clip_);
    const double weight = block.weight(i);
    rows_.Add(weight);
    if (weight == 0) continue;  // 0 * infinity would not be a number
    if (p == 0) {
      is_infinite_ = true;
    } else {
      loss_.Add(weight * -std::log(p));
    }
  }
}

double LogLoss::Finish(const cf::Context&) const {
  const double total = rows_.Total();
  if (is_infinite_) return std::numeric_limits<double>::infinity();
  return loss_.value() / total;
}

}  // namespace crossfold::probability_metrics
