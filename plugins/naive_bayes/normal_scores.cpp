#include "normal_scores.h"

#include <cmath>

#include "scaled_product.h"

namespace crossfold::bundled {

NormalScores::NormalScores(std::size_t n_classes, std::size_t n_columns)
    : n_columns_(n_columns),
      means_(n_classes * n_columns),
      variances_(n_classes * n_columns, 1),
      precisions_(n_classes * n_columns, 1),
      half_volumes_(n_classes) {}

void NormalScores::Set(std::size_t c, std::size_t k, double mean, double variance) {
  const std::size_t place = c * n_columns_ + k;
  means_[place] = mean;
  variances_[place] = variance;
  precisions_[place] = 1 / variance;
}

void NormalScores::Silence(std::size_t c, std::size_t k) {
  Set(c, k, 0, 1);
  precisions_[c * n_columns_ + k] = 0;
}

void NormalScores::FinishClass(std::size_t c) {
  ScaledProduct volume;
  for (std::size_t k = 0; k < n_columns_; ++k) volume.Multiply(variances_[c * n_columns_ + k]);
  half_volumes_[c] = 0.5 * volume.Log();
}

void NormalScores::SubtractDistances(const double* x, std::size_t x_stride, std::size_t n_rows,
                                     std::size_t first_class, std::size_t end_class, double* scores,
                                     std::size_t score_stride) const {
  SupportedKernels()[0]->subtract_distances(
      {.x = x,
       .x_stride = x_stride,
       .n_rows = n_rows,
       .n_columns = n_columns_,
       .n_classes = end_class - first_class,
       .means = means_.data() + first_class * n_columns_,
       .precisions = precisions_.data() + first_class * n_columns_,
       .scores = scores,
       .score_stride = score_stride});
}

double NormalScores::Score(const double* x, std::size_t x_stride, std::size_t c,
                           double start) const {
  ScaledProduct volume;
  double distance = 0;
  for (std::size_t k = 0; k < n_columns_; ++k, x += x_stride) {
    if (std::isnan(*x)) continue;
    const std::size_t place = c * n_columns_ + k;
    const double difference = *x - means_[place];
    volume.Multiply(variances_[place]);
    distance += (difference * precisions_[place]) * difference;
  }
  return (start - 0.5 * volume.Log()) - 0.5 * distance;
}

}  // namespace crossfold::bundled
