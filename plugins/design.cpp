#include "design.h"

#include <cstddef>
#include <span>

#include "feature_text.h"
#include "finite_rows.h"
#include "moments.h"
#include "used_rows.h"

namespace crossfold::bundled {

Design ReadDesign(const plugin::TrainingView& train) {
  FixBlockSizes();
  const Positions used = UsedRows(train);
  Design design;
  for (std::int64_t i = 0; i < train.num_rows(); ++i) design.total_weight += train.weight(i);
  const auto n = static_cast<Index>(used.size());
  design.x.resize(n, train.num_features());
  design.weights.resize(n);
  design.values.resize(train.is_classification() ? 0 : n);
  for (Index i = 0; i < n; ++i) {
    const std::int64_t row = used[static_cast<std::size_t>(i)];
    ReadFiniteRow(train, row, design.x.data() + i * train.num_features());
    design.weights[i] = train.weight(row);
    if (train.is_classification()) {
      design.labels.push_back(train.label(row));
    } else {
      design.values[i] = train.value(row);
    }
  }
  if (!AreFinite(design.values.data(), design.values.size())) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA, "the target has an infinite or missing entry");
  }
  for (std::int64_t j = 0; j < train.num_features(); ++j) {
    design.features.emplace_back(train.name(j));
  }
  return design;
}

ColumnMoments MomentsOf(const Design& design) {
  const Index d = design.num_features();
  ColumnMoments moments{VectorXd(d), VectorXd(d)};
  const std::span<const double> weights(design.weights.data(),
                                        static_cast<std::size_t>(design.num_rows()));
  for (Index j = 0; j < d; ++j) {
    const VectorXd column = design.x.col(j);
    const Moments m =
        ComputeMoments({column.data(), weights.size()}, weights, Denominator::kTotalWeight,
                       FeatureText(design.features[static_cast<std::size_t>(j)]));
    moments.mean[j] = m.mean;
    moments.sd[j] = m.sd;
  }
  return moments;
}

}  // namespace crossfold::bundled
