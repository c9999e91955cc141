// Turns log scores of classes into probabilities.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace crossfold::bundled {

// In place: exp(score) / sum of them all. Returns the logarithm of the sum, so that the log of a
// probability is score - result, however small it is. Not finite where the largest score is not.
inline double Softmax(std::span<double> scores) {
  const double best = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (double& score : scores) {
    score = std::exp(score - best);
    sum += score;
  }
  for (double& score : scores) score /= sum;
  return best + std::log(sum);
}

}  // namespace crossfold::bundled
