// Densities of a block of rows in one class, and the scores that follow.
#pragma once

#include <array>
#include <cstddef>

#include "normal_kernels.h"
#include "scaled_product.h"
#include "score_block.h"

namespace crossfold::bundled {

class DensityBlock {
 public:
  Densities arrays() {
    return {
        .distance = distance_.data(), .mantissa = mantissa_.data(), .exponent = exponent_.data()};
  }
  // Computes the scores of the first n rows, as NormalScores::Score() does.
  void ToScores(double start, std::size_t n, double* scores) const {
    for (std::size_t i = 0; i < n; ++i) {
      const double half_volume = 0.5 * ScaledProduct{mantissa_[i], exponent_[i]}.Log();
      scores[i] = (start - half_volume) - 0.5 * distance_[i];
    }
  }

 private:
  std::array<double, ScoreBlock::kRows> distance_, mantissa_, exponent_;
};

}  // namespace crossfold::bundled
