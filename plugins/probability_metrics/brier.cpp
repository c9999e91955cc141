#include "brier.h"

#include <cstddef>
#include <cstdint>
#include <span>

#include "../checked_probability.h"

namespace crossfold::probability_metrics {
namespace {

double SquaredDistance(std::span<const double> probabilities, std::size_t truth) {
  double sum = 0;
  for (std::size_t c = 0; c < probabilities.size(); ++c) {
    const double error = probabilities[c] - (c == truth ? 1.0 : 0.0);
    sum += error * error;
  }
  return sum;
}

}  // namespace

void Brier::Add(const cf::MetricInput& block, const cf::Context&) {
  for (std::int64_t i = 0; i < block.num_rows(); ++i) {
    const auto truth = static_cast<std::size_t>(block.truth_labels()[static_cast<std::size_t>(i)]);
    mean_.Add(SquaredDistance(bundled::CheckedProbabilities(block, i), truth), block.weight(i));
  }
}

}  // namespace crossfold::probability_metrics
