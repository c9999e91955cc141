#include "feature_values.h"

#include <cmath>

namespace crossfold::bundled {

FeatureValues PresentValues(const plugin::TrainingView& train, std::int64_t j) {
  FeatureValues present;
  for (std::int64_t i = 0; i < train.num_rows(); ++i) {
    const double x = train.x(i, j);
    if (train.weight(i) == 0 || std::isnan(x)) continue;
    RefuseInfinite(train, j, x);
    present.values.push_back(x);
    present.weights.push_back(train.weight(i));
    present.rows.push_back(i);
  }
  return present;
}

void CopyFinite(const plugin::FeatureView& rows, std::int64_t j, std::span<double> out) {
  rows.CopyColumn(j, out);
  for (const double x : out) RefuseInfinite(rows, j, x);
}

}  // namespace crossfold::bundled
