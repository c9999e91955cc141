#include "spherical_score.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../checked_probability.h"

namespace crossfold::probability_metrics {

void SphericalScore::Add(const cf::MetricInput& block, const cf::Context&) {
  for (std::int64_t i = 0; i < block.num_rows(); ++i) {
    const std::span<const double> row = bundled::CheckedProbabilities(block, i);
    const double p =
        row[static_cast<std::size_t>(block.truth_labels()[static_cast<std::size_t>(i)])];
    double squares = 0;
    for (const double q : row) squares += q * q;
    if (squares == 0) {
      throw cf::Error(CF_E_NUMERIC, "the predicted probabilities of a row are all 0");
    }
    mean_.Add(p / std::sqrt(squares), block.weight(i));
  }
}

}  // namespace crossfold::probability_metrics
